package dev.gorkie.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;

/// Something of which there is so much at once, and of which more is had only so fast. Whoever comes first gets it first.
final class Places {

  private final Course course;
  private final int most;
  private final double morePerSecond;
  private final double moreAtOnce;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int taken;
  // Those that were had once are had again at once.
  private int made;
  private double more;
  private Instant counted;
  private boolean isLooking;
  private int mostTaken;

  /// @param moreAtOnce how many can be had at once beyond those that were had before
  Places(Course course, int most, double moreAtOnce, Duration per) {
    this.course = course;
    this.most = most;
    this.moreAtOnce = moreAtOnce;
    this.morePerSecond = moreAtOnce / per.toSeconds();
    this.more = moreAtOnce;
    this.counted = course.now();
  }

  /// Goes on with this when there is one.
  void take(Runnable then) {
    waiting.add(then);
    look();
  }

  void giveBack() {
    taken--;
    look();
  }

  int mostTaken() {
    return mostTaken;
  }

  private void look() {
    while (!waiting.isEmpty() && taken < most) {
      if (taken == made && !isOneMoreHad()) {
        lookAgain();
        return;
      }
      taken++;
      made = Math.max(made, taken);
      mostTaken = Math.max(mostTaken, taken);
      course.in(Duration.ZERO, waiting.remove());
    }
  }

  private boolean isOneMoreHad() {
    var passed = Duration.between(counted, course.now()).toMillis() / 1e3;
    more = Math.min(moreAtOnce, more + passed * morePerSecond);
    counted = course.now();
    if (more < 1) {
      return false;
    }
    more--;
    return true;
  }

  private void lookAgain() {
    if (!isLooking) {
      isLooking = true;
      course.in(
          Duration.ofMillis(1 + Math.round(1_000 / morePerSecond)),
          () -> {
            isLooking = false;
            look();
          });
    }
  }
}
