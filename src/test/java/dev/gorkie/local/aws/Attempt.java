package dev.gorkie.local.aws;

/// One try at an invocation: the first is number 1, a retry keeps the request's id.
public record Attempt(
    String requestId, int number, String instance, String payload, Outcome outcome) {}
