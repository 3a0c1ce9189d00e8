package dev.gorkie.local.daytona;

import java.time.Duration;

/// Something that takes its time; of the order of the real service, only smaller.
public enum Delay {
  CREATE(Duration.ofMillis(300)),
  /// From stopped to started.
  START(Duration.ofMillis(500)),
  /// For so long after a start the toolbox still fails.
  WARM_UP(Duration.ofMillis(150)),
  /// Whoever opens a terminal is there before it is told so: its first output may come earlier, if it comes within this.
  CONNECTED(Duration.ofMillis(30)),
  STOP(Duration.ofMillis(400)),
  ARCHIVE(Duration.ofSeconds(2)),
  /// From archived to started.
  RESTORE(Duration.ofSeconds(3)),
  RECOVER(Duration.ofSeconds(1)),
  DESTROY(Duration.ofMillis(300)),
  ACTIVATE_SNAPSHOT(Duration.ofSeconds(1)),
  /// So far behind is the listing.
  LIST_LAG(Duration.ofSeconds(2)),
  /// So long do create and start keep their caller at most before they answer with what there is.
  CALL_MAX(Duration.ofSeconds(30)),
  /// The period of the jobs that stop, archive and delete, and how late they hear of activity.
  TIMERS(Duration.ofSeconds(10)),
  /// So often an open call to the toolbox counts as activity.
  ACTIVITY(Duration.ofSeconds(50)),
  /// A minute of a sandbox's intervals.
  MINUTE(Duration.ofMinutes(1));

  private final Duration usual;

  Delay(Duration usual) {
    this.usual = usual;
  }

  Duration usual() {
    return usual;
  }
}
