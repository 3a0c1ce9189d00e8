package dev.gorkie.daytona;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every state that Daytona has a machine in, and what is done with a machine that is found in it.
enum State {
  STARTED(Step.USE),

  CREATING(Step.WAIT, 15),
  PENDING_BUILD(Step.WAIT, 60),
  BUILDING_SNAPSHOT(Step.WAIT, 60),
  PULLING_SNAPSHOT(Step.WAIT, 30),
  STARTING(Step.WAIT, 5),
  RESTORING(Step.WAIT, 30),
  RESUMING(Step.WAIT, 5),

  // A start is refused until it has landed.
  STOPPING(Step.WAIT),
  PAUSING(Step.WAIT),
  RESIZING(Step.WAIT),
  SNAPSHOTTING(Step.WAIT),
  FORKING(Step.WAIT),

  STOPPED(Step.START),
  PAUSED(Step.START),
  ARCHIVED(Step.START),
  // A start is legal here, and calls the archival off.
  ARCHIVING(Step.START),

  ERROR(Step.RECOVER),
  BUILD_FAILED(Step.REPLACE),

  DESTROYING(Step.FORGET),
  DESTROYED(Step.FORGET),

  /// Daytona's own word for not knowing, and ours for a word that is newer than this program: it passes.
  UNKNOWN(Step.WAIT);

  /// What is to be done so that a machine runs.
  enum Step {
    USE,
    WAIT,
    START,
    RECOVER,
    REPLACE,
    FORGET
  }

  private static final Map<String, State> BY_WIRE =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(State::wire, Function.identity()));

  // Daytona's watchdogs are late now and then, and the two clocks may differ.
  private static final int PATIENCE = 2;

  private final Step step;
  private final int minutesMax;

  State(Step step) {
    this(step, 0);
  }

  /// `minutesMax`: then a watchdog of Daytona's ends the transition in `error`, if it sees it.
  State(Step step, int minutesMax) {
    this.step = step;
    this.minutesMax = minutesMax;
  }

  static State of(String wire) {
    return BY_WIRE.getOrDefault(wire, UNKNOWN);
  }

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  Step step() {
    return step;
  }

  /// Whether nothing comes of it any more: it has lasted twice as long as Daytona itself waits (daytonaio/daytona#2390).
  boolean isStuckAfter(Duration lasting) {
    return minutesMax > 0 && lasting.compareTo(Duration.ofMinutes(minutesMax * PATIENCE)) > 0;
  }
}
