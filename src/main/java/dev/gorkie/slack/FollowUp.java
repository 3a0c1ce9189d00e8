package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.Locale;

/// What a conversation is gone on with although nobody wrote anything: something that was begun there has come to an end, or its
/// time has come.
///
/// @param id by which it is known again, letters and digits
/// @param user whose it is
/// @param text for the agent, in our words
public record FollowUp(
    String app, String team, String channel, String root, String user, String id, String text) {

  /// What we call it where it is kept: Slack delivers no such thing.
  static final String TYPE = "gorkie_follow_up";

  /// As it is kept, like a message that was written then.
  public byte[] delivery(Instant at) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("type", "event_callback")
        .put("api_app_id", app)
        .put("team_id", team)
        .put("event_id", id);
    json.putObject("event")
        .put("type", TYPE)
        .put("channel", channel)
        .put("thread_ts", root)
        .put("ts", String.format(Locale.ROOT, "%d.%06d", at.getEpochSecond(), at.getNano() / 1_000))
        .put("user", user)
        .put("text", SafeText.escape(text));
    return json.toString().getBytes(UTF_8);
  }
}
