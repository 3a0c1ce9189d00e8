package dev.gorkie.sessions;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// What we believe of a thread's sandbox, and what may come after.
enum Status {
  CREATING,
  ACTIVE,
  RESUMING,
  PAUSED,
  DESTROYED,
  ERROR;

  /// The states from which this one may follow. A worker that finds a transition half done begins it anew, so each
  /// may follow itself. A sandbox that was taken for destroyed and is found after all is used again.
  Set<Status> from() {
    return switch (this) {
      case CREATING -> EnumSet.of(CREATING, DESTROYED, ERROR);
      case ACTIVE -> EnumSet.allOf(Status.class);
      case RESUMING -> EnumSet.of(RESUMING, ACTIVE, PAUSED, DESTROYED, ERROR);
      case PAUSED -> EnumSet.of(PAUSED, ACTIVE, RESUMING);
      case DESTROYED -> EnumSet.allOf(Status.class);
      case ERROR -> EnumSet.of(ERROR, CREATING, ACTIVE, RESUMING, PAUSED);
    };
  }

  /// Those in which a machine runs, or is about to.
  static List<String> awake() {
    return Stream.of(CREATING, ACTIVE, RESUMING).map(Status::wire).toList();
  }

  List<String> fromWire() {
    return from().stream().map(Status::wire).toList();
  }

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
