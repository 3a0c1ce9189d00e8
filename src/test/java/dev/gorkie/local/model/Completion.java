package dev.gorkie.local.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// A spoken reply in the words of the OpenAI wire, whole or as the pieces of a stream.
final class Completion {

  private static final String END = "data: [DONE]\n\n";

  private final String id;
  private final String model;
  private final Reply.Spoken reply;
  private final Usage usage;

  Completion(String id, String model, Reply.Spoken reply, Usage usage) {
    this.id = id;
    this.model = model;
    this.reply = reply;
    this.usage = usage;
  }

  JsonObject whole() {
    var message = JsonObject.of("role", "assistant", "content", reply.text());
    if (!reply.calls().isEmpty()) {
      var calls = new JsonArray();
      for (var i = 0; i < reply.calls().size(); i++) {
        calls.add(call(i, reply.calls().get(i).arguments().encode()));
      }
      message.put("tool_calls", calls);
    }
    var choice = JsonObject.of("index", 0, "message", message, "finish_reason", finish());
    return envelope("chat.completion", JsonArray.of(choice)).put("usage", usage.json());
  }

  /// What is said, piece by piece.
  List<String> pieces() {
    var pieces = new ArrayList<String>();
    for (var text : cut(reply.text())) {
      pieces.add(chunk(JsonObject.of("role", "assistant", "content", text)));
    }
    for (var i = 0; i < reply.calls().size(); i++) {
      // The first piece of a call names it, the others only carry arguments on.
      var call = call(i, "");
      for (var arguments : cut(reply.calls().get(i).arguments().encode())) {
        call.getJsonObject("function").put("arguments", arguments);
        pieces.add(
            chunk(JsonObject.of("role", "assistant", "tool_calls", JsonArray.of(call.copy()))));
        call = JsonObject.of("index", i, "function", new JsonObject());
      }
    }
    return pieces;
  }

  /// What follows the pieces of a stream that ends properly.
  String ending(boolean withUsage) {
    var last = JsonObject.of("index", 0, "delta", new JsonObject(), "finish_reason", finish());
    var ending = event(envelope("chat.completion.chunk", JsonArray.of(last)));
    if (withUsage) {
      ending +=
          event(envelope("chat.completion.chunk", new JsonArray()).put("usage", usage.json()));
    }
    return ending + END;
  }

  private String finish() {
    return reply.finish().orElse(reply.calls().isEmpty() ? "stop" : "tool_calls");
  }

  private JsonObject call(int index, String arguments) {
    return JsonObject.of(
        "index",
        index,
        "id",
        "call_" + id + "_" + index,
        "type",
        "function",
        "function",
        JsonObject.of("name", reply.calls().get(index).name(), "arguments", arguments));
  }

  private String chunk(JsonObject delta) {
    var choice = JsonObject.of("index", 0, "delta", delta).putNull("finish_reason");
    return event(envelope("chat.completion.chunk", JsonArray.of(choice)));
  }

  private JsonObject envelope(String object, JsonArray choices) {
    return JsonObject.of(
        "id",
        "chatcmpl-" + id,
        "object",
        object,
        "created",
        System.currentTimeMillis() / 1000,
        "model",
        model,
        "choices",
        choices);
  }

  // By code points: a piece never ends in the middle of a character.
  private List<String> cut(String text) {
    var pieces = new ArrayList<String>();
    for (var begin = 0; begin < text.length(); ) {
      var length = Math.min(reply.pieceChars(), text.codePointCount(begin, text.length()));
      var end = text.offsetByCodePoints(begin, length);
      pieces.add(text.substring(begin, end));
      begin = end;
    }
    return pieces;
  }

  private static String event(JsonObject json) {
    return "data: " + json.encode() + "\n\n";
  }
}
