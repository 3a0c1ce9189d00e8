package dev.gorkie.local.slack;

import java.time.Instant;
import java.util.List;

/// What the app let people see of its state in a thread, from this moment on.
///
/// @param kind through which of Slack's two ways it was said
/// @param status the words of an assistant status, empty when it was taken away; or a session's state
/// @param loadingMessages what an assistant status rotates through
public record StatusChange(
    Instant at,
    Kind kind,
    String channel,
    String threadTs,
    String status,
    List<String> loadingMessages) {

  /// Slack's two ways.
  public enum Kind {
    ASSISTANT,
    SESSION
  }

  public StatusChange {
    loadingMessages = List.copyOf(loadingMessages);
  }
}
