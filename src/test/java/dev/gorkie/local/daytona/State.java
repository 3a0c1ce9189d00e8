package dev.gorkie.local.daytona;

import java.util.Locale;

/// The states of a sandbox as the API names them.
public enum State {
  CREATING(15),
  RESTORING(30),
  DESTROYED,
  DESTROYING,
  STARTED,
  STOPPED,
  STARTING(5),
  STOPPING(5),
  ERROR,
  BUILD_FAILED,
  PENDING_BUILD(60),
  BUILDING_SNAPSHOT(60),
  UNKNOWN(15),
  PULLING_SNAPSHOT(30),
  ARCHIVED,
  ARCHIVING(30),
  RESIZING(15),
  SNAPSHOTTING(30),
  FORKING(30),
  PAUSING(5),
  PAUSED,
  RESUMING(5);

  private final int minutesMax;

  State() {
    this(0);
  }

  State(int minutesMax) {
    this.minutesMax = minutesMax;
  }

  static State of(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isFailed() {
    return this == ERROR || this == BUILD_FAILED;
  }

  boolean isGone() {
    return this == DESTROYING || this == DESTROYED;
  }

  /// On the way to another state.
  boolean isTransition() {
    return minutesMax > 0 || this == DESTROYING;
  }

  /// After so many minutes in a transition a watchdog gives it up; 0 for never.
  int minutesMax() {
    return minutesMax;
  }
}
