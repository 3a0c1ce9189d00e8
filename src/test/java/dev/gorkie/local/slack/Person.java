package dev.gorkie.local.slack;

/// Somebody in the workspace; the app has one too, its bot user.
public record Person(String id, String name, String realName, boolean bot) {}
