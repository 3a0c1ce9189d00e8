package dev.gorkie.local.slack;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;

/// A call of the Web API: its method, and its fields as the form carried them.
record Call(String method, Map<String, String> form) {

  /// A field that is there and not empty.
  Optional<String> text(String field) {
    return Optional.ofNullable(form.get(field)).filter(value -> !value.isEmpty());
  }

  String required(String field) {
    return text(field)
        .orElseThrow(
            () -> new Refusal("invalid_arguments", "[ERROR] missing required field: " + field));
  }

  boolean flag(String field) {
    return text(field).filter(value -> value.equals("true") || value.equals("1")).isPresent();
  }

  int number(String field, int usual) {
    try {
      return text(field).map(Integer::parseInt).orElse(usual);
    } catch (NumberFormatException e) {
      throw new Refusal(
          "invalid_arguments", "[ERROR] failed to match all allowed schemas: " + field);
    }
  }

  Optional<JsonArray> array(String field, String refusal) {
    try {
      return text(field).map(JsonArray::new);
    } catch (DecodeException e) {
      throw new Refusal(refusal);
    }
  }

  Optional<JsonObject> object(String field, String refusal) {
    try {
      return text(field).map(JsonObject::new);
    } catch (DecodeException e) {
      throw new Refusal(refusal);
    }
  }
}
