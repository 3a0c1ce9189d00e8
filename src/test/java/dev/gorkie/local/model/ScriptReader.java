package dev.gorkie.local.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rules as JSON, for those who reach the model by HTTP only.
///
/// `{"rules":[{"matching":"regex" or "containing":"text","replies":[…]}]}`, a reply being `{"status","message","headers"}` or
/// `{"text","calls":[{"name","arguments"}],"pieceChars","pauseMillis","cutAfter","unfinishedAfter","hangAfter","finish",`
/// `"usage":{"read","cached","written"}}`.
final class ScriptReader {

  private static final int OK = 200;

  List<Rule> read(JsonObject script) {
    return objects(script, "rules").map(ScriptReader::rule).toList();
  }

  private static Rule rule(JsonObject json) {
    var replies = objects(json, "replies").map(ScriptReader::reply).toArray(Reply[]::new);
    return json.containsKey("containing")
        ? Rule.whenContaining(json.getString("containing"), replies)
        : Rule.whenMatching(json.getString("matching"), replies);
  }

  private static Reply reply(JsonObject json) {
    return json.getInteger("status", OK) == OK ? spoken(json) : refused(json);
  }

  private static Reply refused(JsonObject json) {
    var refused =
        Reply.refuses(json.getInteger("status"), json.getString("message", "As the script says"));
    for (var header : json.getJsonObject("headers", new JsonObject())) {
      refused = refused.with(header.getKey(), String.valueOf(header.getValue()));
    }
    return refused;
  }

  private static Reply spoken(JsonObject json) {
    var spoken = Reply.says(json.getString("text", ""));
    spoken =
        spoken
            .paced(
                json.getInteger("pieceChars", spoken.pieceChars()),
                Duration.ofMillis(json.getLong("pauseMillis", 0L)))
            .ending(ending(json));
    for (var call : objects(json, "calls").toList()) {
      spoken =
          spoken.calling(
              new ToolCall(
                  call.getString("name", ""), call.getJsonObject("arguments", new JsonObject())));
    }
    if (json.containsKey("finish")) {
      spoken = spoken.finish(json.getString("finish"));
    }
    if (json.containsKey("usage")) {
      var usage = json.getJsonObject("usage");
      spoken =
          spoken.usage(
              new Usage(
                  usage.getLong("read", 0L),
                  usage.getLong("cached", 0L),
                  usage.getLong("written", 0L)));
    }
    return spoken;
  }

  private static Ending ending(JsonObject json) {
    if (json.containsKey("cutAfter")) {
      return new Ending.Cut(json.getInteger("cutAfter"));
    }
    if (json.containsKey("unfinishedAfter")) {
      return new Ending.Unfinished(json.getInteger("unfinishedAfter"));
    }
    return json.containsKey("hangAfter")
        ? new Ending.Hanging(json.getInteger("hangAfter"))
        : new Ending.Whole();
  }

  private static Stream<JsonObject> objects(JsonObject json, String name) {
    var array = json.getJsonArray(name, new JsonArray());
    return IntStream.range(0, array.size()).mapToObj(array::getJsonObject);
  }
}
