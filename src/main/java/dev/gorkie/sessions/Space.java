package dev.gorkie.sessions;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.jboss.logging.Logger;

/// Room for one more machine where an account has none left: what sleeps is put away, and then threads wait in line.
@ApplicationScoped
class Space {

  private static final Logger LOG = Logger.getLogger(Space.class);

  // Some of those that we take for asleep are put away already, by Daytona's own timer.
  private static final int PUT_AWAY_MAX = 5;
  // A worker that died in the line holds up those behind it for no longer than that many of its
  // looks.
  private static final int LOOKS_MISSED_MAX = 3;

  private final Database database;
  private final SessionRows rows;
  private final SilentRows silent;
  private final Sandboxes sandboxes;
  private final Duration every;
  private final Duration patience;

  /// A way to a machine, which may find no room.
  @FunctionalInterface
  interface Way {
    Sandbox sandbox() throws InterruptedException;
  }

  @Inject
  Space(
      Database database,
      SessionRows rows,
      SilentRows silent,
      Sandboxes sandboxes,
      Upkeep.Rules rules) {
    this.database = database;
    this.rows = rows;
    this.silent = silent;
    this.sandboxes = sandboxes;
    this.every = rules.roomEvery();
    this.patience = rules.roomPatience();
  }

  Sandbox sandbox(ThreadKey thread, long fence, Waking waking, Deadline deadline, Way way)
      throws InterruptedException {
    try {
      return way.sandbox();
    } catch (Failure failure) {
      mustBeAboutRoom(failure);
      LOG.warnf("Thread %s: there is no room for its sandbox", thread);
    }
    putAway();
    return inLine(thread, fence, waking, deadline.within(patience), way);
  }

  private static void mustBeAboutRoom(Failure failure) {
    if (failure.code() != SandboxFailure.NO_ROOM) {
      throw failure;
    }
  }

  /// Somebody's sandbox that sleeps anyway, which takes longer to wake up from now on.
  private void putAway() {
    for (var row : database.transaction(() -> silent.asleep(PUT_AWAY_MAX))) {
      if (database.transaction(() -> silent.isPutAway(row))) {
        row.sandbox().ifPresent(sandbox -> putAway(row, sandbox));
      }
    }
  }

  /// That it can't be done to one is nothing to whoever needs the room.
  private void putAway(SessionRow row, SandboxId sandbox) {
    try {
      sandboxes.putAway(sandbox);
    } catch (Failure failure) {
      LOG.warnf("Sandbox %s is not put away: %s", sandbox, failure.getMessage());
      database.transaction(() -> silent.isNotPutAway(row));
    }
  }

  private Sandbox inLine(ThreadKey thread, long fence, Waking waking, Deadline until, Way way)
      throws InterruptedException {
    var told = -1;
    try {
      while (true) {
        var before =
            database.transaction(
                () -> {
                  rows.wantsRoom(thread, fence);
                  return rows.inLineBefore(thread, every.multipliedBy(LOOKS_MISSED_MAX));
                });
        if (before == 0) {
          try {
            return way.sandbox();
          } catch (Failure failure) {
            mustBeAboutRoom(failure);
            if (until.isOver()) {
              throw failure;
            }
          }
        } else if (until.isOver()) {
          throw new Failure(SandboxFailure.NO_ROOM, before + " are in line before " + thread);
        }
        if (before != told) {
          waking.waitingForRoom(before);
          told = before;
        }
        Thread.sleep(until.within(every).left());
      }
    } finally {
      database.transaction(() -> rows.wantsNoRoom(thread, fence));
    }
  }
}
