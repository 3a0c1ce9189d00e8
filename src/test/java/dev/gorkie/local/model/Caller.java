package dev.gorkie.local.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/// An agent's side of the OpenAI wire: one conversation, asked over HTTP and put together from the stream.
final class Caller implements AutoCloseable {

  /// An answer as it was put together; `finish` is empty when the stream never said it.
  record Answer(String text, List<ToolCall> calls, String finish, JsonObject usage, int pieces) {}

  private final LocalModel model;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final JsonArray messages = new JsonArray();
  private JsonArray tools = tools("bash", "write", "showFile");
  private String key;

  Caller(LocalModel model) {
    this.model = model;
    this.key = model.key();
  }

  Caller withKey(String other) {
    key = other;
    return this;
  }

  Caller withoutTools() {
    tools = new JsonArray();
    return this;
  }

  Caller says(String text) {
    messages.add(JsonObject.of("role", "user", "content", text));
    return this;
  }

  Caller result(String callId, String text) {
    messages.add(JsonObject.of("role", "tool", "tool_call_id", callId, "content", text));
    return this;
  }

  /// The answer, which also becomes part of the conversation.
  Answer answer() {
    var response = ask();
    if (response.statusCode() != 200) {
      throw new IllegalStateException(
          response.statusCode() + " " + String.join("\n", response.body().toList()));
    }
    return assemble(response.body());
  }

  String lastCallId() {
    var calls = messages.getJsonObject(messages.size() - 1).getJsonArray("tool_calls");
    return calls.getJsonObject(calls.size() - 1).getString("id");
  }

  HttpResponse<Stream<String>> ask() {
    return send("POST", "chat/completions", body(true).encode(), BodyHandlers.ofLines());
  }

  JsonObject askWhole() {
    var response = send("POST", "chat/completions", body(false).encode(), BodyHandlers.ofString());
    return new JsonObject(response.body());
  }

  <T> HttpResponse<T> send(
      String method, String path, String body, HttpResponse.BodyHandler<T> handler) {
    var request =
        HttpRequest.newBuilder(URI.create(model.url() + "/").resolve(path))
            .method(method, BodyPublishers.ofString(body))
            .header("authorization", "Bearer " + key)
            .build();
    try {
      return http.send(request, handler);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private JsonObject body(boolean streamed) {
    return JsonObject.of(
        "model",
        model.id(),
        "messages",
        messages,
        "tools",
        tools,
        "stream",
        streamed,
        "stream_options",
        JsonObject.of("include_usage", true));
  }

  private Answer assemble(Stream<String> lines) {
    var text = new StringBuilder();
    var finish = new StringBuilder();
    var usage = new JsonObject();
    var calls = new TreeMap<Integer, JsonObject>();
    var pieces = 0;
    for (var line : lines.filter(line -> line.startsWith("data: {")).toList()) {
      var chunk = new JsonObject(line.substring("data: ".length()));
      usage.mergeIn(chunk.getJsonObject("usage", new JsonObject()));
      for (var i = 0; i < chunk.getJsonArray("choices").size(); i++) {
        var choice = chunk.getJsonArray("choices").getJsonObject(i);
        var delta = choice.getJsonObject("delta");
        pieces += delta.isEmpty() ? 0 : 1;
        text.append(delta.getString("content", ""));
        finish.append(
            choice.getString("finish_reason", "") == null
                ? ""
                : choice.getString("finish_reason", ""));
        join(delta.getJsonArray("tool_calls", new JsonArray()), calls);
      }
    }
    var message = JsonObject.of("role", "assistant", "content", text.toString());
    if (!calls.isEmpty()) {
      message.put("tool_calls", new JsonArray(new ArrayList<>(calls.values())));
    }
    messages.add(message);
    var made =
        calls.values().stream()
            .map(call -> call.getJsonObject("function"))
            .map(f -> new ToolCall(f.getString("name"), new JsonObject(f.getString("arguments"))))
            .toList();
    return new Answer(text.toString(), made, finish.toString(), usage, pieces);
  }

  private static void join(JsonArray deltas, TreeMap<Integer, JsonObject> calls) {
    for (var i = 0; i < deltas.size(); i++) {
      var delta = deltas.getJsonObject(i);
      var begun = calls.putIfAbsent(delta.getInteger("index"), delta);
      if (begun != null) {
        var function = begun.getJsonObject("function");
        function.put(
            "arguments",
            function.getString("arguments")
                + delta.getJsonObject("function").getString("arguments"));
      }
    }
  }

  private static JsonArray tools(String... names) {
    var tools = new JsonArray();
    for (var name : names) {
      var properties = JsonObject.of("status", JsonObject.of("type", "string"));
      var parameters = JsonObject.of("type", "object", "properties", properties);
      var function = JsonObject.of("name", name, "parameters", parameters);
      tools.add(JsonObject.of("type", "function", "function", function));
    }
    return tools;
  }
}
