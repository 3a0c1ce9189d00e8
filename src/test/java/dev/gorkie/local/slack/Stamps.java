package dev.gorkie.local.slack;

import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// Gives out `ts`: seconds and microseconds, each later than the one before.
final class Stamps {
  private final Clock clock;
  private final AtomicLong lastMicros = new AtomicLong();
  private final AtomicReference<String> planned = new AtomicReference<>("");

  Stamps(Clock clock) {
    this.clock = clock;
  }

  /// The next message's is this.
  void plan(String ts) {
    planned.set(ts);
  }

  String ofMessage() {
    var given = planned.getAndSet("");
    return given.isEmpty() ? next() : given;
  }

  String next() {
    var now = clock.instant();
    var nowMicros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    var micros = lastMicros.updateAndGet(last -> Math.max(last + 1, nowMicros));
    return String.format(Locale.ROOT, "%d.%06d", micros / 1_000_000, micros % 1_000_000);
  }

  Instant now() {
    return clock.instant();
  }

  static Instant instant(String ts) {
    var point = ts.indexOf('.');
    return Instant.ofEpochSecond(
        Long.parseLong(ts.substring(0, point)), Long.parseLong(ts.substring(point + 1)) * 1_000);
  }

  /// Whether this could be one: ten digits, a point, six digits.
  static boolean isOne(String text) {
    return text.matches("\\d{10}\\.\\d{6}");
  }
}
