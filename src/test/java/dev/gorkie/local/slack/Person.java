package dev.gorkie.local.slack;

/// Somebody in the workspace, or a guest in some of its channels; the app has one too, its bot user.
public record Person(String id, String name, String realName, boolean bot, boolean guest) {}
