package dev.gorkie.local.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/// What a client gets.
public sealed interface Answer {

  record Whole(int status, Map<String, String> headers, byte[] content) implements Answer {}

  /// A file as it is on disk, however large.
  record Streamed(int status, String contentType, Path file) implements Answer {}

  /// The call becomes a WebSocket, handed over once it is open.
  record Upgraded(Consumer<LiveSocket> use) implements Answer {}

  /// No answer: the connection ends.
  record Dropped() implements Answer {}

  static Answer empty(int status) {
    return new Whole(status, Map.of(), new byte[0]);
  }

  static Answer json(int status, JsonNode content) {
    return new Whole(status, Map.of("Content-Type", "application/json"), Json.write(content));
  }
}
