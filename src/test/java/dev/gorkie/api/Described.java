package dev.gorkie.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/// What is answered, held against what the document says is answered.
record Described(JsonNode document) {

  /// The paths that the document has, with their methods.
  TreeSet<String> routes() {
    var routes = new TreeSet<String>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(method -> routes.add(method + " " + path.getKey())));
    return routes;
  }

  void check(String method, String path, Program.Answer answer) {
    var operation =
        document.path("paths").path(described(path)).path(method.toLowerCase(Locale.ROOT));
    var responses = operation.path("responses");
    var response = responses.path(Integer.toString(answer.status()));
    var told = response.isMissingNode() ? responses.path("default") : response;
    var schema = told.path("content").path(answer.header("Content-Type").split(";", 2)[0]);
    assertTrue(
        answer.status() == 204 || !schema.isMissingNode(),
        method + " " + path + " answers what is not described: " + answer.status());
    if (schema.has("schema")) {
      check(method + " " + path, schema.path("schema"), answer.json());
    }
  }

  /// As `routes` has it.
  String route(String method, String path) {
    return method.toLowerCase(Locale.ROOT) + " " + described(path);
  }

  private String described(String path) {
    var asked = path.split("\\?", 2)[0];
    return document.path("paths").properties().stream()
        .map(Map.Entry::getKey)
        .filter(one -> asked.matches(one.replaceAll("\\{[a-z]+}", "[^/]+")))
        .min(Comparator.comparingInt(one -> one.indexOf('{')))
        .orElseThrow(() -> new AssertionError("Not described: " + path));
  }

  private void check(String at, JsonNode schema, JsonNode value) {
    if (schema.has("$ref")) {
      check(at, document.at(schema.path("$ref").asText().substring(1)), value);
      return;
    }
    if (schema.has("enum")) {
      assertTrue(schema.path("enum").valueStream().anyMatch(value::equals), at + ": " + value);
    }
    switch (schema.path("type").asText()) {
      case "object" -> {
        assertTrue(value.isObject(), at + ": " + value);
        schema
            .path("required")
            .forEach(name -> assertTrue(value.has(name.asText()), at + " lacks " + name));
        if (schema.has("properties")) {
          value
              .properties()
              .forEach(
                  entry -> {
                    var of = schema.path("properties").path(entry.getKey());
                    assertTrue(!of.isMissingNode(), at + " has " + entry.getKey());
                    check(at + "." + entry.getKey(), of, entry.getValue());
                  });
        }
      }
      case "array" -> {
        assertTrue(value.isArray(), at + ": " + value);
        value.forEach(entry -> check(at + "[]", schema.path("items"), entry));
      }
      case "string" -> assertTrue(value.isTextual(), at + ": " + value);
      case "integer" -> assertTrue(value.isIntegralNumber(), at + ": " + value);
      case "boolean" -> assertTrue(value.isBoolean(), at + ": " + value);
      default -> assertEquals("", schema.path("type").asText(), at);
    }
  }
}
