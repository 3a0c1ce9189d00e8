package dev.gorkie.simulation;

import java.time.Duration;
import java.time.Instant;

/// The database as far as it can be late: so many transactions a second, and what comes beyond that waits.
final class Tables {

  // As the database's own log counts them, without the question that goes before each call of
  // Slack.
  static final int OF_A_TURN = 30;
  // A function looks twice in a second for what came in, and renews its lease every ten.
  static final double OF_A_SECOND = 2.1;

  private final Course course;
  private final double perSecond;
  private double backlog;
  private double busy;
  private Instant counted;
  private int atWork;

  Tables(Course course, double perSecond) {
    this.course = course;
    this.perSecond = perSecond;
    this.counted = course.now();
  }

  void begin() {
    count();
    atWork++;
  }

  void end() {
    count();
    atWork--;
  }

  /// One more, for which nobody here waits.
  void asks() {
    count();
    backlog++;
  }

  /// How long these take, with what is before them.
  Duration does(int transactions) {
    count();
    backlog += transactions;
    return Duration.ofNanos(Math.round(backlog / perSecond * 1e9));
  }

  /// The share of the time since the beginning in which it had something to do.
  double used() {
    count();
    return busy / Math.max(1, Duration.between(course.begun(), course.now()).toMillis() / 1e3);
  }

  private void count() {
    var passed = Duration.between(counted, course.now()).toNanos() / 1e9;
    counted = course.now();
    var asked = backlog + atWork * OF_A_SECOND * passed;
    var done = Math.min(asked, perSecond * passed);
    busy += done / perSecond;
    backlog = asked - done;
  }
}
