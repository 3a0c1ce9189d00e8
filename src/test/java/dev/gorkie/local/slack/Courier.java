package dev.gorkie.local.slack;

import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Brings one signed request to the app and says what came back within the time granted.
final class Courier {
  private final Vertx vertx;
  private final HttpClient http;
  private final Signature signature;
  private final Duration cutOff;

  /// @param http one that keeps no connection: a delivery must not fail because the app closed an old one
  Courier(Vertx vertx, HttpClient http, Signature signature, Duration cutOff) {
    this.vertx = vertx;
    this.http = http;
    this.signature = signature;
    this.cutOff = cutOff;
  }

  /// @param failure Slack's word for what went wrong
  record Outcome(Optional<Integer> status, String body, boolean noRetry, Optional<String> failure) {
    static Outcome failed(String reason) {
      return new Outcome(Optional.empty(), "", false, Optional.of(reason));
    }
  }

  Outcome post(URI to, String contentType, byte[] body, Map<String, String> headers)
      throws InterruptedException {
    var timestamp = Long.toString(Instant.now().getEpochSecond());
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(to.toString())
            .setTimeout(cutOff.toMillis())
            .putHeader("content-type", contentType)
            .putHeader("user-agent", "Slackbot 1.0 (+https://api.slack.com/robots)")
            .putHeader("x-slack-request-timestamp", timestamp)
            .putHeader("x-slack-signature", signature.of(timestamp, body));
    headers.forEach(options::putHeader);
    var answer = Promise.<Outcome>promise();
    // On an event loop, where an answer that comes at once finds somebody who reads it.
    vertx.runOnContext(
        _ ->
            http.request(options)
                .compose(request -> request.send(Buffer.buffer(body)))
                .compose(
                    response ->
                        response
                            .body()
                            .map(text -> outcome(response.statusCode(), response.headers(), text)))
                .onComplete(answer));
    try {
      return answer
          .future()
          .toCompletionStage()
          .toCompletableFuture()
          .get(cutOff.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return Outcome.failed("http_timeout");
    } catch (ExecutionException e) {
      return Outcome.failed(reason(e.getCause()));
    }
  }

  private static Outcome outcome(int status, MultiMap headers, Buffer body) {
    var failure = status / 100 == 2 ? Optional.<String>empty() : Optional.of("http_error");
    var noRetry = failure.isPresent() && "1".equals(headers.get("x-slack-no-retry"));
    return new Outcome(Optional.of(status), body.toString(), noRetry, failure);
  }

  private static String reason(@Nullable Throwable cause) {
    return switch (cause) {
      case TimeoutException _ -> "http_timeout";
      case ConnectException _ -> "connection_failed";
      case SSLException _ -> "ssl_error";
      case null, default -> "unknown_error";
    };
  }
}
