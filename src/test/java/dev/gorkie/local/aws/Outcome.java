package dev.gorkie.local.aws;

import io.vertx.core.json.JsonObject;

/// How an invocation ended. Payloads are JSON, whole.
public sealed interface Outcome {

  String payload();

  default boolean isSuccess() {
    return this instanceof Succeeded;
  }

  /// The function answered.
  record Succeeded(String payload) implements Outcome {}

  /// The function threw, did not answer in time, or its process ended.
  record Failed(String type, String payload) implements Outcome {

    static Failed of(String type, String message) {
      return new Failed(type, JsonObject.of("errorType", type, "errorMessage", message).encode());
    }
  }
}
