package dev.gorkie.inbox;

/// How often somebody was heard, and in which message last; empty text where never.
public record Heard(int times, String last) {}
