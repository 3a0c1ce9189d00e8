package dev.gorkie.slack;

/// What a turn comes to in its thread.
public sealed interface LastWord {

  record Answer(String markdown) implements LastWord {}

  /// One sentence on what went wrong.
  record Apology(String sentence) implements LastWord {}

  /// What was said before something went wrong, and one sentence on that.
  record BrokenOff(String markdown, String sentence) implements LastWord {}

  record Stopped() implements LastWord {}

  /// Whoever asked took it back.
  record Nothing() implements LastWord {}
}
