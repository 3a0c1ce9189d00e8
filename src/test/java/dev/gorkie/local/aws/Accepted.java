package dev.gorkie.local.aws;

import java.time.Instant;

/// An asynchronous invocation that Lambda has and will carry out, whether or not its 202 came back.
public record Accepted(Instant at, Invoked what) {}
