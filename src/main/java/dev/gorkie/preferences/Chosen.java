package dev.gorkie.preferences;

/// What counts for one person in one thread.
///
/// @param instructions what the person always wants to be told with what the person writes; may be empty
public record Chosen(String model, Permissions permissions, String instructions) {}
