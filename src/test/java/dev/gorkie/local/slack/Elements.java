package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What people use of the blocks an app shows: buttons, menus, fields; in the words in which the app is told of it.
///
/// @param given what somebody has chosen or written there, by action id; else it stands as the app showed it
record Elements(JsonArray blocks, Map<String, String> given) {

  private static final List<String> MENUS = List.of("static_select", "radio_buttons", "overflow");
  private static final String FIELD = "plain_text_input";
  // What is copied of a button.
  private static final List<String> OF_BUTTON = List.of("text", "value", "style");

  /// Somebody uses this one.
  JsonObject action(String actionId, String at) {
    var used =
        all(Stream.concat(Stream.of("button"), MENUS.stream()))
            .filter(one -> actionId.equals(one.json().getString("action_id")))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("There is no " + actionId + " in " + blocks));
    var element = used.json();
    var action =
        new JsonObject()
            .put("type", element.getString("type"))
            .put("action_id", actionId)
            .put("block_id", used.blockId())
            .put("action_ts", at);
    if (MENUS.contains(element.getString("type"))) {
      return action.put("selected_option", chosen(element).orElse(null));
    }
    OF_BUTTON.stream()
        .filter(element::containsKey)
        .forEach(name -> action.put(name, element.getValue(name)));
    return action;
  }

  /// All that stands in the menus and fields, by block and action.
  JsonObject state() {
    var values = new JsonObject();
    all(Stream.concat(Stream.of(FIELD), MENUS.stream()))
        .forEach(
            one -> {
              var inBlock = values.getJsonObject(one.blockId(), new JsonObject());
              inBlock.put(one.json().getString("action_id"), value(one.json()));
              values.put(one.blockId(), inBlock);
            });
    return new JsonObject().put("values", values);
  }

  private Stream<Rendering.Placed> all(Stream<String> types) {
    return types.flatMap(type -> Rendering.find(blocks, type).stream());
  }

  private JsonObject value(JsonObject element) {
    var type = element.getString("type");
    var value = new JsonObject().put("type", type);
    if (!type.equals(FIELD)) {
      return value.put("selected_option", chosen(element).orElse(null));
    }
    var written =
        given.getOrDefault(element.getString("action_id"), element.getString("initial_value", ""));
    return value.put("value", written.isEmpty() ? null : written);
  }

  private Optional<JsonObject> chosen(JsonObject menu) {
    var value = given.get(menu.getString("action_id"));
    return value == null
        ? Optional.ofNullable(menu.getJsonObject("initial_option"))
        : menu.getJsonArray("options", new JsonArray()).stream()
            .map(JsonObject.class::cast)
            .filter(option -> value.equals(option.getString("value")))
            .findFirst();
  }
}
