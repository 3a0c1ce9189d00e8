package dev.gorkie.slack;

import dev.gorkie.ThreadKey;

/// Where an answer goes: under the root of the thread, to the person whose message asked for it.
public record Address(
    ThreadKey thread, String channel, String rootTs, String messageTs, String user) {

  /// Whether nobody else reads there.
  boolean isDirect() {
    return channel.startsWith("D");
  }

  String team() {
    return thread.team();
  }
}
