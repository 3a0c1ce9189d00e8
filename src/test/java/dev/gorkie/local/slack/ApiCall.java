package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Map;

/// A call of the Web API and what it was answered.
///
/// @param form the fields, without the token
/// @param status the HTTP status
/// @param heard whether the answer reached the caller
public record ApiCall(
    Instant at,
    String method,
    Map<String, String> form,
    int status,
    JsonObject answer,
    boolean heard) {

  public ApiCall {
    form = Map.copyOf(form);
  }

  public boolean ok() {
    return status == 200 && answer.getBoolean("ok", false);
  }

  public String field(String name) {
    return form.getOrDefault(name, "");
  }
}
