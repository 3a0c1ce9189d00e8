package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.util.Map;

/// `reactions.*`: the app's own emoji under a message, and everybody's.
final class ReactionMethods {
  private final Workspace workspace;
  private final Places places;
  private final Wire wire;
  private final Events events;

  ReactionMethods(Workspace workspace, Places places, Wire wire, Events events) {
    this.workspace = workspace;
    this.places = places;
    this.wire = wire;
    this.events = events;
  }

  Map<String, Method> methods() {
    return Map.of(
        "reactions.add", this::add, "reactions.remove", this::remove, "reactions.get", this::get);
  }

  private JsonObject add(Call call) {
    var message = message(call);
    var name = name(call);
    if (!workspace.changes.change(() -> message.react(name, Workspace.APP_USER))) {
      throw new Refusal("already_reacted");
    }
    events.reacted(message, Workspace.APP_USER, name, true);
    return new JsonObject();
  }

  private JsonObject remove(Call call) {
    var message = message(call);
    var name = name(call);
    if (!workspace.changes.change(() -> message.unreact(name, Workspace.APP_USER))) {
      throw new Refusal("no_reaction");
    }
    events.reacted(message, Workspace.APP_USER, name, false);
    return new JsonObject();
  }

  private JsonObject get(Call call) {
    var message = message(call);
    return workspace.changes.read(
        () ->
            new JsonObject()
                .put("type", "message")
                .put("channel", message.channel.id())
                .put("message", wire.message(message)));
  }

  private Message message(Call call) {
    return places.message(
        places.writable(call, "channel"), call.required("timestamp"), "message_not_found");
  }

  private static String name(Call call) {
    var name = call.required("name");
    if (!name.matches("[a-z0-9_'+-]+(::skin-tone-[2-6])?")) {
      throw new Refusal("invalid_name");
    }
    return name;
  }
}
