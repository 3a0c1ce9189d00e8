package dev.gorkie.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.FailureCode;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.daytona.BehindTheScene;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/// A thread of its own for each test, and what can be done to its session and seen of it.
abstract class SessionsAtHand {

  static final String LOOK = "/api/sandbox/[^/]+$";
  static final String STOP = "/stop$";

  private static final AtomicInteger THREADS = new AtomicInteger();

  @Inject Sessions sessions;
  @Inject Database database;
  @Inject SessionRows rows;
  @Inject Sandboxes sandboxes;
  @Inject BehindTheScene daytona;
  @Inject Statements statements;
  @Inject Logbook logbook;

  final ThreadKey thread =
      new ThreadKey("T1", "C1", "1700000000." + String.format("%06d", THREADS.incrementAndGet()));
  final List<String> card = new ArrayList<>();
  Runnable whenWaiting = () -> {};
  Runnable whenStartingAnew = () -> {};

  @BeforeEach
  void there_is_a_thread_and_nothing_goes_wrong_unasked() {
    daytona.clear();
    threadExists(thread);
  }

  void threadExists(ThreadKey key) {
    database.transaction(
        () ->
            statements
                .of(
                    "insert into threads (thread_id, team, channel, root_ts) values (:id, :team, :channel, :root)")
                .setParameter("id", key.toString())
                .setParameter("team", key.team())
                .setParameter("channel", key.channel())
                .setParameter("root", key.root())
                .executeUpdate());
  }

  /// By an ordinary turn.
  Workspace open() throws InterruptedException {
    return open(1);
  }

  Workspace open(long fence) throws InterruptedException {
    return sessions.open(thread, fence, waking(), soon());
  }

  void rest(Workspace workspace) {
    sessions.rest(thread, 1, workspace, 100);
  }

  FailureCode codeOf(Executable opening) {
    return assertThrows(Failure.class, opening).code();
  }

  SessionRow row() {
    return database.transaction(() -> rows.of(thread)).orElseThrow();
  }

  /// The machine that this thread gets under that generation.
  String name(int generation) {
    return new Names(thread, generation, 1).sandbox();
  }

  /// A machine of this name that is broken for good.
  void somebodyBreaks(int generation) throws InterruptedException {
    var names = new Names(thread, generation, 1);
    var sandbox = sandboxes.create(names.sandbox(), names.labels(), soon());
    daytona.fail(sandbox.id().value(), false);
  }

  void change(String what) {
    changeOf(thread, what);
  }

  void changeOf(ThreadKey thread, String what) {
    var changed =
        database.transaction(
            () ->
                statements
                    .of("update sandbox_sessions set " + what + " where thread_id = :id")
                    .setParameter("id", thread.toString())
                    .executeUpdate());
    assertEquals(1, changed);
  }

  /// Somebody else holds the thread now, and has written nothing yet.
  void isTakenOver(ThreadKey thread, long fence) {
    database.transaction(
        () ->
            statements
                .of("update threads set fence = :fence where thread_id = :id")
                .setParameter("fence", fence)
                .setParameter("id", thread.toString())
                .executeUpdate());
  }

  void isSilent() {
    change("last_activity_at = now() - interval '6 minutes'");
  }

  String state(SandboxId sandbox) {
    return daytona.state(sandbox.value());
  }

  static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(30));
  }

  Waking waking() {
    return new Waking() {
      @Override
      public void settingUp() {
        card.add("setting up");
      }

      @Override
      public void wakingUp() {
        card.add("waking up");
      }

      @Override
      public void awake(Duration took, Instant filesOf) {
        card.add("awake");
      }

      @Override
      public void waitingForRoom(int before) {
        card.add("waiting behind " + before);
        whenWaiting.run();
      }

      @Override
      public void startingAnew() {
        card.add("starting anew");
        whenStartingAnew.run();
      }

      @Override
      public void leavingBehind(int files) {
        card.add("leaving " + files + " behind");
      }
    };
  }
}
