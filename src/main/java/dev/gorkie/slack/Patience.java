package dev.gorkie.slack;

import dev.gorkie.Deadline;
import java.time.Duration;

/// Waits for Slack as long as there is time and the thread is ours.
final class Patience {

  private static final Duration LOOK_UP_EVERY = Duration.ofSeconds(1);

  private final Deadline deadline;
  private final Runnable mustHold;

  Patience(Deadline deadline, Line line) {
    this(deadline, line::mustHold);
  }

  /// For who says nothing in a thread.
  Patience(Deadline deadline) {
    this(deadline, () -> {});
  }

  private Patience(Deadline deadline, Runnable mustHold) {
    this.deadline = deadline;
    this.mustHold = mustHold;
  }

  /// False when the deadline came first: it is waited for all the same, or whoever goes on would be here at once.
  boolean waits(Duration pause) throws InterruptedException {
    var end = deadline.clock().instant().plus(pause);
    while (true) {
      var left = Duration.between(deadline.clock().instant(), end);
      if (!left.isPositive()) {
        return true;
      }
      if (deadline.isOver()) {
        return false;
      }
      mustHold.run();
      Thread.sleep(shortest(left, deadline.left(), LOOK_UP_EVERY));
    }
  }

  private static Duration shortest(Duration one, Duration other, Duration third) {
    var shorter = one.compareTo(other) < 0 ? one : other;
    return shorter.compareTo(third) < 0 ? shorter : third;
  }
}
