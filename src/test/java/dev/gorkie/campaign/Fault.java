package dev.gorkie.campaign;

import java.time.Duration;
import java.util.Locale;

/// What goes wrong in a history, and where: at a boundary, which is a passage and how many of its name came before it.
///
/// @param frozenFor how long a frozen process stands still
record Fault(String boundary, Kind kind, Duration frozenFor) {

  enum Kind {
    /// The process is gone, and what was passing with it.
    KILL,
    /// The process stands still and goes on later; what was passing arrives.
    FREEZE,
    /// What was passing is lost with its connection: a request that never arrives, or an answer.
    CUT,
    /// What was passing is refused: whoever asks asks for too much.
    THROTTLE,
    /// What was passing is refused: whoever is asked is broken.
    BREAK
  }

  static Fault of(Kind kind, String boundary) {
    return new Fault(boundary, kind, Duration.ZERO);
  }

  static Fault kill(String boundary) {
    return of(Kind.KILL, boundary);
  }

  static Fault cut(String boundary) {
    return of(Kind.CUT, boundary);
  }

  static Fault freeze(String boundary, Duration duration) {
    return new Fault(boundary, Kind.FREEZE, duration);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " at " + boundary;
  }
}
