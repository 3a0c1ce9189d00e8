package dev.gorkie.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;

/// Why there is no other answer, as RFC 9457 has it.
///
/// @param code for programs
/// @param detail for whoever writes them: what is wrong and what is expected, or what to do
record Problem(int status, String code, String title, String detail, Optional<Duration> retry) {

  static final String TYPE = "application/problem+json";

  private static final ObjectMapper JSON = new ObjectMapper();

  Problem(int status, String code, String title, String detail) {
    this(status, code, title, detail, Optional.empty());
  }

  static Problem wrong(String code, String detail) {
    return new Problem(422, code, "The request can't be carried out as it is", detail);
  }

  static Problem malformed(String detail) {
    return new Problem(400, "malformed", "The request can't be read", detail);
  }

  static Problem unknown(String detail) {
    return new Problem(404, "unknown", "There is no such thing", detail);
  }

  ObjectNode json() {
    return JSON.createObjectNode()
        .put("type", "about:blank")
        .put("status", status)
        .put("code", code)
        .put("title", title)
        .put("detail", detail);
  }

  Response response() {
    var response = Response.status(status).type(TYPE).entity(json().toString());
    if (status == 401) {
      response.header("WWW-Authenticate", "Bearer");
    }
    retry.ifPresent(
        pause -> response.header("Retry-After", Math.max(1, pause.plusMillis(999).toSeconds())));
    return response.header("Cache-Control", "no-store").build();
  }
}
