package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;

/// Something for the app, ready to be sent: its type, its id and the whole body.
record Envelope(String type, String id, JsonObject body) {

  boolean isMention() {
    return type.equals("app_mention");
  }

  /// The conversation it is about; empty when it is about none.
  String channel() {
    return body.getJsonObject("event", new JsonObject()).getString("channel", "");
  }

  /// The timestamp of the message it is about.
  String ts() {
    var event = body.getJsonObject("event", new JsonObject());
    var changed = event.getJsonObject("message", new JsonObject()).getString("ts");
    return changed == null ? event.getString("deleted_ts", event.getString("ts", "")) : changed;
  }
}
