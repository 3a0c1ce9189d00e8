package dev.gorkie.inbox;

import java.time.Duration;
import java.time.Instant;

/// Until when a lease is believed in, by two clocks: the one of the day goes on while a function is frozen and may be set back; the other
/// one is never set and may stand still meanwhile. The one that is ahead counts.
record Term(Instant until, long untilNanos) {

  /// From now on, which must be before the database is asked: then it is never believed in for longer than the database does.
  static Term of(Duration lasts) {
    return from(Instant.now(), System.nanoTime(), lasts);
  }

  static Term from(Instant now, long nanos, Duration lasts) {
    return new Term(now.plus(lasts), nanos + lasts.toNanos());
  }

  boolean lasts(Duration atLeast) {
    return lasts(atLeast, Instant.now(), System.nanoTime());
  }

  boolean lasts(Duration atLeast, Instant now, long nanos) {
    return now.plus(atLeast).isBefore(until) && nanos + atLeast.toNanos() - untilNanos < 0;
  }
}
