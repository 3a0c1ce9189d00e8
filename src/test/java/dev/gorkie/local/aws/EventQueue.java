package dev.gorkie.local.aws;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Asynchronous invocations of one function: at least once, in no order, retried after errors, given up when too old.
final class EventQueue implements AutoCloseable {

  private static final Duration RETRY_STEP = Duration.ofMinutes(1);

  private final LambdaFunction function;
  private final double hurry;
  private final Failures failures;
  private final ExecutorService deliveries = Executors.newVirtualThreadPerTaskExecutor();

  EventQueue(LambdaFunction function, double hurry, Failures failures) {
    this.function = function;
    this.hurry = hurry;
    this.failures = failures;
  }

  void put(Event event) {
    deliveries.execute(
        () -> {
          try {
            deliver(event);
          } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Override
  public void close() {
    deliveries.shutdownNow();
  }

  private void deliver(Event event) throws InterruptedException {
    Optional<Outcome> last = Optional.empty();
    var tries = 1 + function.settings().retries();
    for (var number = 1; number <= tries; number++) {
      // After one minute, and after two more.
      Thread.sleep(hurried(RETRY_STEP.multipliedBy(number - 1)));
      var outcome = attempt(event, number);
      if (outcome.isEmpty()) {
        failures.add(failure(event, "EventAgeExceeded", number - 1, last));
        return;
      }
      if (outcome.get().isSuccess()) {
        return;
      }
      last = outcome;
    }
    failures.add(failure(event, "RetriesExhausted", tries, last));
  }

  /// Empty when the event became too old before an instance was free.
  private Optional<Outcome> attempt(Event event, int number) throws InterruptedException {
    var left = left(event);
    return left.isPositive() ? function.attempt(event, number, left) : Optional.empty();
  }

  private Duration left(Event event) {
    return hurried(function.settings().age()).minus(event.age());
  }

  private Duration hurried(Duration duration) {
    return Duration.ofNanos((long) (duration.toNanos() / hurry));
  }

  private JsonObject failure(Event event, String condition, int tries, Optional<Outcome> last) {
    var failure =
        new JsonObject()
            .put("version", "1.0")
            .put("timestamp", Instant.now().toString())
            .put(
                "requestContext",
                new JsonObject()
                    .put("requestId", event.requestId())
                    .put("functionArn", function.arn() + ":$LATEST")
                    .put("condition", condition)
                    .put("approximateInvokeCount", tries))
            .put("requestPayload", Json.decodeValue(event.payload()));
    last.ifPresent(
        outcome ->
            failure
                .put(
                    "responseContext",
                    new JsonObject()
                        .put("statusCode", 200)
                        .put("executedVersion", "$LATEST")
                        .put("functionError", "Unhandled"))
                .put("responsePayload", outcome.payload()));
    return failure;
  }
}
