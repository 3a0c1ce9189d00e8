package dev.gorkie.slack;

/// Somebody pressed a button of a `Question`. What the button carries proves nothing: who may answer is looked up.
public record Answered(
    String team, String channel, String threadTs, String user, String id, boolean allowed) {}
