package dev.gorkie.local.aws;

/// An invocation in the hands of a process.
public record Serving(long pid, String requestId, String payload) {}
