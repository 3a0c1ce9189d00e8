package dev.gorkie.local.slack;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Server-sent events to one page, for as long as it listens.
final class EventStream {

  // Whoever is gone is noticed at the next word, and a proxy closes nothing that speaks this often.
  private static final Duration SILENT_MOST = Duration.ofSeconds(15);
  // A page that takes nothing for so long has been put to sleep; it connects again when it wakes.
  private static final Duration WRITE_MOST = Duration.ofSeconds(30);
  private static final String COME_BACK = "retry: 1000\n\n";

  private final HttpServerRequest request;
  private final Context context;

  EventStream(HttpServerRequest request, Context context) {
    this.request = request;
    this.context = context;
  }

  /// Where the events come from.
  interface Source {
    /// What is new; empty when nothing was for so long.
    Optional<JsonObject> next(Duration atMost) throws Exception;
  }

  /// On a thread of its own.
  void run(Source source) throws Exception {
    var response = request.response();
    try {
      await(
          () ->
              response
                  .setChunked(true)
                  .putHeader("content-type", "text/event-stream")
                  .putHeader("cache-control", "no-store")
                  .write(COME_BACK));
      while (!response.closed()) {
        var event =
            source.next(SILENT_MOST).map(json -> "data: " + json.encode() + "\n\n").orElse(":\n\n");
        await(() -> response.write(event));
      }
    } catch (ExecutionException | TimeoutException _) {
      request.connection().close(); // nobody listens any more
    }
  }

  private void await(Supplier<Future<Void>> writing)
      throws InterruptedException, ExecutionException, TimeoutException {
    var written = Promise.<Void>promise();
    context.runOnContext(_ -> writing.get().onComplete(written));
    written
        .future()
        .toCompletionStage()
        .toCompletableFuture()
        .get(WRITE_MOST.toSeconds(), TimeUnit.SECONDS);
  }
}
