package dev.gorkie.local.model;

import io.vertx.core.json.JsonObject;

/// A tool the model wants run, with its arguments.
public record ToolCall(String name, JsonObject arguments) {

  public static ToolCall bash(String command) {
    return new ToolCall("bash", JsonObject.of("command", command));
  }

  public static ToolCall write(String path, String content) {
    return new ToolCall("write", JsonObject.of("path", path, "content", content));
  }

  public static ToolCall showFile(String path, String title) {
    return new ToolCall("showFile", JsonObject.of("path", path, "title", title));
  }
}
