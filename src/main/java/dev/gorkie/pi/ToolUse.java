package dev.gorkie.pi;

import java.util.Optional;

/// What a tool was called for: its name, a phrase for people, and the command or file it is about.
public record ToolUse(String tool, Optional<String> status, Optional<String> subject) {}
