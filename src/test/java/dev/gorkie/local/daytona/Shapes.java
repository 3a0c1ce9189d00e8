package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;

/// What a request of each operation may look like. The service passes over what it does not know without a word, and so does
/// this Daytona; but here it is written down.
final class Shapes {

  private static final Logger LOG = Logger.getLogger(Shapes.class);
  private static final String OPERATIONS = "/daytona/operations.json";
  private static final String JSON = "application/json";
  // Whoever makes one mistake makes it often.
  private static final int KEPT_MAX = 100;

  /// A type's name, with `!` behind it where the value must be there.
  private record Operation(
      String method, Pattern path, JsonNode query, JsonNode numbers, Optional<JsonNode> body) {

    static Operation of(JsonNode facts) {
      var base = facts.path("at").asText().equals("api") ? "/api" : "/toolbox/[^/]+";
      var path = facts.path("path").asText().replaceAll("\\{(\\w+)}", "(?<$1>[^/]+)");
      return new Operation(
          facts.path("method").asText(),
          Pattern.compile(base + path),
          facts.path("query"),
          facts.path("numbers"),
          facts.has("body") ? Optional.of(facts.path("body")) : Optional.empty());
    }
  }

  private final List<Operation> operations;
  private final Deque<String> wrong = new ArrayDeque<>();

  Shapes() {
    try (var facts = Shapes.class.getResourceAsStream(OPERATIONS)) {
      if (facts == null) {
        throw new IllegalStateException("there is no " + OPERATIONS);
      }
      this.operations =
          StreamSupport.stream(Json.read(facts.readAllBytes()).spliterator(), false)
              .map(Operation::of)
              .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /// `body` is empty unless it was JSON.
  void check(Call call, byte[] body) {
    var path = call.path();
    if (!path.startsWith("/api/") && !path.startsWith("/toolbox/")) {
      return;
    }
    var found = new ArrayList<String>();
    var fitting =
        operations.stream()
            .filter(one -> one.method().equals(call.method()))
            .filter(one -> one.path().matcher(path).matches())
            .findFirst();
    fitting.ifPresentOrElse(
        operation -> {
          checkPath(operation, path, found);
          checkQuery(operation, call, found);
          checkBody(operation, call, body, found);
        },
        () -> found.add("is none that is known"));
    found.forEach(what -> note(call.method() + " " + path + ": " + what));
  }

  synchronized List<String> wrong() {
    return List.copyOf(wrong);
  }

  private synchronized void note(String what) {
    LOG.warn(what);
    wrong.add(what);
    if (wrong.size() > KEPT_MAX) {
      wrong.remove();
    }
  }

  private static void checkPath(Operation operation, String path, List<String> found) {
    var match = operation.path().matcher(path);
    if (match.matches()) {
      for (var number : operation.numbers()) {
        var value = match.group(number.asText());
        if (!value.matches("-?\\d+")) {
          found.add(number.asText() + " is no number");
        }
      }
    }
  }

  private static void checkQuery(Operation operation, Call call, List<String> found) {
    for (var name : call.queryNames()) {
      var type = operation.query().path(name).asText();
      var value = call.query(name).orElse("");
      var fits =
          switch (type.replace("!", "")) {
            case "string", "array" -> true;
            case "number", "integer" -> value.matches("-?\\d+");
            case "boolean" -> value.matches("true|false");
            default -> false;
          };
      if (!fits) {
        found.add(type.isEmpty() ? "nobody knows the query's " + name : name + " is no " + type);
      }
    }
    mustBeThere(operation.query(), name -> call.query(name).isPresent(), found);
  }

  private static void checkBody(Operation operation, Call call, byte[] bytes, List<String> found) {
    var isJson = call.header("Content-Type").filter(type -> type.startsWith(JSON)).isPresent();
    if (operation.body().isEmpty()) {
      if (bytes.length > "{}".length()) {
        found.add("has a body, which nobody reads");
      }
      return;
    }
    if (bytes.length == 0 || !isJson) {
      mustBeThere(operation.body().get(), _ -> false, found);
      return;
    }
    try {
      var body = Json.read(bytes);
      body.properties()
          .forEach(
              field -> {
                var type = operation.body().get().path(field.getKey()).asText();
                if (type.isEmpty()) {
                  found.add("nobody knows the body's " + field.getKey());
                } else if (!isOf(type.replace("!", ""), field.getValue())) {
                  found.add(field.getKey() + " is no " + type.replace("!", ""));
                }
              });
      mustBeThere(operation.body().get(), body::has, found);
    } catch (IOException _) {
      found.add("is no JSON");
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> false;
    };
  }

  private static void mustBeThere(JsonNode facts, Predicate<String> there, List<String> found) {
    facts
        .properties()
        .forEach(
            fact -> {
              if (fact.getValue().asText().endsWith("!") && !there.test(fact.getKey())) {
                found.add(fact.getKey() + " is missing");
              }
            });
  }
}
