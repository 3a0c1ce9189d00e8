package dev.gorkie.local.slack;

/// A suggestion above the message box: what it is called and what it says when clicked.
public record Prompt(String title, String message) {}
