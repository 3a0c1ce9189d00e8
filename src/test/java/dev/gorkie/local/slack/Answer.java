package dev.gorkie.local.slack;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// An HTTP answer.
///
/// @param file what is sent instead of the body
/// @param lost the caller never hears it: the connection is cut instead
record Answer(
    int status, Map<String, String> headers, Buffer body, Optional<Path> file, boolean lost) {

  static Answer json(int status, JsonObject body) {
    return of(status, "application/json; charset=utf-8", body.toBuffer());
  }

  static Answer text(int status, String body) {
    return of(status, "text/plain; charset=utf-8", Buffer.buffer(body));
  }

  static Answer bytes(String type, Buffer body) {
    return of(200, type, body);
  }

  static Answer html(int status, String body) {
    return of(status, "text/html; charset=utf-8", Buffer.buffer(body));
  }

  static Answer file(String type, Path file) {
    return new Answer(200, Map.of("content-type", type), Buffer.buffer(), Optional.of(file), false);
  }

  private static Answer of(int status, String type, Buffer body) {
    return new Answer(status, Map.of("content-type", type), body, Optional.empty(), false);
  }

  Answer with(String header, String value) {
    var all = new HashMap<>(headers);
    all.put(header, value);
    return new Answer(status, Map.copyOf(all), body, file, lost);
  }

  Answer lostOnTheWay() {
    return new Answer(status, headers, body, file, true);
  }

  /// The body, if it is JSON; otherwise an object that holds it.
  JsonObject asJson() {
    var json = headers.getOrDefault("content-type", "").startsWith("application/json");
    return json ? body.toJsonObject() : new JsonObject().put("body", body.toString());
  }
}
