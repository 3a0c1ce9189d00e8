package dev.gorkie.local.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The messages of a request, and in them the run the model is asked to go on with.
record Conversation(List<Message> messages) {

  /// `calls` are those of an assistant's message, `answers` is the id of the call a tool's message answers.
  record Message(String role, String text, List<String> calls, String answers) {

    boolean isUser() {
      return role.equals("user");
    }

    boolean isAssistant() {
      return role.equals("assistant");
    }

    boolean isTool() {
      return role.equals("tool");
    }

    /// What Pi says in place of a result when a person stopped the run, or when Pi was killed during it.
    private boolean isStopped() {
      return isTool() && (text.contains("aborted") || text.contains("No result provided"));
    }
  }

  static Conversation of(JsonArray messages) {
    return new Conversation(objects(messages).map(Conversation::message).toList());
  }

  /// The messages since the last answer: a prompt, the tools it led to, and what was said meanwhile to steer.
  Conversation run() {
    var begin = 0;
    for (var i = 0; i < messages.size() - 1; i++) {
      if (endsRun(messages.get(i), messages.get(i + 1))) {
        begin = i + 1;
      }
    }
    return new Conversation(messages.subList(begin, messages.size()));
  }

  List<String> userTexts() {
    return messages.stream().filter(Message::isUser).map(Message::text).toList();
  }

  List<String> results() {
    return messages.stream().filter(Message::isTool).map(Message::text).toList();
  }

  String lastUserText() {
    var texts = userTexts();
    return texts.isEmpty() ? "" : texts.getLast();
  }

  String lastResult() {
    var results = results();
    return results.isEmpty() ? "" : results.getLast();
  }

  /// The ids of calls nobody has answered; a provider refuses such a request.
  List<String> unanswered() {
    var open = messages.stream().flatMap(message -> message.calls().stream());
    var answered = messages.stream().map(Message::answers).collect(Collectors.toSet());
    return open.filter(id -> !answered.contains(id)).toList();
  }

  int chars() {
    return messages.stream().mapToInt(message -> message.text().length()).sum();
  }

  // A prompt that another one follows at once never got an answer: steering comes after a tool.
  private static boolean endsRun(Message message, Message next) {
    var answers = message.isAssistant() && message.calls().isEmpty();
    var isLeft = message.isUser() || message.isStopped();
    return answers || (next.isUser() && isLeft);
  }

  private static Message message(JsonObject json) {
    return new Message(
        json.getString("role", ""),
        text(json.getValue("content", "")),
        objects(json.getJsonArray("tool_calls", new JsonArray()))
            .map(call -> call.getString("id", ""))
            .toList(),
        json.getString("tool_call_id", ""));
  }

  private static String text(Object content) {
    return switch (content) {
      case null -> "";
      case JsonArray parts ->
          objects(parts).map(part -> part.getString("text", "")).collect(Collectors.joining("\n"));
      case Object text -> Objects.toString(text);
    };
  }

  private static Stream<JsonObject> objects(JsonArray array) {
    var objects = new ArrayList<JsonObject>();
    for (var i = 0; i < array.size(); i++) {
      objects.add(array.getJsonObject(i));
    }
    return objects.stream();
  }
}
