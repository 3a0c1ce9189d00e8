package dev.gorkie.local.slack;

import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Gives out ids in Slack's shape: a letter for the kind, then capitals and digits.
final class Ids {
  private static final int DIGITS = 36;

  private final AtomicLong given = new AtomicLong(0x5EED);
  private final AtomicLong fresh =
      new AtomicLong(TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));

  /// An id that begins with the kind's letters and the name, as far as it fits, so that a log can be read by people.
  String next(String kind, String name) {
    var readable = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "");
    var head = kind + "0" + readable.substring(0, Math.min(readable.length(), 5));
    return id(head, given.incrementAndGet());
  }

  /// An id that no workspace before this one gave out either: an app remembers by it what it has seen.
  String fresh(String kind) {
    return id(kind + "0", fresh.incrementAndGet());
  }

  private static String id(String head, long counted) {
    var number = Long.toString(counted, DIGITS).toUpperCase(Locale.ROOT);
    return head + "0".repeat(Math.max(0, 11 - head.length() - number.length())) + number;
  }

  /// A part of an address that nobody guesses by counting.
  String secret() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
