package dev.gorkie.local.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// What a client asks.
public final class Call {

  private static final int JSON_BYTES_MAX = 16 * 1024 * 1024;

  private final HttpServerRequest request;
  private final InputStream body;

  Call(HttpServerRequest request, InputStream body) {
    this.request = request;
    this.body = body;
  }

  /// The same call once more, whose body was read already.
  public Call withBody(byte[] content) {
    return new Call(request, new ByteArrayInputStream(content));
  }

  public String method() {
    return request.method().name();
  }

  /// As it was sent, without the query.
  public String path() {
    return Objects.requireNonNullElse(request.path(), "/");
  }

  /// As it was sent, with the query.
  public String target() {
    return request.uri();
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(request.params().get(name));
  }

  public Set<String> queryNames() {
    return request.params().names();
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeader(name));
  }

  public boolean wantsWebSocket() {
    return header("Upgrade").filter("websocket"::equalsIgnoreCase).isPresent();
  }

  /// To be read once, while the call is being answered.
  public InputStream body() {
    return body;
  }

  /// The body as JSON; an empty object when there is none.
  ///
  /// @throws JsonProcessingException when it is something else
  public JsonNode json() throws IOException {
    var bytes = body.readNBytes(JSON_BYTES_MAX);
    return bytes.length == 0 ? JsonNodeFactory.instance.objectNode() : Json.read(bytes);
  }
}
