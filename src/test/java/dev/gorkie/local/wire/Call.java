package dev.gorkie.local.wire;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// One request and the way to answer it: at once, or piece by piece.
public final class Call {

  private static final String JSON = "application/json";

  private final HttpServerRequest request;
  private final byte[] body;
  private final CompletableFuture<Void> gone;

  Call(HttpServerRequest request, byte[] body, CompletableFuture<Void> gone) {
    this.request = request;
    this.body = body;
    this.gone = gone;
  }

  static CompletableFuture<Void> whenGone(HttpServerRequest request) {
    var gone = new CompletableFuture<Void>();
    request.connection().closeHandler(_ -> gone.complete(null));
    return gone;
  }

  public String method() {
    return request.method().name();
  }

  /// As it was sent: nothing decoded, no query.
  public String rawPath() {
    return Optional.ofNullable(request.path()).orElse("");
  }

  public String path() {
    return URLDecoder.decode(rawPath().replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  public String rawQuery() {
    return Optional.ofNullable(request.query()).orElse("");
  }

  public String remoteAddress() {
    return request.remoteAddress().hostAddress();
  }

  /// Several of the same name are joined by commas.
  public Optional<String> header(String name) {
    var values = request.headers().getAll(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(String.join(",", values));
  }

  public List<Map.Entry<String, String>> headers() {
    return List.copyOf(request.headers().entries());
  }

  public byte[] body() {
    return body.clone();
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  public JsonObject json() {
    return new JsonObject(Buffer.buffer(body));
  }

  /// Completes when the other side has closed the connection.
  public CompletableFuture<Void> gone() {
    return gone;
  }

  /// For the answer that follows.
  public Call with(String header, String value) {
    request.response().putHeader(header, value);
    return this;
  }

  public void answer(int status, String contentType, byte[] content) {
    request.response().setStatusCode(status).putHeader("content-type", contentType);
    // One that has left does not mind that its answer is lost.
    send(() -> Door.await(request.response().end(Buffer.buffer(content))));
  }

  public void answer(int status, JsonObject content) {
    answer(status, JSON, content.encode().getBytes(StandardCharsets.UTF_8));
  }

  public void answer(int status) {
    request.response().setStatusCode(status);
    send(() -> Door.await(request.response().end()));
  }

  /// Sends a piece of a longer answer; false when nobody is there any more.
  public boolean send(String contentType, String piece) {
    var response = request.response();
    if (!response.headWritten()) {
      response.setChunked(true).putHeader("content-type", contentType);
    }
    return send(() -> Door.await(response.write(piece)));
  }

  /// Ends a longer answer properly.
  public void end() {
    send(() -> Door.await(request.response().end()));
  }

  /// Closes the connection in the middle of whatever was being said.
  public void hangUp() {
    Door.await(request.connection().close());
  }

  void finish() {
    if (!request.response().ended() && !gone.isDone()) {
      end();
    }
  }

  void breakOff(Throwable why) {
    if (request.response().headWritten()) {
      hangUp();
      return;
    }
    answer(500, new JsonObject().put("error", why.toString()));
  }

  private boolean send(Runnable sending) {
    if (gone.isDone()) {
      return false;
    }
    try {
      sending.run();
      return true;
    } catch (CompletionException | IllegalStateException left) {
      return false;
    }
  }
}
