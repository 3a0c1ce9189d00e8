package dev.gorkie.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// A program that uses the API as its documentation says: what takes longer it asks for again.
record Program(URI api, String token) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /// What came of a request.
  record Answer(int status, HttpResponse<String> response, Optional<JsonNode> instead) {

    Answer(int status, HttpResponse<String> response) {
      this(status, response, Optional.empty());
    }

    /// What it would have been, had there been time.
    Answer as(JsonNode result, String operation) {
      return new Answer(
          200, response, Optional.of(((ObjectNode) result).put("operation", operation)));
    }

    JsonNode json() {
      return instead.orElseGet(() -> read(response.body()));
    }

    String code() {
      return json().path("code").asText();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError("No JSON: " + json, e);
    }
  }

  Answer post(String path, String body) throws IOException, InterruptedException {
    return post(path, body, Map.of());
  }

  Answer post(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    return send("POST", path, body, headers);
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", Map.of());
  }

  Answer send(String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(api.resolve("/v1/sandbox/" + path))
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.ofString(body));
    headers.forEach(request::setHeader);
    var response = HTTP.send(request.build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response);
  }

  /// The answer with a status of its own, however long it takes: the same key is the same request.
  Answer soon(String path, String body) throws IOException, InterruptedException {
    return soon(path, body, Map.of("Idempotency-Key", UUID.randomUUID().toString()));
  }

  Answer soon(String path, String body, Map<String, String> key)
      throws IOException, InterruptedException {
    var answer = post(path, body, key);
    while (answer.status() == 202) {
      answer = post(path, body, key);
    }
    return answer;
  }

  /// The result, however long it takes.
  JsonNode done(String path, String body) throws IOException, InterruptedException {
    return done(path, body, Map.of());
  }

  JsonNode done(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    var answer = post(path, body, headers);
    while (answer.status() == 202) {
      answer = get("operations/" + answer.json().path("operation").asText() + "?wait=2");
      var now = answer.json();
      if (now.path("state").asText().equals("done")) {
        return now.has("result") ? now.path("result") : now.path("problem");
      }
      answer = new Answer(202, answer.response());
    }
    return answer.json();
  }

  /// The fields of a body, with single quotes for double ones.
  static String body(String fields) {
    return "{" + fields.replace('\'', '"') + "}";
  }
}
