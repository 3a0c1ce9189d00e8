package dev.gorkie.local.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a prompt puts into a scripted reply.
record Template(MatchResult found, String lastResult) {

  private static final Pattern BLANK = Pattern.compile("\\{\\{(\\d+|result)}}");

  Reply fill(Reply reply) {
    return switch (reply) {
      case Reply.Spoken spoken ->
          new Reply.Spoken(
              fill(spoken.text()),
              spoken.calls().stream()
                  .map(call -> new ToolCall(fill(call.name()), fill(call.arguments())))
                  .toList(),
              spoken.pieceChars(),
              spoken.pause(),
              spoken.ending(),
              spoken.finish(),
              spoken.usage());
      case Reply.Refused refused -> refused;
    };
  }

  private String fill(String text) {
    return BLANK.matcher(text).replaceAll(blank -> Matcher.quoteReplacement(value(blank.group(1))));
  }

  private String value(String blank) {
    if (blank.equals("result")) {
      return lastResult;
    }
    return Optional.ofNullable(found.group(Integer.parseInt(blank))).orElse("");
  }

  private JsonObject fill(JsonObject json) {
    var filled = new JsonObject();
    json.forEach(field -> filled.put(field.getKey(), fillAny(field.getValue())));
    return filled;
  }

  private Object fillAny(Object value) {
    return switch (value) {
      case String text -> fill(text);
      case JsonObject json -> fill(json);
      case JsonArray array -> new JsonArray(array.stream().map(this::fillAny).toList());
      case Object other -> other;
    };
  }
}
