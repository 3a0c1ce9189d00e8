package dev.gorkie.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/// What happens, one after the other, on a clock that goes on from each to the next.
final class Course {

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));
  private final Instant begun = Instant.parse("2026-01-05T09:00:00Z");
  private Instant now = begun;
  private long number;

  private record Event(Instant at, long number, Runnable what) {}

  Instant now() {
    return now;
  }

  Instant begun() {
    return begun;
  }

  void in(Duration pause, Runnable what) {
    events.add(new Event(now.plus(pause), number++, what));
  }

  /// Until nothing more is to happen.
  void run() {
    for (var next = events.poll(); next != null; next = events.poll()) {
      now = next.at();
      next.what().run();
    }
  }
}
