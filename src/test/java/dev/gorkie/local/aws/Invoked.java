package dev.gorkie.local.aws;

import io.vertx.core.json.JsonObject;

/// A call of Invoke that was properly signed, whatever came of it.
public record Invoked(String function, boolean asynchronous, String payload) {

  public JsonObject json() {
    return new JsonObject(payload);
  }
}
