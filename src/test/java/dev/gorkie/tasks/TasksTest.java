package dev.gorkie.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.slack.MessageEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What may be planned, and that what is due is done by one.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class TasksTest {

  private static final AtomicInteger PEOPLE = new AtomicInteger();

  private final String owner = "UTASKS" + PEOPLE.incrementAndGet();
  private final ThreadKey thread = new ThreadKey("T1", "CTASKS", "1700000000.000001");

  @Inject Tasks tasks;
  @Inject TaskRows rows;
  @Inject Database database;
  @Inject Statements statements;

  @BeforeEach
  void there_is_a_thread() {
    sql(
        "insert into threads (thread_id, team, channel, root_ts) values ('%s', 'T1', 'CTASKS', '1') on conflict do nothing"
            .formatted(thread));
  }

  private void sql(String statement) {
    database.transaction(() -> statements.of(statement).executeUpdate());
  }

  private static String in(Duration time) {
    return LocalDateTime.now(ZoneOffset.UTC).plus(time).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private Tasks.Answer at(String dialogue, String at) {
    return tasks.plan(wish(dialogue, Optional.of(at), Optional.empty(), "UTC"));
  }

  private Tasks.Answer cron(String cron) {
    return tasks.plan(wish("d-" + cron, Optional.empty(), Optional.of(cron), "UTC"));
  }

  private Tasks.Wish wish(
      String dialogue, Optional<String> at, Optional<String> cron, String zone) {
    var asking =
        new MessageEvent(
            "A1",
            "Ev1",
            MessageEvent.Kind.MESSAGE,
            "T1",
            "CTASKS",
            false,
            "1700000000.000001",
            Optional.empty(),
            owner,
            Optional.empty(),
            true,
            "plan it",
            List.of(),
            false,
            List.of(),
            List.of());
    return new Tasks.Wish(
        thread, 1, owner + dialogue, asking, "do it", false, at, cron, Optional.of(zone));
  }

  @Test
  void a_time_within_a_year_is_taken_and_no_other() {
    assertTrue(at("d1", in(Duration.ofMinutes(1))).planned());
    assertTrue(at("d2", in(Duration.ofDays(365))).planned());
    assertFalse(at("d3", in(Duration.ofDays(367))).planned());
    assertFalse(at("d4", in(Duration.ofMinutes(-1))).planned());
    assertFalse(at("d5", "tomorrow").planned());
    assertTrue(at("d6", in(Duration.ofHours(1)) + "Z").planned());
  }

  @Test
  void what_comes_round_every_half_hour_is_taken_and_nothing_more_often() {
    assertTrue(cron("*/30 * * * *").planned());
    assertFalse(cron("*/29 * * * *").planned());
    assertFalse(cron("0 0 30 2 *").planned());
    assertFalse(cron("now and then").planned());
  }

  @Test
  void it_is_either_a_time_or_a_round_and_in_a_zone_that_there_is() {
    var at = Optional.of(in(Duration.ofHours(1)));
    var cron = Optional.of("0 9 * * *");

    assertFalse(tasks.plan(wish("d1", at, cron, "UTC")).planned());
    assertFalse(tasks.plan(wish("d2", Optional.empty(), Optional.empty(), "UTC")).planned());
    assertFalse(tasks.plan(wish("d3", at, Optional.empty(), "Europe/Bonn")).planned());
  }

  @Test
  void a_person_has_twenty_at_most_however_many_are_planned_at_once() throws Exception {
    var dialogues = new AtomicInteger();

    var answers = atOnce(30, () -> at("d" + dialogues.incrementAndGet(), in(Duration.ofHours(1))));

    assertEquals(20, answers.stream().filter(Tasks.Answer::planned).count());
    var first = tasks.ofPerson("T1", owner).getFirst().id();
    assertTrue(tasks.cancel(thread, first));
    assertFalse(tasks.cancel(thread, first));
    assertTrue(at("later", in(Duration.ofHours(1))).planned());
  }

  @Test
  void asked_for_again_by_whoever_took_over_it_is_planned_once() {
    at("d1", in(Duration.ofHours(1)));
    at("d1", in(Duration.ofHours(1)));

    assertEquals(1, tasks.ofPerson("T1", owner).size());
  }

  @Test
  void nobody_cancels_out_of_another_conversation() {
    at("d1", in(Duration.ofHours(1)));
    var id = tasks.ofPerson("T1", owner).getFirst().id();

    assertFalse(tasks.cancel(new ThreadKey("T1", "COTHER", "1700000000.000001"), id));
  }

  @Test
  void of_many_who_find_it_due_one_does_it() throws Exception {
    at("d1", in(Duration.ofHours(1)));
    var id = tasks.ofPerson("T1", owner).getFirst().id();
    var seen = database.transaction(() -> rows.of(id)).orElseThrow();
    var next = Optional.of(Instant.now().plus(Duration.ofDays(1)));

    var done = atOnce(20, () -> database.transaction(() -> rows.isDone(seen, next)));

    assertEquals(1, done.stream().filter(it -> it).count());
  }

  @Test
  void what_cannot_be_asked_about_waits_and_is_not_lost() {
    at("d1", in(Duration.ofHours(1)));
    var id = tasks.ofPerson("T1", owner).getFirst().id();
    sql("update tasks set due_at = now() - interval '1 day' where task_id = '%s'".formatted(id));

    // There is no Slack here.
    assertEquals(List.of(), tasks.fire().woken());

    assertTrue(database.transaction(() -> rows.of(id)).orElseThrow().isActive());
  }

  private static <T> List<T> atOnce(int times, Callable<T> work) throws Exception {
    try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = all.invokeAll(IntStream.range(0, times).mapToObj(_ -> work).toList());
      return done.stream().map(Future::resultNow).toList();
    }
  }
}
