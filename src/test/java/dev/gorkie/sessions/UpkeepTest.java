package dev.gorkie.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.ThreadKey;
import dev.gorkie.sandbox.SandboxId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// What is done for sessions nobody works in, and against whom it loses.
@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class UpkeepTest extends SessionsAtHand {

  private static final String LIST = "/api/sandbox$";
  private static final Duration COMMAND_MOST = Duration.ofSeconds(20);

  private final Predicate<ThreadKey> mine = thread::equals;

  @Test
  void the_sandbox_of_a_silent_thread_is_stopped_and_wakes_with_it() throws Exception {
    var sandbox = open().sandbox().id();
    isSilent();
    var awake = sessions.awake();

    sessions.pauseSilent(mine);

    assertEquals("paused", row().status);
    assertNotNull(row().pausedAt);
    assertEquals(awake - 1, sessions.awake());
    Await.until(() -> state(sandbox).equals("stopped"));
    assertEquals(sandbox, open().sandbox().id());
    assertEquals("active", row().status);
    assertEquals("started", state(sandbox));
  }

  @Test
  void a_thread_that_spoke_just_now_keeps_its_sandbox() throws Exception {
    var sandbox = open().sandbox().id();

    sessions.pauseSilent(mine);

    assertEquals("active", row().status);
    assertEquals("started", state(sandbox));
  }

  @Test
  void a_thread_that_holds_work_keeps_its_sandbox() throws Exception {
    var sandbox = open().sandbox().id();
    isSilent();

    sessions.pauseSilent(_ -> false);

    assertEquals("active", row().status);
    assertEquals("started", state(sandbox));
  }

  @Test
  void a_thread_that_wakes_up_in_between_keeps_its_sandbox() throws Exception {
    var sandbox = open().sandbox().id();
    isSilent();

    sessions.pauseSilent(asked -> mine.test(asked) && opens());

    assertEquals("active", row().status);
    assertEquals("started", state(sandbox));
  }

  private boolean opens() {
    try {
      open();
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_turn_that_begins_while_its_sandbox_is_being_stopped_starts_it_again() throws Exception {
    var sandbox = open().sandbox().id();
    isSilent();
    sessions.pauseSilent(mine);
    // Stopping, or stopped by now.
    assertNotEquals("started", state(sandbox));

    var workspace = open();

    assertEquals(0, workspace.sandbox().execute("true", COMMAND_MOST).exitCode());
    assertEquals("active", row().status);
  }

  @Test
  void a_turn_that_begins_just_before_the_stop_waits_for_it() throws Exception {
    var sandbox = open().sandbox().id();
    isSilent();
    daytona.delay("POST", STOP, Duration.ofSeconds(1));

    try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
      var pausing = others.submit(() -> sessions.pauseSilent(mine));
      Await.until(() -> row().status.equals("paused"));
      var workspace = open();
      pausing.get();

      assertEquals(sandbox, workspace.sandbox().id());
      assertEquals(0, workspace.sandbox().execute("true", COMMAND_MOST).exitCode());
    }
    assertEquals("started", state(sandbox));
    assertEquals("active", row().status);
  }

  @Test
  void a_sandbox_that_was_paused_long_ago_and_runs_is_used_as_it_is() throws Exception {
    var sandbox = open().sandbox().id();
    change("status = 'paused', paused_at = now() - interval '1 hour'");

    assertEquals(sandbox, open().sandbox().id());
    assertEquals("active", row().status);
  }

  @Test
  void two_who_look_at_once_stop_a_sandbox_once() throws Exception {
    var sandbox = open().sandbox().id();
    isSilent();

    twice(
        () -> {
          sessions.pauseSilent(mine);
          return true;
        });

    assertEquals("paused", row().status);
    Await.until(() -> state(sandbox).equals("stopped"));
  }

  @Test
  void a_row_whose_sandbox_is_gone_is_marked_and_its_thread_gets_another() throws Exception {
    var sandbox = open().sandbox().id();
    daytona.delete(sandbox.value());

    untilReconciled(() -> row().status.equals("destroyed"));

    assertNotNull(row().destroyedAt);
    assertEquals(Optional.of(sandbox), row().sandbox());
    assertEquals(name(2), open().sandbox().name());
    assertTrue(open().news().isPresent());
  }

  @Test
  void a_sandbox_missed_in_a_list_and_once_more_is_not_gone() throws Exception {
    open();
    daytona.answer("GET", LIST, 1, 200, "{\"items\":[],\"nextCursor\":null}");
    daytona.answer("GET", LOOK, 1, 404, "{\"message\":\"Sandbox not found\"}");

    sessions.reconcile(mine);

    assertEquals("active", row().status);
  }

  @Test
  void one_that_was_taken_for_gone_and_is_there_is_used_again() throws Exception {
    var sandbox = open().sandbox().id();
    change("status = 'destroyed', destroyed_at = now()");

    var workspace = open();

    assertEquals(sandbox, workspace.sandbox().id());
    assertEquals("active", row().status);
    assertEquals(Optional.empty(), workspace.news());
  }

  @Test
  void a_sandbox_whose_creator_did_not_live_to_write_it_down_is_adopted() throws Exception {
    var sandbox = open().sandbox().id();
    change("sandbox_id = null, status = 'creating'");

    twice(
        () -> {
          untilReconciled(() -> row().sandbox().isPresent());
          return true;
        });

    assertEquals(Optional.of(sandbox), row().sandbox());
    assertEquals("active", row().status);
    assertEquals(sandbox, open().sandbox().id());
  }

  @Test
  void a_sandbox_whose_row_is_lost_is_adopted_when_its_thread_exists() throws Exception {
    var sandbox = open().sandbox().id();
    forgetRow();
    sessions.reconcile(_ -> false);
    assertFalse(hasRow());

    untilReconciled(this::hasRow);

    assertEquals(Optional.of(sandbox), row().sandbox());
    assertEquals(sandbox, open().sandbox().id());
    assertEquals(1, row().generation);
  }

  @Test
  void what_is_nobodys_is_left_alone() throws Exception {
    var current = open().sandbox().id();
    var older = labelled(new Names(thread, 7, 1).sandbox(), thread.toString(), "7");
    var forged = labelled("gorkie-forged", thread.toString(), "1");
    var nonsense = labelled("gorkie-nonsense", "../..", "x");
    Await.until(() -> listed(older) && listed(forged) && listed(nonsense));

    sessions.reconcile(mine);

    assertEquals(Optional.of(current), row().sandbox());
    for (var left : new SandboxId[] {older, forged, nonsense}) {
      assertEquals("started", state(left));
    }
  }

  private SandboxId labelled(String name, String ofThread, String generation)
      throws InterruptedException {
    var labels = Map.of("app", "gorkie", "thread", ofThread, "generation", generation);
    return sandboxes.create(name, labels, soon()).id();
  }

  private boolean listed(SandboxId sandbox) {
    try {
      return sandboxes.list(Names.OURS).stream().anyMatch(one -> one.id().equals(sandbox));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// A list is some seconds old, so that one look may not see it yet.
  private void untilReconciled(Callable<Boolean> done) throws Exception {
    var until = soon();
    while (!done.call()) {
      assertFalse(until.isOver(), "it was not seen");
      sessions.reconcile(mine);
    }
  }

  private static void twice(Callable<Boolean> look) throws Exception {
    try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
      var one = others.submit(look);
      var other = others.submit(look);
      one.get();
      other.get();
    }
  }

  private boolean hasRow() {
    return database.transaction(() -> rows.of(thread)).isPresent();
  }

  private void forgetRow() {
    database.transaction(
        () ->
            statements
                .of("delete from sandbox_sessions where thread_id = :id")
                .setParameter("id", thread.toString())
                .executeUpdate());
  }
}
