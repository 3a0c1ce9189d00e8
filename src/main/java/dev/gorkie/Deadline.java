package dev.gorkie;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/// When the work in hand must be over. Every wait takes what is left of one and the same deadline.
public record Deadline(Instant at, InstantSource clock, BooleanSupplier calledOff) {

  public Deadline(Instant at, InstantSource clock) {
    this(at, clock, () -> false);
  }

  public static Deadline in(Duration duration) {
    var clock = InstantSource.system();
    return new Deadline(clock.instant().plus(duration), clock);
  }

  /// Never negative: a wait of nothing is a look.
  public Duration left() {
    var left = Duration.between(clock.instant(), at);
    return left.isNegative() || calledOff.getAsBoolean() ? Duration.ZERO : left;
  }

  public boolean isOver() {
    return left().isZero();
  }

  /// The earlier of this deadline and one that much from now.
  public Deadline within(Duration most) {
    var sooner = clock.instant().plus(most);
    return sooner.isBefore(at) ? new Deadline(sooner, clock, calledOff) : this;
  }

  /// The same, and over at once when the work is called off: whoever waits notices at his next look.
  public Deadline unless(BooleanSupplier isCalledOff) {
    return new Deadline(at, clock, () -> calledOff.getAsBoolean() || isCalledOff.getAsBoolean());
  }
}
