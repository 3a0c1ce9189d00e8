package dev.gorkie.local.model;

/// How a stream ends. Pieces are pieces of text and of tools' arguments.
public sealed interface Ending {

  /// With a finish reason, the usage, and the last word of the protocol.
  record Whole() implements Ending {}

  /// By a closed connection, after so many pieces.
  record Cut(int pieces) implements Ending {}

  /// Quietly, after so many pieces: no finish reason, no usage.
  record Unfinished(int pieces) implements Ending {}

  /// Not before it is released; then the rest follows. After no piece at all not even a status line was sent.
  record Hanging(int pieces) implements Ending {}
}
