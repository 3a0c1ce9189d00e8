package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;

/// What people see, and what was recorded, as JSON for another process.
final class ViewJson {
  private ViewJson() {}

  static JsonObject thread(ThreadView thread) {
    var json =
        new JsonObject()
            .put("channel", thread.channel())
            .put("ts", thread.rootTs())
            .put("messages", array(thread.messages().stream().map(ViewJson::message)))
            .put("statuses", array(thread.statuses().stream().map(ViewJson::status)));
    thread.status().ifPresent(it -> json.put("status", it));
    thread.session().ifPresent(it -> json.put("session", it));
    thread.title().ifPresent(it -> json.put("title", it));
    return json;
  }

  private static JsonObject message(MessageView message) {
    var reactions = new JsonObject();
    message.reactions().forEach((name, who) -> reactions.put(name, new JsonArray(who)));
    var json =
        new JsonObject()
            .put("ts", message.ts())
            .put("author", message.author())
            .put("by_app", message.byApp())
            .put("text", message.text())
            .put("tasks", array(message.tasks().stream().map(ViewJson::task)))
            .put("buttons", array(message.buttons().stream().map(ViewJson::button)))
            .put("files", array(message.files().stream().map(ViewJson::file)))
            .put("reactions", reactions)
            .put("streaming", message.streaming())
            .put("edited", message.edited())
            .put("edits", message.edits());
    message.onlyFor().ifPresent(name -> json.put("only_for", name));
    return json;
  }

  private static JsonObject task(MessageView.Task task) {
    return new JsonObject()
        .put("id", task.id())
        .put("title", task.title())
        .put("status", task.status())
        .put("details", task.details())
        .put("output", task.output());
  }

  private static JsonObject button(MessageView.Button button) {
    return new JsonObject()
        .put("action_id", button.actionId())
        .put("block_id", button.blockId())
        .put("text", button.text())
        .put("value", button.value())
        .put("url", button.url());
  }

  private static JsonObject file(FileView file) {
    return new JsonObject()
        .put("id", file.id())
        .put("name", file.name())
        .put("title", file.title())
        .put("mimetype", file.mimeType())
        .put("size", file.size());
  }

  private static JsonObject status(StatusChange change) {
    return new JsonObject()
        .put("at", change.at().toString())
        .put("kind", change.kind().name())
        .put("status", change.status())
        .put("loading_messages", new JsonArray(change.loadingMessages()));
  }

  static JsonObject delivery(Delivery delivery) {
    var json =
        new JsonObject()
            .put("type", delivery.type())
            .put("id", delivery.id())
            .put("attempt", delivery.attempt())
            .put("body", delivery.body())
            .put("answer", delivery.answer())
            .put("accepted", delivery.accepted())
            .put("at", delivery.at().toString())
            .put("took_ms", delivery.took().toMillis());
    delivery.status().ifPresent(it -> json.put("status", it));
    delivery.failure().ifPresent(it -> json.put("failure", it));
    delivery.retryReason().ifPresent(it -> json.put("retry_reason", it));
    return json;
  }

  static JsonObject call(ApiCall call) {
    var form = new JsonObject();
    call.form().forEach((name, value) -> form.put(name, value));
    return new JsonObject()
        .put("at", call.at().toString())
        .put("method", call.method())
        .put("form", form)
        .put("status", call.status())
        .put("answer", call.answer())
        .put("heard", call.heard());
  }

  static JsonObject violation(Violation violation) {
    return new JsonObject()
        .put("method", violation.method())
        .put("rule", violation.rule())
        .put("found", violation.found());
  }

  private static JsonArray array(Stream<JsonObject> items) {
    return new JsonArray(items.toList());
  }
}
