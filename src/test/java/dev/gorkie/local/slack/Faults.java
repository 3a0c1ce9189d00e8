package dev.gorkie.local.slack;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What is to go wrong, method by method: so many faults for the next calls, or one for all, and rate limits where they were
/// switched on.
final class Faults {
  private final Clock clock;
  private final Map<String, Deque<Fault>> next = new HashMap<>();
  private final Map<String, Fault> always = new HashMap<>();
  private final Map<String, Limit> limits = new HashMap<>();
  private final Map<String, Deque<Instant>> calls = new HashMap<>();
  private Optional<Instant> busyUntil = Optional.empty();

  private record Limit(int calls, Duration per) {}

  Faults(Clock clock) {
    this.clock = clock;
  }

  synchronized void next(String method, int times, Fault fault) {
    for (var i = 0; i < times; i++) {
      next.computeIfAbsent(method, _ -> new ArrayDeque<>()).add(fault);
    }
  }

  synchronized void always(String method, Fault fault) {
    always.put(method, fault);
  }

  synchronized void limit(String method, int calls, Duration per) {
    limits.put(method, new Limit(calls, per));
  }

  /// From now on for so long every call is one too many.
  synchronized void busy(Duration time) {
    busyUntil = Optional.of(clock.instant().plus(time));
  }

  synchronized Optional<Instant> busyUntil() {
    busyUntil = busyUntil.filter(clock.instant()::isBefore);
    return busyUntil;
  }

  synchronized void clear() {
    busyUntil = Optional.empty();
    next.clear();
    always.clear();
    limits.clear();
    calls.clear();
  }

  /// What goes wrong with this call.
  ///
  /// @param channel the call's channel: posts are counted for each on its own
  synchronized Optional<Fault> take(String method, String channel) {
    var busy = busyUntil();
    if (busy.isPresent()) {
      return Optional.of(new Fault.RateLimited(Duration.between(clock.instant(), busy.get())));
    }
    var planned = next.getOrDefault(method, new ArrayDeque<>());
    if (!planned.isEmpty()) {
      return Optional.of(planned.remove());
    }
    if (always.containsKey(method)) {
      return Optional.of(always.get(method));
    }
    return Optional.ofNullable(limits.get(method)).flatMap(limit -> beyond(limit, method, channel));
  }

  private Optional<Fault> beyond(Limit limit, String method, String channel) {
    var counted = method.equals("chat.postMessage") ? method + " " + channel : method;
    var made = calls.computeIfAbsent(counted, _ -> new ArrayDeque<>());
    var now = clock.instant();
    while (!made.isEmpty() && !made.getFirst().plus(limit.per()).isAfter(now)) {
      made.removeFirst();
    }
    if (made.size() < limit.calls()) {
      made.addLast(now);
      return Optional.empty();
    }
    return Optional.of(
        new Fault.RateLimited(Duration.between(now, made.getFirst().plus(limit.per()))));
  }
}
