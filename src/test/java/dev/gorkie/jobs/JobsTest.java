package dev.gorkie.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.daytona.BehindTheScene;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.pi.JobState;
import dev.gorkie.pi.JobState.Standing;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sessions.DatabaseAndDaytona;
import dev.gorkie.slack.MessageEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A job's end reaches its conversation once, however often and by whichever way it is heard of, and also when nobody says it.
@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class JobsTest {

  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final SandboxId SOME = new SandboxId("some-machine");

  @Inject Jobs jobs;
  @Inject Inbox inbox;
  @Inject Database database;
  @Inject Statements statements;
  @Inject Sandboxes sandboxes;
  @Inject BehindTheScene daytona;

  private final ThreadKey thread =
      new ThreadKey(
          "T1", "CJOBS", "1700000000." + String.format("%06d", THREADS.incrementAndGet()));

  @BeforeEach
  void there_is_a_thread_and_no_job() {
    daytona.clear();
    sql("delete from jobs");
    sql(
        "insert into threads (thread_id, team, channel, root_ts) values ('%s', 'T1', 'CJOBS', '%s')"
            .formatted(thread, thread.root()));
  }

  private int sql(String statement) {
    return database.transaction(() -> statements.of(statement).executeUpdate());
  }

  private Jobs.Wish wish(String dialogue, SandboxId sandbox) {
    var asking =
        new MessageEvent(
            "A1",
            "Ev1",
            MessageEvent.Kind.MESSAGE,
            "T1",
            "CJOBS",
            false,
            thread.root(),
            Optional.empty(),
            "U1",
            Optional.empty(),
            true,
            "do it",
            List.of(),
            false,
            List.of(),
            List.of());
    return new Jobs.Wish(thread, 1, dialogue, sandbox, asking, "make it", Duration.ofMinutes(10));
  }

  private String begun(String dialogue) {
    return begun(dialogue, SOME);
  }

  private String begun(String dialogue, SandboxId sandbox) {
    return assertInstanceOf(Jobs.Answer.Begin.class, jobs.begin(wish(dialogue, sandbox))).id();
  }

  private static JobState ended(String job) {
    return new JobState(
        job, Standing.EXITED, OptionalInt.of(0), Duration.ofSeconds(3), "the last line\n");
  }

  /// What the thread is to be gone on with now.
  private List<String> followUps() {
    return inbox
        .claim(thread, Await.soon())
        .map(
            claimed -> {
              try (Claim claim = claimed) {
                var texts =
                    claim.messages().stream().map(it -> it.event().written(name -> name)).toList();
                claim.settle("DONE");
                return texts;
              }
            })
        .orElse(List.of());
  }

  private static <T> List<T> atOnce(int times, Callable<T> work) throws Exception {
    try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = all.invokeAll(IntStream.range(0, times).mapToObj(_ -> work).toList());
      return done.stream().map(Future::resultNow).toList();
    }
  }

  @Test
  void of_many_who_hear_of_an_end_at_once_one_gives_it_to_the_conversation() throws Exception {
    var job = begun("d1");

    var woken = atOnce(20, () -> jobs.over(ended(job)));

    assertEquals(1, woken.stream().filter(Optional::isPresent).count());
    var told = followUps();
    assertEquals(1, told.size());
    assertTrue(told.getFirst().contains(job + " that you began for this person completed"));
    assertTrue(told.getFirst().contains("the last line"));
    assertEquals(Optional.empty(), jobs.over(ended(job)));
    assertEquals(List.of(), followUps());
  }

  @Test
  void of_what_has_not_ended_nothing_is_settled() {
    var job = begun("d1");

    var running = new JobState(job, Standing.RUNNING, OptionalInt.empty(), Duration.ZERO, "");

    assertEquals(Optional.empty(), jobs.over(running));
    assertTrue(jobs.isAnyRunning(thread));
    assertEquals(Optional.empty(), jobs.over(ended("job-nobodys")));
  }

  @Test
  void asked_for_again_by_whoever_took_over_it_is_the_same_job() {
    assertEquals(begun("d1"), begun("d1"));
    assertNotEquals(begun("d1"), begun("d2"));
  }

  @Test
  void of_those_that_begin_at_once_ten_may_run_until_one_is_over() throws Exception {
    var dialogues = new AtomicInteger();

    var answers = atOnce(25, () -> jobs.begin(wish("d" + dialogues.incrementAndGet(), SOME)));

    var begun = answers.stream().filter(Jobs.Answer.Begin.class::isInstance).toList();
    assertEquals(10, begun.size());
    jobs.over(ended(((Jobs.Answer.Begin) begun.getFirst()).id()));
    begun("later");
    assertInstanceOf(Jobs.Answer.No.class, jobs.begin(wish("one too many", SOME)));
  }

  @Test
  void a_job_may_take_six_hours_and_no_second_more() {
    var most = Duration.ofHours(6);

    assertInstanceOf(Jobs.Answer.Begin.class, jobs.begin(limited("d1", most)));
    assertInstanceOf(Jobs.Answer.No.class, jobs.begin(limited("d2", most.plusSeconds(1))));
    assertInstanceOf(Jobs.Answer.No.class, jobs.begin(limited("d3", Duration.ZERO)));
  }

  private Jobs.Wish limited(String dialogue, Duration limit) {
    var wish = wish(dialogue, SOME);
    return new Jobs.Wish(wish.thread(), 1, dialogue, SOME, wish.asking(), wish.command(), limit);
  }

  @Test
  void who_was_overtaken_begins_nothing() {
    sql("update threads set fence = 2 where thread_id = '%s'".formatted(thread));

    assertInstanceOf(Jobs.Answer.No.class, jobs.begin(wish("d1", SOME)));
  }

  @Test
  void an_end_that_the_agent_has_seen_itself_is_not_told_again() {
    var before = begun("d1");
    jobs.told(thread, before);
    var after = begun("d2");

    assertEquals(Optional.empty(), jobs.over(ended(before)));
    jobs.over(ended(after));
    jobs.told(thread, after);

    assertEquals(List.of(), followUps());
  }

  @Test
  void another_conversations_job_is_as_unknown_as_one_that_never_was() {
    var job = begun("d1");
    var other = new ThreadKey("T1", "COTHER", "1700000000.000001");

    jobs.told(other, job);

    assertTrue(jobs.status(thread, job).isPresent());
    assertEquals(Optional.empty(), jobs.status(other, job));
    assertEquals(Optional.empty(), jobs.status(thread, "job-nobodys"));
    assertTrue(jobs.over(ended(job)).isPresent());
  }

  @Test
  void several_ends_are_one_turn() {
    var jobsOver = IntStream.range(0, 3).mapToObj(at -> begun("d" + at)).toList();
    jobsOver.forEach(job -> jobs.over(ended(job)));

    assertEquals(3, followUps().size());
    assertEquals(List.of(), followUps());
  }

  private SandboxId machine() throws InterruptedException {
    var id =
        sandboxes
            .create(
                "gorkie-jobs-" + thread.root().replace('.', '-'),
                Map.of("app", "gorkie"),
                Deadline.in(Duration.ofSeconds(30)))
            .id();
    sql(
        """
        insert into sandbox_sessions (thread_id, sandbox_id, sandbox_name, session_id, status, fence)
        values ('%s', '%s', 'a name', 'a session', 'active', 1)
        """
            .formatted(thread, id));
    return id;
  }

  private String onlyFollowUp() {
    var told = followUps();
    assertEquals(1, told.size());
    return told.getFirst();
  }

  @Test
  void what_its_keeper_has_never_heard_of_is_lost_after_a_while_and_not_at_once() throws Exception {
    var job = begun("d1", machine());

    jobs.look();
    assertEquals(List.of(), followUps());
    sql(
        "update jobs set begun_at = begun_at - interval '3 minutes' where job_id = '%s'"
            .formatted(job));
    assertEquals(List.of(thread), jobs.look());

    assertTrue(onlyFollowUp().contains("it was lost"));
  }

  @Test
  void what_its_keeper_says_nothing_of_is_lost_when_it_must_be_over() throws Exception {
    var job = begun("d1", machine());
    var silence = "{\"exitCode\":137,\"result\":\"\"}";

    daytona.answer("POST", "/process/execute$", 1, 200, silence);
    assertEquals(List.of(), jobs.look());
    sql(
        "update jobs set begun_at = begun_at - interval '3 hours' where job_id = '%s'"
            .formatted(job));
    daytona.answer("POST", "/process/execute$", 1, 200, silence);
    assertEquals(List.of(thread), jobs.look());

    assertTrue(onlyFollowUp().contains("it was lost"));
  }

  @Test
  void each_look_says_that_a_machine_with_a_job_is_in_use_and_of_one_without_nothing()
      throws Exception {
    var machine = machine();
    jobs.look();
    assertEquals(0, daytona.requests("POST", machine + "/last-activity"));
    begun("d1", machine);

    jobs.look();
    jobs.look();

    assertEquals(2, daytona.requests("POST", machine + "/last-activity"));
  }

  @Test
  void a_machine_that_sleeps_is_believed_to_at_the_second_look() throws Exception {
    var machine = machine();
    begun("d1", machine);
    sandboxes.stop(machine);

    assertEquals(List.of(), jobs.look());
    assertEquals(List.of(thread), jobs.look());

    assertTrue(onlyFollowUp().contains("it was lost"));
  }

  @Test
  void a_job_on_a_machine_that_is_no_more_the_threads_is_lost() throws Exception {
    machine();
    begun("d1", SOME);

    assertEquals(List.of(thread), jobs.look());
  }

  @Test
  void a_job_on_a_machine_that_was_deleted_is_lost() throws Exception {
    var machine = machine();
    begun("d1", machine);
    daytona.delete(machine.value());

    assertEquals(List.of(thread), jobs.look());
  }

  @Test
  void a_machine_that_cannot_be_asked_keeps_its_job_until_it_must_be_over() throws Exception {
    var machine = machine();
    var job = begun("d1", machine);
    daytona.answer("GET", "/api/sandbox/[^/]+$", 100, 401, "{}");

    assertEquals(List.of(), jobs.look());
    sql(
        "update jobs set begun_at = begun_at - interval '71 minutes' where job_id = '%s'"
            .formatted(job));
    assertEquals(List.of(thread), jobs.look());
  }

  @Test
  void a_job_that_nobody_asks_for_any_more_is_forgotten_after_a_month() throws Exception {
    var job = begun("d1");
    jobs.over(ended(job));
    sql(
        "update jobs set over_at = over_at - interval '31 days' where job_id = '%s'"
            .formatted(job));

    jobs.look();

    assertEquals(Optional.empty(), jobs.status(thread, job));
  }
}
