package dev.gorkie.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.HoldLost;
import dev.gorkie.ThreadKey;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.SandboxId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class SessionsTest extends SessionsAtHand {

  @Test
  void a_new_thread_gets_a_sandbox_of_its_own() throws Exception {
    var workspace = open();

    assertEquals("gorkie-" + thread.toString().replace(':', '-'), workspace.sandbox().name());
    assertEquals(List.of("setting up"), card);
    assertEquals(Optional.empty(), workspace.news());
    assertEquals(0, workspace.restedAt());
    assertEquals("active", row().status);
    assertEquals(Optional.of(workspace.sandbox().id()), row().sandbox());
  }

  @Test
  void a_thread_that_goes_on_finds_its_sandbox_running() throws Exception {
    var first = open();
    rest(first);

    var second = open(2);

    assertEquals(first.sandbox().id(), second.sandbox().id());
    assertEquals(List.of("setting up"), card);
    assertEquals(100, second.restedAt());
  }

  @Test
  void a_sandbox_that_was_stopped_is_woken() throws Exception {
    var first = open();
    sandboxes.stop(first.sandbox().id());

    var second = open();

    assertEquals(first.sandbox().id(), second.sandbox().id());
    assertEquals(List.of("setting up", "waking up", "awake"), card);
    assertEquals("started", state(second.sandbox().id()));
    assertEquals("active", row().status);
    assertNotNull(row().resumedAt);
    assertEquals(Optional.empty(), second.news());
  }

  @Test
  void a_sandbox_that_was_archived_is_woken() throws Exception {
    var first = open().sandbox().id();
    sandboxes.stop(first);
    Await.until(() -> state(first).equals("stopped"));
    daytona.archive(first.value());
    Await.until(() -> state(first).equals("archived"));

    var second = open();

    assertEquals(first, second.sandbox().id());
    assertEquals("started", state(first));
  }

  @Test
  void a_sandbox_that_is_gone_is_replaced_and_that_is_told_until_it_was_heard() throws Exception {
    var first = open().sandbox().id();
    change("last_activity_at = '2026-09-03T10:00:00Z'");
    daytona.delete(first.value());

    var second = open();
    var third = open();
    var news = third.news();
    third.tellsNews();
    rest(third);
    var fourth = open();

    assertNotEquals(first, second.sandbox().id());
    assertEquals(name(2), second.sandbox().name());
    assertEquals(List.of("setting up", "starting anew"), card);
    assertEquals(2, row().sessionNumber);
    assertNotNull(row().destroyedAt);
    assertEquals(
        Optional.of(new News(Optional.of(Instant.parse("2026-09-03T10:00:00Z")), false, false)),
        news);
    assertEquals(Optional.empty(), fourth.news());
  }

  @Test
  void news_that_nobody_was_told_are_news_in_the_next_turn() throws Exception {
    daytona.delete(open().sandbox().id().value());

    var workspace = open();
    workspace.news();
    rest(workspace);

    assertTrue(open().news().isPresent());
  }

  @Test
  void what_is_done_with_sandboxes_is_counted_once_each() throws Exception {
    var before = counted();

    var first = open();
    rest(first);
    sandboxes.stop(first.sandbox().id());
    open();
    daytona.delete(first.sandbox().id().value());
    open();

    var after = counted();
    assertEquals(2, after.getOrDefault("creates", 0) - before.getOrDefault("creates", 0));
    assertEquals(1, after.getOrDefault("resumes", 0) - before.getOrDefault("resumes", 0));
    assertEquals(1, after.getOrDefault("replacements", 0) - before.getOrDefault("replacements", 0));
  }

  private Map<String, Integer> counted() {
    return logbook
        .scraped()
        .orElseThrow()
        .lines()
        .filter(line -> line.startsWith("gorkie_sandbox_"))
        .map(line -> line.substring("gorkie_sandbox_".length()).split("_total ", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> Integer.parseInt(parts[1])));
  }

  @Test
  void a_sandbox_missed_once_is_not_replaced() throws Exception {
    var first = open();
    daytona.answer("GET", LOOK, 1, 404, "{\"message\":\"Sandbox not found\"}");

    var second = open();

    assertEquals(first.sandbox().id(), second.sandbox().id());
    assertEquals(1, row().generation);
  }

  @Test
  void a_sandbox_that_broke_is_replaced() throws Exception {
    var first = open().sandbox().id();
    daytona.fail(first.value(), false);

    var second = open();

    assertEquals(name(2), second.sandbox().name());
    assertEquals("active", row().status);
    assertTrue(second.news().isPresent());
  }

  @Test
  void a_sandbox_that_is_broken_when_it_is_created_gives_way_to_the_next_name() throws Exception {
    somebodyBreaks(1);

    var workspace = open();

    assertEquals(name(2), workspace.sandbox().name());
    assertEquals("active", row().status);
    assertEquals(Optional.empty(), workspace.news());
  }

  @Test
  void one_opening_takes_one_new_name_and_the_next_opening_another() throws Exception {
    somebodyBreaks(1);
    somebodyBreaks(2);

    assertEquals(SandboxFailure.BROKEN, codeOf(this::open));
    assertEquals(2, row().generation);
    assertEquals("error", row().status);
    assertEquals(name(3), open().sandbox().name());
  }

  @Test
  void a_sandbox_of_an_older_deployment_gives_way_and_its_files_come_along() throws Exception {
    var old = anOlderSandbox();
    upload(old, "report.txt", "of last year");
    upload(old, "deep/er/notes' & more", "too");
    keeperOfAnotherTimeAnswers();

    var workspace = open();
    var news = workspace.news();
    workspace.tellsNews();
    rest(workspace);
    var next = open();

    assertEquals(name(2), workspace.sandbox().name());
    assertEquals(
        "of last yeartoo",
        workspace
            .sandbox()
            .execute("cat report.txt \"deep/er/notes' & more\"", Duration.ofSeconds(20))
            .output());
    assertEquals(Optional.of(new News(Optional.empty(), true, false)), news);
    assertEquals("active", row().status);
    assertEquals(2, row().generation);
    assertEquals(Optional.empty(), next.news());
    assertEquals(workspace.sandbox().id(), next.sandbox().id());
    Await.until(() -> state(old.id()).equals("stopped"));
  }

  @Test
  void an_older_sandbox_that_can_be_spoken_to_is_kept() throws Exception {
    var old = anOlderSandbox();

    assertEquals(old.id(), open().sandbox().id());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2})
  void files_that_cannot_be_carried_over_stay_where_they_are(int exitCode) throws Exception {
    var old = anOlderSandbox();
    keeperOfAnotherTimeAnswers();
    // What was said is copied first, and that it cannot be is nothing.
    daytona.answer("POST", "/process/execute$", 2, 200, "{\"exitCode\":%d}".formatted(exitCode));

    var failure = codeOf(this::open);

    assertEquals(SandboxFailure.NOT_CARRIED, failure);
    assertEquals(Optional.of(old.id()), row().sandbox());
    assertEquals(old.id(), open().sandbox().id());
  }

  /// The thread's own, made from what sandboxes were made from before.
  private Sandbox anOlderSandbox() throws InterruptedException {
    daytona.createFrom("gorkie-of-last-year", name(1));
    return open().sandbox();
  }

  @Test
  void who_lost_the_thread_while_files_were_carried_over_leaves_the_old_sandbox_alone()
      throws Exception {
    var old = anOlderSandbox();
    keeperOfAnotherTimeAnswers();
    whenStartingAnew = () -> isTakenOver(thread, 9);

    assertThrows(HoldLost.class, this::open);

    assertEquals(Optional.of(old.id()), row().sandbox());
    assertEquals("started", state(old.id()));
  }

  @Test
  void of_two_losses_that_of_the_files_is_told() throws Exception {
    var old = anOlderSandbox();
    keeperOfAnotherTimeAnswers();
    var carried = open();
    daytona.delete(carried.sandbox().id().value());

    var news = open().news().orElseThrow();

    assertNotEquals(old.id(), carried.sandbox().id());
    assertFalse(news.carried());
    assertTrue(news.filesOf().isPresent());
  }

  @Test
  void who_begins_anew_still_hears_that_files_are_lost() throws Exception {
    daytona.delete(open().sandbox().id().value());
    open();

    database.transaction(
        () -> {
          sessions.forget(thread, 1);
          return true;
        });

    assertTrue(open().news().orElseThrow().filesOf().isPresent());
  }

  @Test
  void a_sandbox_in_use_has_its_life_before_it() throws Exception {
    var sandbox = open().sandbox().id();
    daytona.setTimeToLive(sandbox.value(), 1);

    open();

    var soon = Instant.now().plus(1, ChronoUnit.HOURS);
    Await.until(
        () ->
            Instant.parse(daytona.sandbox(sandbox.value()).path("autoDestroyAt").asText())
                .isAfter(soon));
  }

  private void keeperOfAnotherTimeAnswers() {
    daytona.answer(
        "POST",
        "/process/execute$",
        1,
        200,
        "{\"exitCode\":0,\"result\":\"{\\\"hello\\\":{\\\"protocol\\\":-1}}\"}");
  }

  private static void upload(Sandbox sandbox, String name, String content) {
    sandbox.upload(
        sandbox.workDirectory() + "/" + name,
        new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void a_sandbox_that_is_found_broken_when_it_is_started_is_replaced() throws Exception {
    var first = open().sandbox();
    daytona.fail(first.id().value(), false);
    daytona.answer(
        "GET",
        LOOK,
        1,
        200,
        "{\"id\":\"%s\",\"name\":\"%s\",\"state\":\"stopped\",\"toolboxProxyUrl\":\"http://127.0.0.1:1\"}"
            .formatted(first.id(), first.name()));

    var second = open();

    assertEquals(List.of("setting up", "waking up", "starting anew"), card);
    assertEquals(name(2), second.sandbox().name());
    assertEquals("active", row().status);
  }

  @Test
  void a_failed_opening_is_counted_and_forgotten_by_one_that_succeeds() throws Exception {
    var first = open();
    daytona.answer("GET", LOOK, 1, 401, "");
    var failure = codeOf(this::open);
    var failed = row();

    var second = open();

    assertEquals(SandboxFailure.NOT_ALLOWED, failure);
    assertEquals("error", failed.status);
    assertEquals("NOT_ALLOWED", failed.lastError);
    assertEquals(1, failed.resumeFailCount);
    assertEquals(first.sandbox().id(), second.sandbox().id());
    assertEquals("active", row().status);
    assertNull(row().lastError);
    assertEquals(0, row().resumeFailCount);
  }

  /// What happens to a thread's sandbox, and what the row says after the next opening.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing               | works       | active | 1 | 0 |             |
          is stopped            | works       | active | 1 | 0 |             | resumed
          is being stopped      | works       | active | 1 | 0 |             | resumed
          is archived           | works       | active | 1 | 0 |             | resumed
          is being archived     | works       | active | 1 | 0 |             | resumed
          is in trouble         | works       | active | 1 | 0 |             | resumed
          is missed once        | works       | active | 1 | 0 |             |
          is mute for a moment  | works       | active | 1 | 0 |             |
          is deleted            | works       | active | 2 | 0 |             | destroyed
          is being deleted      | works       | active | 2 | 0 |             | destroyed
          is broken             | works       | active | 2 | 0 |             | destroyed
          does not build        | works       | active | 2 | 0 |             | destroyed
          hangs for good        | works       | active | 2 | 0 |             | destroyed
          cannot be asked for   | UNREACHABLE | error  | 1 | 1 | UNREACHABLE |
          cannot be started     | NOT_ALLOWED | error  | 1 | 1 | NOT_ALLOWED | resumed
          is asked for wrongly  | NOT_ALLOWED | error  | 1 | 1 | NOT_ALLOWED |
          """)
  void whatever_happens_to_a_sandbox_its_row_says_so(
      String event,
      String opening,
      String status,
      int generation,
      int failures,
      String lastError,
      String stamps)
      throws Exception {
    var sandbox = open().sandbox();
    change("last_activity_at = '2026-09-03T10:00:00Z', paused_at = null");
    happens(sandbox, event);

    if (opening.equals("works")) {
      open();
    } else {
      assertEquals(SandboxFailure.valueOf(opening), codeOf(this::open));
    }

    var row = row();
    assertEquals(status, row.status);
    assertEquals(generation, row.generation);
    assertEquals(failures, row.resumeFailCount);
    assertEquals(lastError, row.lastError);
    var expected = stamps == null ? "" : stamps;
    assertEquals(expected.contains("resumed"), row.resumedAt != null);
    assertEquals(expected.contains("destroyed"), row.destroyedAt != null);
    assertTrue(row.lastActivityAt.isAfter(Instant.parse("2026-09-03T10:00:00Z")));
    assertFalse(row.updatedAt.isBefore(row.createdAt));
  }

  private void happens(Sandbox sandbox, String event) {
    var id = sandbox.id().value();
    switch (event) {
      case "nothing" -> {}
      case "is stopped" -> daytona.setState(id, "stopped");
      case "is being stopped" -> sandboxes.stop(sandbox.id());
      case "is archived" -> daytona.setState(id, "archived");
      case "is being archived" -> {
        daytona.setState(id, "stopped");
        daytona.archive(id);
      }
      case "is in trouble" -> daytona.fail(id, true);
      case "is missed once" -> daytona.answer("GET", LOOK, 1, 404, "{\"message\":\"not found\"}");
      case "is mute for a moment" -> daytona.answer("GET", LOOK, 2, 502, "");
      case "is deleted" -> {
        daytona.delete(id);
        Await.until(() -> daytona.isGone(id));
      }
      case "is being deleted" -> daytona.setState(id, "destroying");
      case "is broken" -> daytona.fail(id, false);
      case "does not build" -> daytona.setState(id, "build_failed");
      case "hangs for good" ->
          daytona.answer(
              "GET",
              "/api/sandbox/" + id + "$",
              2,
              200,
              "{\"id\":\"%s\",\"name\":\"%s\",\"state\":\"starting\",\"updatedAt\":\"2026-09-03T10:00:00Z\"}"
                  .formatted(id, sandbox.name()));
      case "cannot be asked for" -> daytona.answer("GET", LOOK, 1_000, 502, "");
      case "cannot be started" -> {
        daytona.setState(id, "stopped");
        daytona.answer("POST", "/start$", 1, 403, "");
      }
      case "is asked for wrongly" -> daytona.answer("GET", LOOK, 1, 401, "");
      default -> throw new IllegalArgumentException(event);
    }
  }

  @Test
  void a_sandbox_that_is_being_woken_is_written_down_as_such() throws Exception {
    var sandbox = open().sandbox().id();
    daytona.setState(sandbox.value(), "stopped");
    var states = new ConcurrentLinkedQueue<String>();
    var done = new AtomicBoolean();
    daytona.delay("POST", "/start$", Duration.ofMillis(300));

    try (var watching = Executors.newVirtualThreadPerTaskExecutor()) {
      watching.execute(
          () -> {
            while (!done.get()) {
              states.add(row().status);
            }
          });
      try {
        open();
      } finally {
        done.set(true);
      }
    }

    assertTrue(states.contains("resuming"), states.toString());
    assertEquals("active", row().status);
  }

  @Test
  void an_older_fence_changes_nothing_any_more() throws Exception {
    var older = open(5);
    open(9);
    var before = row();

    sessions.rest(thread, 5, older, 4711);
    older.keepAwake();
    open(5);

    var after = row();
    assertEquals(9, after.fence);
    assertEquals(0, after.journalOffset);
    assertEquals(before.lastActivityAt, after.lastActivityAt);
    assertEquals(before.updatedAt, after.updatedAt);
  }

  @Test
  void whose_thread_was_taken_over_changes_nothing_even_before_the_new_holder_does()
      throws Exception {
    var older = open(5);
    var before = row();
    isTakenOver(thread, 9);

    sessions.rest(thread, 5, older, 4711);
    older.keepAwake();
    open(5);

    assertEquals(before.updatedAt, row().updatedAt);
    assertEquals(before.lastActivityAt, row().lastActivityAt);
    assertEquals(5, row().fence);
  }

  @Test
  void whose_thread_was_taken_over_opens_no_session() {
    isTakenOver(thread, 9);

    assertThrows(HoldLost.class, () -> open(5));

    assertEquals(0, rows.count("threadId", thread.toString()));
  }

  @Test
  void a_turn_at_work_is_activity() throws Exception {
    var workspace = open();
    isSilent();

    workspace.keepAwake();

    assertTrue(row().lastActivityAt.isAfter(Instant.now().minus(1, ChronoUnit.MINUTES)));
  }

  @Test
  void an_answer_is_not_spoilt_by_a_daytona_that_fails_afterwards() throws Exception {
    var workspace = open();
    daytona.answer("POST", "/ttl/", 1, 401, "");
    daytona.answer("POST", "/process/execute$", 1, 500, "");

    rest(workspace);

    assertEquals(100, row().journalOffset);
  }

  private static final String CREATE = "/api/sandbox$";

  private void isFull(int times) {
    daytona.answer(
        "POST",
        CREATE,
        times,
        400,
        "{\"message\":\"Total disk limit exceeded. Maximum allowed: 30GiB.\"}");
  }

  @Test
  void a_sandbox_that_sleeps_makes_room_for_another() throws Exception {
    var sleeping = sleeping();
    isFull(1);

    open();

    assertEquals("active", row().status);
    assertEquals(List.of("setting up"), card);
    Await.until(() -> state(sleeping).equals("archived"));
  }

  /// The sandbox of another thread.
  private SandboxId sleeping() throws InterruptedException {
    var names = new Names(new ThreadKey("T1", "C2", thread.root()), 1, 1);
    var sandbox = sandboxes.create(names.sandbox(), names.labels(), soon()).id();
    sandboxes.stop(sandbox);
    Await.until(() -> state(sandbox).equals("stopped"));
    anotherThread(names);
    changeOf(
        names.thread(),
        "sandbox_id = '" + sandbox.value() + "', status = 'paused', paused_at = now()");
    return sandbox;
  }

  private void anotherThread(Names names) {
    threadExists(names.thread());
    database.transaction(() -> rows.openFor(names.thread(), names, 1));
  }

  @Test
  void a_thread_waits_until_there_is_room_and_says_so() throws Exception {
    isFull(3);

    open();

    assertEquals("active", row().status);
    assertEquals(List.of("setting up", "waiting behind 0"), card);
    assertNull(row().roomWantedAt);
  }

  @Test
  void who_came_first_is_served_first_unless_nobody_hears_of_him_any_more() throws Exception {
    var before = new Names(new ThreadKey("T1", "C3", thread.root()), 1, 1);
    anotherThread(before);
    changeOf(
        before.thread(),
        "room_wanted_at = now() - interval '1 minute', last_activity_at = now() + interval '1 hour'");
    whenWaiting = () -> changeOf(before.thread(), "last_activity_at = now() - interval '1 minute'");
    isFull(1);

    open();

    assertEquals("active", row().status);
    assertEquals(List.of("setting up", "waiting behind 1"), card);
  }

  @Test
  void nobody_waits_for_room_for_ever() {
    isFull(1_000);

    assertEquals(SandboxFailure.NO_ROOM, codeOf(this::open));

    assertNull(row().roomWantedAt);
  }
}
