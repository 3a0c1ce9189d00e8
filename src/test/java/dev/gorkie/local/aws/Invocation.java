package dev.gorkie.local.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One try at having a function handle a payload. Its time begins when the function takes it up.
final class Invocation {

  // A cold function is given more than its time-out to start, as on Lambda, where that time is not
  // its own.
  private static final Duration START_MAX = Duration.ofSeconds(60);

  private static final String TIMED_OUT = "Sandbox.Timedout";

  private final String requestId;
  private final String payload;
  private final Duration timeout;
  private final CompletableFuture<Instant> begun = new CompletableFuture<>();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  Invocation(String requestId, String payload, Duration timeout) {
    this.requestId = requestId;
    this.payload = payload;
    this.timeout = timeout;
  }

  String requestId() {
    return requestId;
  }

  String payload() {
    return payload;
  }

  /// The function has it from now on; gives when it must be done.
  Instant begin() {
    begun.complete(Instant.now());
    return begun.join().plus(timeout);
  }

  void end(Outcome how) {
    outcome.complete(how);
  }

  boolean isOver() {
    return outcome.isDone();
  }

  /// The outcome, which is a failure when there was none in time.
  Outcome await() throws InterruptedException {
    try {
      CompletableFuture.anyOf(begun, outcome).get(START_MAX.toMillis(), TimeUnit.MILLISECONDS);
      return outcome.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      var seconds = timeout.toMillis() / 1000.0;
      end(
          Outcome.Failed.of(
              TIMED_OUT,
              "RequestId: %s Error: Task timed out after %.2f seconds"
                  .formatted(requestId, seconds)));
      return outcome.join();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static boolean isTimeout(Outcome outcome) {
    return outcome instanceof Outcome.Failed(var type, _) && type.equals(TIMED_OUT);
  }
}
