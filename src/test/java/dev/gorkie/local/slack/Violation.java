package dev.gorkie.local.slack;

/// Something the app said that Slack accepts and people suffer from.
public record Violation(String method, String rule, String found) {}
