package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// One attempt to bring the app something, and what came of it.
///
/// @param type an event's type, or `block_actions`, `slash_command`, `url_verification`
/// @param id the `event_id`, or the trigger's
/// @param attempt 0 for the first, then what `x-slack-retry-num` said
/// @param retryReason why there is another attempt, as `x-slack-retry-reason` said
/// @param body what was sent, as JSON
/// @param status the app's HTTP status; empty when none came in time
/// @param answer the app's body
/// @param failure Slack's word for what went wrong, if it did
public record Delivery(
    String type,
    String id,
    int attempt,
    Optional<String> retryReason,
    JsonObject body,
    Optional<Integer> status,
    String answer,
    Optional<String> failure,
    Instant at,
    Duration took) {

  public boolean accepted() {
    return failure.isEmpty();
  }

  /// The event inside; empty for what is none.
  public JsonObject event() {
    return body.getJsonObject("event", new JsonObject());
  }
}
