package dev.gorkie.slack;

/// Where an answer goes: under the root of the thread, to the person whose message asked for it.
public record Address(String team, String channel, String rootTs, String messageTs, String user) {}
