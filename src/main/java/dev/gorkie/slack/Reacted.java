package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/// Somebody put the stop sign under a message. Slack does not say in which thread that is.
public record Reacted(
    String app, String eventId, String team, String channel, String ts, String user, String at) {

  static final String EMOJI = "octagonal_sign";

  /// The same as if the person had pressed Slack's own button for stopping in that thread.
  public byte[] asStop(String root) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("type", "event_callback")
        .put("api_app_id", app)
        .put("team_id", team)
        .put("event_id", eventId);
    json.putObject("event")
        .put("type", "agent_session_stopped")
        .put("channel", channel)
        .put("user", user)
        .put("thread_ts", root)
        .put("event_ts", at);
    return json.toString().getBytes(UTF_8);
  }
}
