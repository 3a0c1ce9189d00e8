package dev.gorkie.workbench;

import java.time.Instant;

/// A file that an operation has made, kept as it was when that was over.
public record Artifact(
    String id,
    String operation,
    String path,
    String name,
    String type,
    long bytes,
    String sha256,
    Instant created) {}
