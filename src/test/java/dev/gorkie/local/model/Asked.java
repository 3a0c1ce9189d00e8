package dev.gorkie.local.model;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One request the model was asked to answer, and what became of it.
public final class Asked {

  /// What became of a request.
  public enum End {
    /// It was answered to the end.
    ANSWERED,
    /// It was answered with an error.
    REFUSED,
    /// We ended the stream too early, as the script said.
    BROKEN_OFF,
    /// The other side closed the connection before the end.
    ABANDONED
  }

  private final JsonObject body;
  private final Optional<String> authorization;
  private final CompletableFuture<End> end = new CompletableFuture<>();

  Asked(JsonObject body, Optional<String> authorization) {
    this.body = body;
    this.authorization = authorization;
  }

  public JsonObject body() {
    return body.copy();
  }

  /// The header as it was sent.
  public Optional<String> authorization() {
    return authorization;
  }

  public String model() {
    return body.getString("model", "");
  }

  public String lastUserText() {
    return conversation().lastUserText();
  }

  public List<String> userTexts() {
    return conversation().userTexts();
  }

  /// What tools gave in the run that this request belongs to.
  public List<String> results() {
    return conversation().run().results();
  }

  public List<String> tools() {
    return functions().map(function -> function.getString("name", "")).toList();
  }

  public End awaitEnd(Duration most) throws InterruptedException {
    try {
      return end.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException open) {
      throw new AssertionError("Not ended within " + most + ": " + this, open);
    }
  }

  Conversation conversation() {
    return Conversation.of(body.getJsonArray("messages", new JsonArray()));
  }

  boolean offers(String tool) {
    return tools().contains(tool);
  }

  boolean offers(String tool, String argument) {
    return functions()
        .filter(function -> function.getString("name", "").equals(tool))
        .map(function -> function.getJsonObject("parameters", new JsonObject()))
        .anyMatch(
            parameters ->
                parameters.getJsonObject("properties", new JsonObject()).containsKey(argument));
  }

  boolean isStreamed() {
    return body.getBoolean("stream", false);
  }

  boolean wantsUsage() {
    return body.getJsonObject("stream_options", new JsonObject())
        .getBoolean("include_usage", false);
  }

  void ended(End how) {
    end.complete(how);
  }

  @Override
  public String toString() {
    return "Asked[" + lastUserText() + ", " + end.getNow(null) + "]";
  }

  private Stream<JsonObject> functions() {
    var tools = body.getJsonArray("tools", new JsonArray());
    return IntStream.range(0, tools.size())
        .mapToObj(tools::getJsonObject)
        .map(tool -> tool.getJsonObject("function", new JsonObject()));
  }
}
