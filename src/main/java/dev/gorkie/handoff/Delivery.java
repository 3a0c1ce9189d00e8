package dev.gorkie.handoff;

/// What Slack delivered, byte for byte, after its signature was found good.
public record Delivery(byte[] body) {}
