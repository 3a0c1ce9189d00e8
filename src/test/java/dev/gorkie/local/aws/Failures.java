package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Recording;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/// Where asynchronous invocations end that were given up: records as Lambda writes them for an `OnFailure` destination.
public final class Failures {

  private final List<JsonObject> waiting = new ArrayList<>();
  // What a consumer has received and not yet deleted.
  private final Map<String, Received> received = new LinkedHashMap<>();
  private final Recording<JsonObject> ever = new Recording<>();
  private final Consumer<String> invoke;

  Failures(Consumer<String> invoke) {
    this.invoke = invoke;
  }

  public synchronized List<JsonObject> waiting() {
    return List.copyOf(waiting);
  }

  /// The first record ever of that condition: `RetriesExhausted` or `EventAgeExceeded`.
  public JsonObject await(String condition, Duration most) throws InterruptedException {
    return ever.await(
        failure -> failure.getJsonObject("requestContext").getString("condition").equals(condition),
        most);
  }

  /// The first record of a request in which these words stand.
  public JsonObject awaitAbout(String words, Duration most) throws InterruptedException {
    return ever.await(
        failure ->
            failure.getValue("requestPayload") instanceof JsonObject event
                && Gateway.body(event).contains(words),
        most);
  }

  /// Invokes the function again with everything that waits here; says how many that were.
  public int redrive() {
    var failures = takeAll();
    failures.forEach(failure -> invoke.accept(payload(failure)));
    return failures.size();
  }

  /// Takes everything out, as a consumer of the queue would.
  public synchronized List<JsonObject> takeAll() {
    var all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  private record Received(JsonObject failure, Instant hiddenUntil) {}

  /// Some of what waits, each under a handle; it comes again when it was not deleted by then.
  synchronized Map<String, JsonObject> receive(int most, Duration hidden) {
    var now = Instant.now();
    var late =
        received.entrySet().stream()
            .filter(one -> one.getValue().hiddenUntil().isBefore(now))
            .toList();
    for (var one : late) {
      waiting.add(one.getValue().failure());
      received.remove(one.getKey());
    }
    var given = new LinkedHashMap<String, JsonObject>();
    while (given.size() < most && !waiting.isEmpty()) {
      var failure = waiting.removeFirst();
      var handle = UUID.randomUUID().toString();
      received.put(handle, new Received(failure, now.plus(hidden)));
      given.put(handle, failure);
    }
    return given;
  }

  synchronized void delete(String handle) {
    received.remove(handle);
  }

  void add(JsonObject failure) {
    synchronized (this) {
      waiting.add(failure);
    }
    ever.add(failure);
  }

  private static String payload(JsonObject failure) {
    return Json.encode(failure.getValue("requestPayload"));
  }
}
