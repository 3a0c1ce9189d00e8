package dev.gorkie.slack;

import dev.gorkie.ThreadKey;
import java.math.BigDecimal;
import java.time.Instant;

/// Where an answer goes: under the root of the thread, to the person whose message asked for it.
public record Address(
    ThreadKey thread, String channel, String rootTs, String messageTs, String user) {

  /// Whether nobody else reads there.
  boolean isDirect() {
    return channel.startsWith("D");
  }

  /// When the message was written, by Slack's clock.
  Instant written() {
    var seconds = new BigDecimal(messageTs);
    return Instant.ofEpochMilli(seconds.movePointRight(3).longValue());
  }

  String team() {
    return thread.team();
  }
}
