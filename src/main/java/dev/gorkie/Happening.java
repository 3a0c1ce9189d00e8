package dev.gorkie;

import java.time.Instant;

/// Something that happened to a thread, for whoever looks into it afterwards. Never what a person wrote.
public record Happening(Instant at, String what) {}
