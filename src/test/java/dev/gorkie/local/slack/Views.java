package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What each person has open beside the conversation with the app.
final class Views {
  private static final String TYPES = "slack#/types/";
  private final Changes changes;
  private final String team;
  private final Map<String, JsonObject> before = new HashMap<>();

  Views(Changes changes, String team) {
    this.changes = changes;
    this.team = team;
  }

  void channel(Person person, Channel channel) {
    put(person, entity("channel_id", channel.id()));
  }

  void message(Person person, Channel channel, String ts) {
    var value = new JsonObject().put("channel_id", channel.id()).put("message_ts", ts);
    put(person, entity("channel_id", channel.id()), entity("message_context", value));
  }

  void canvas(Person person, String id) {
    put(person, entity("canvas_id", id));
  }

  void nothing(Person person) {
    changes.change(() -> before.put(person.id(), new JsonObject()));
  }

  Optional<JsonObject> before(Person person) {
    return changes.read(() -> Optional.ofNullable(before.get(person.id())).map(JsonObject::copy));
  }

  private void put(Person person, JsonObject... entities) {
    var all = new JsonArray();
    for (var entity : entities) {
      all.add(entity);
    }
    changes.change(() -> before.put(person.id(), new JsonObject().put("entities", all)));
  }

  private JsonObject entity(String type, Object value) {
    return new JsonObject().put("type", TYPES + type).put("value", value).put("team_id", team);
  }
}
