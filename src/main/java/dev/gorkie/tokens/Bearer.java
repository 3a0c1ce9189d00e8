package dev.gorkie.tokens;

/// Whoever has a token: for whom he acts, and under which token.
public record Bearer(String token, String tenant) {}
