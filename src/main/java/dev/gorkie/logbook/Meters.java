package dev.gorkie.logbook;

import java.time.Duration;

/// Where what is counted and timed goes: a function writes each down at once, since it may be frozen for ever a moment later; a
/// server adds up until somebody asks.
interface Meters {

  void counted(Count count);

  void took(Took what, Duration time);

  /// For how long the message that waits longest has waited.
  void queueAge(Duration oldest);

  /// How many sandboxes are awake.
  void sandboxes(long awake);

  void ended(Ended turn);
}
