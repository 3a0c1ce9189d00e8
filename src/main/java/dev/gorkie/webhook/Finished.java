package dev.gorkie.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gorkie.ThreadKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/// How a turn ended, without a word of what was said in it.
///
/// @param channel where its conversation is, also where that is a direct one
/// @param root the message under which it was answered
/// @param user who had asked
/// @param outcome what it is called in the books
/// @param fault whose it was, or `none`
public record Finished(
    ThreadKey thread,
    String channel,
    String root,
    String user,
    long turn,
    String outcome,
    String fault,
    Duration took,
    long steps,
    long tokens,
    BigDecimal cost) {

  private static final String TYPE = "agent.finished";

  /// A turn ends once.
  String id() {
    return TYPE + "-" + turn;
  }

  String json(Instant at) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", TYPE)
        .put("id", id())
        .put("at", at.toString())
        .put("team", thread.team())
        .put("channel", channel)
        .put("thread_ts", root)
        .put("user", user)
        .put("turn", turn)
        .put("outcome", outcome)
        .put("fault", fault)
        .put("seconds", took.toSeconds())
        .put("steps", steps)
        .put("tokens", tokens)
        .put("cost", cost)
        .toString();
  }
}
