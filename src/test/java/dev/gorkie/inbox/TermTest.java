package dev.gorkie.inbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TermTest {

  private static final Instant TEN = Instant.parse("2026-11-20T10:00:00Z");
  private static final long NANOS = Long.MAX_VALUE - 5;
  private static final Duration LASTS = Duration.ofSeconds(30);
  private static final Duration ONE = Duration.ofNanos(1);

  private final Term term = Term.from(TEN, NANOS, LASTS);

  @Test
  void it_lasts_as_long_as_was_said_and_no_longer() {
    var last = LASTS.minus(ONE);

    assertTrue(term.lasts(Duration.ZERO, TEN.plus(last), NANOS + last.toNanos()));
    assertFalse(term.lasts(ONE, TEN.plus(last), NANOS + last.toNanos()));
    assertFalse(term.lasts(Duration.ZERO, TEN.plus(LASTS), NANOS + LASTS.toNanos()));
  }

  @Test
  void a_clock_that_is_set_back_does_not_prolong_it() {
    assertFalse(term.lasts(Duration.ZERO, TEN.minusSeconds(600), NANOS + LASTS.toNanos()));
  }

  @Test
  void nor_does_one_that_stood_still_while_the_function_was_frozen() {
    assertFalse(term.lasts(Duration.ZERO, TEN.plusSeconds(600), NANOS + 1));
  }
}
