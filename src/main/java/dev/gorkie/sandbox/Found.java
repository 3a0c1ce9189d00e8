package dev.gorkie.sandbox;

/// What became of a machine we know.
public sealed interface Found {

  /// It runs and may be used.
  record Running(Sandbox sandbox) implements Found {}

  /// It is there but does not run; `Sandboxes.start` wakes it, however long that takes from where it is.
  record Asleep(SandboxId id, String state) implements Found {}

  /// It is there and cannot be made to run again: it is to be replaced.
  record Broken(SandboxId id, String reason) implements Found {}

  /// It does not exist any more. Said only after asking twice.
  record Gone() implements Found {}
}
