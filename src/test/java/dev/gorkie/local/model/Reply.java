package dev.gorkie.local.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the model answers one call with.
public sealed interface Reply {

  /// Text, tool calls, or both; `pause` is between one piece of `pieceChars` and the next.
  record Spoken(
      String text,
      List<ToolCall> calls,
      int pieceChars,
      Duration pause,
      Ending ending,
      Optional<String> finish,
      Optional<Usage> usage)
      implements Reply {

    private static final int PIECE_CHARS = 24;

    public Spoken {
      if (pieceChars < 1) {
        throw new IllegalArgumentException("A piece has at least one character: " + pieceChars);
      }
      calls = List.copyOf(calls);
    }

    Spoken(String text, List<ToolCall> calls) {
      this(
          text,
          calls,
          PIECE_CHARS,
          Duration.ZERO,
          new Ending.Whole(),
          Optional.empty(),
          Optional.empty());
    }

    public Spoken paced(int newPieceChars, Duration newPause) {
      return new Spoken(text, calls, newPieceChars, newPause, ending, finish, usage);
    }

    public Spoken ending(Ending newEnding) {
      return new Spoken(text, calls, pieceChars, pause, newEnding, finish, usage);
    }

    /// The provider's word for why it stopped, where it isn't `stop` or `tool_calls`.
    public Spoken finish(String newFinish) {
      return new Spoken(text, calls, pieceChars, pause, ending, Optional.of(newFinish), usage);
    }

    public Spoken usage(Usage newUsage) {
      return new Spoken(text, calls, pieceChars, pause, ending, finish, Optional.of(newUsage));
    }

    public Spoken calling(ToolCall call) {
      var more = new ArrayList<>(calls);
      more.add(call);
      return new Spoken(text, more, pieceChars, pause, ending, finish, usage);
    }
  }

  /// An error instead of an answer.
  record Refused(int status, String message, Map<String, String> headers) implements Reply {

    public Refused {
      headers = Map.copyOf(headers);
    }

    public Refused with(String header, String value) {
      var more = new TreeMap<>(headers);
      more.put(header, value);
      return new Refused(status, message, more);
    }
  }

  static Spoken says(String text) {
    return new Spoken(text, List.of());
  }

  static Spoken calls(ToolCall... calls) {
    return new Spoken("", List.of(calls));
  }

  static Refused refuses(int status, String message) {
    return new Refused(status, message, Map.of());
  }
}
