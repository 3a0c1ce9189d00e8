package dev.gorkie.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.Deadline;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.SlackEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class InboxTest {

  private static final AtomicInteger CHANNELS = new AtomicInteger();

  @Inject Inbox inbox;
  @Inject Vigil vigil;
  @Inject Database database;
  @Inject Statements statements;

  // One of them is kept for leases.
  @ConfigProperty(name = "quarkus.datasource.jdbc.max-size")
  int connections;

  private final String channel = "C" + CHANNELS.incrementAndGet();

  @Test
  void a_clock_that_runs_although_nobody_has_begun_it_may_be_stopped() {
    vigil.giveUp();

    assertTrue(vigil.end(Duration.ofMinutes(10)));
    assertTrue(vigil.begin());
    assertFalse(vigil.end(Duration.ofMinutes(10)));
  }

  @Test
  void a_message_is_taken_in_once_however_often_it_is_delivered() throws Exception {
    var mention = mention("1700000001.000100").text("hello");
    var deliveries = new ArrayList<Callable<Accepted>>();
    for (var i = 0; i < 16; i++) {
      deliveries.add(() -> accept(mention));
    }

    List<Accepted> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var answer : threads.invokeAll(deliveries)) {
        answers.add(answer.get());
      }
    }

    assertEquals(1, answers.stream().filter(a -> a == Accepted.WAITING).count());
    assertEquals(15, answers.stream().filter(a -> a == Accepted.KNOWN).count());
    try (var claim = claim(thread("1700000001.000100"))) {
      assertEquals(List.of("hello"), texts(claim));
    }
  }

  @Test
  void of_a_mentions_two_events_the_fuller_one_stays_in_either_order() {
    accept(mention("1700000002.000100").text("first"));
    accept(message("1700000002.000100").text("first").mentioning().withFile());
    accept(message("1700000002.000200").text("second").mentioning().withFile());
    accept(mention("1700000002.000200").text("second"));

    for (var root : List.of("1700000002.000100", "1700000002.000200")) {
      try (var claim = claim(thread(root))) {
        assertEquals(1, claim.messages().size());
        assertEquals(1, claim.messages().getFirst().event().files().size());
      }
    }
  }

  @Test
  void what_a_turn_has_claimed_is_not_exchanged_under_it() {
    accept(mention("1700000003.000100").text("bare"));
    try (var claim = claim(thread("1700000003.000100"))) {
      assertEquals(
          Accepted.KNOWN,
          accept(message("1700000003.000100").text("bare").mentioning().withFile()));
      claim.settle("DONE");
    }

    assertTrue(inbox.claim(thread("1700000003.000100"), Await.soon()).isEmpty());
  }

  @Test
  void messages_of_one_root_come_together_and_in_the_order_they_were_written() {
    accept(mention("1700000004.000100").text("root"));
    accept(message("1700000004.000300").under("1700000004.000100").text("third"));
    accept(message("1700000004.000200").under("1700000004.000100").text("second"));

    try (var claim = claim(thread("1700000004.000100"))) {
      assertEquals(List.of("root", "second", "third"), texts(claim));
    }
  }

  @Test
  void roots_of_one_direct_conversation_have_turns_of_their_own() {
    accept(direct("1700000005.000100").text("one thing"));
    accept(direct("1700000005.000200").text("another"));
    accept(direct("1700000005.000300").under("1700000005.000100").text("more of the one"));
    var person = ThreadKey.direct("T1", "U" + channel);

    try (var claim = claim(person)) {
      assertEquals(List.of("one thing", "more of the one"), texts(claim));
      claim.settle("DONE");
    }
    try (var claim = claim(person)) {
      assertEquals(List.of("another"), texts(claim));
    }
  }

  @Test
  void talk_in_a_thread_is_ours_only_where_a_mention_began_it() {
    accept(mention("1700000006.000100").text("come in"));
    accept(message("1700000006.000250").under("1700000006.000200").mentioning().text("just here"));

    assertEquals(
        Accepted.WAITING,
        accept(message("1700000006.000300").under("1700000006.000100").text("and then")));
    assertEquals(
        Accepted.NOT_FOR_US,
        accept(message("1700000006.000400").under("1700000006.000200").text("among ourselves")));
    assertEquals(
        Accepted.NOT_FOR_US,
        accept(message("1700000006.000500").under("1700000006.000450").text("elsewhere")));
  }

  @Test
  void of_many_workers_one_has_the_thread() throws Exception {
    accept(mention("1700000007.000100").text("mine"));
    var thread = thread("1700000007.000100");
    var workers = new ArrayList<Callable<Optional<Claim>>>();
    for (var i = 0; i < 20; i++) {
      workers.add(() -> inbox.claim(thread, Await.soon()));
    }

    var claims = new ArrayList<Claim>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var claim : threads.invokeAll(workers)) {
        claim.get().ifPresent(claims::add);
      }
    }

    assertEquals(1, claims.size());
    claims.getFirst().close();
  }

  @Test
  void while_no_connection_is_free_a_thread_is_waited_for_by_one() throws Exception {
    accept(mention("1700000007.000200").text("mine"));
    var thread = thread("1700000007.000200");
    var inside = new CountDownLatch(connections);
    var release = new CountDownLatch(1);
    try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 1; i < connections; i++) {
        people.submit(() -> database.transaction(() -> waitFor(inside, release)));
      }
      inside.countDown();
      inside.await();

      var workers = new ExecutorCompletionService<Optional<Claim>>(people);
      try {
        workers.submit(() -> inbox.claim(thread, Await.soon()));
        workers.submit(() -> inbox.claim(thread, Await.soon()));
        assertEquals(Optional.empty(), workers.take().get());
      } finally {
        release.countDown();
      }
      workers.take().get().orElseThrow().close();
    }
  }

  @Test
  void who_comes_too_late_for_a_thread_leaves_it_as_it_is() {
    accept(mention("1700000007.000300").text("mine"));
    var thread = thread("1700000007.000300");

    assertEquals(Optional.empty(), inbox.claim(thread, Deadline.in(Duration.ZERO)));
    try (var claim = claim(thread)) {
      assertEquals(1, claim.attempts());
    }
  }

  private static boolean waitFor(CountDownLatch inside, CountDownLatch release) {
    inside.countDown();
    try {
      release.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @Test
  void threads_do_not_wait_for_each_other() {
    accept(mention("1700000008.000100").text("a"));
    accept(mention("1700000008.000200").text("b"));

    try (var one = claim(thread("1700000008.000100"));
        var other = claim(thread("1700000008.000200"))) {
      assertEquals(List.of("a"), texts(one));
      assertEquals(List.of("b"), texts(other));
    }
  }

  @Test
  void a_time_that_came_to_nothing_by_nobodys_fault_is_not_counted() {
    accept(mention("1700000009.000300").text("unfinished"));
    var thread = thread("1700000009.000300");
    claim(thread).close();
    var unlucky = claim(thread);
    unlucky.forgive();
    unlucky.close();
    unlucky.close();

    try (var third = claim(thread)) {
      assertEquals(2, third.attempts());
    }
  }

  @Test
  void a_message_of_four_hours_ago_is_forgiven_nothing_any_more() {
    for (var age : Map.of("3 hours 59 minutes", 1, "4 hours 1 minute", 2).entrySet()) {
      var ts = "1700000009.00050" + age.getValue();
      accept(mention(ts).text("unfinished"));
      write(
          "update inbox set accepted_at = now() - interval '%s' where ts = '%s'"
              .formatted(age.getKey(), ts));
      var unlucky = claim(thread(ts));
      unlucky.forgive();
      unlucky.close();

      try (var next = claim(thread(ts))) {
        assertEquals(age.getValue(), next.attempts(), age.getKey());
      }
    }
  }

  @Test
  void who_has_lost_the_thread_takes_no_time_back() {
    accept(mention("1700000009.000400").text("unfinished"));
    var thread = thread("1700000009.000400");
    var late = claim(thread);
    lapse(thread);

    try (var next = claim(thread)) {
      late.forgive();
      late.close();
      next.close();
      try (var last = claim(thread)) {
        assertEquals(3, last.attempts());
      }
    }
  }

  @Test
  void a_claim_given_back_is_the_same_turn_again_under_a_higher_fence() {
    accept(mention("1700000009.000100").text("unfinished"));
    var thread = thread("1700000009.000100");
    var first = claim(thread);
    first.close();
    accept(message("1700000009.000200").under("1700000009.000100").text("later"));

    try (var second = claim(thread)) {
      assertEquals(first.turn(), second.turn());
      assertTrue(second.fence() > first.fence());
      assertEquals(2, second.attempts());
      assertEquals(List.of("unfinished"), texts(second));
      assertTrue(second.settle("DONE"));
    }
    try (var next = claim(thread)) {
      assertEquals(List.of("later"), texts(next));
    }
  }

  @Test
  void a_worker_whose_lease_lapsed_settles_nothing_any_more() {
    accept(mention("1700000010.000100").text("slow"));
    var thread = thread("1700000010.000100");
    try (var slow = claim(thread)) {
      lapse(thread);
      assertEquals(
          List.of(thread),
          inbox.abandoned(Duration.ZERO, 100).stream().filter(thread::equals).toList());
      try (var fast = claim(thread)) {
        assertFalse(slow.settle("DONE"));
        assertTrue(fast.settle("DONE"));
      }
    }

    assertTrue(inbox.claim(thread, Await.soon()).isEmpty());
  }

  @Test
  void what_was_taken_in_only_now_has_somebody_on_the_way_to_it() {
    var onTheWay = Duration.ofSeconds(5);
    accept(mention("1700000077.000100").text("now"));
    var thread = thread("1700000077.000100");

    assertFalse(inbox.abandoned(onTheWay, 100).contains(thread));
    assertTrue(inbox.isAnyUnderWay());

    write(
        "update inbox set accepted_at = accepted_at - interval '5 seconds' where thread_id = '"
            + thread
            + "'");
    assertTrue(inbox.abandoned(onTheWay, 100).contains(thread));

    accept(mention("1700000077.000200").text("and now"));
    var slow = thread("1700000077.000200");
    try (var _ = claim(slow)) {
      lapse(slow);
      assertTrue(inbox.abandoned(onTheWay, 100).contains(slow));
    }
  }

  @Test
  void settled_work_of_a_worker_who_died_before_he_was_done_is_somebody_elses() {
    write("delete from inbox");
    write("update threads set lease_until = null");
    accept(mention("1700000013.000100").text("slow"));
    var thread = thread("1700000013.000100");
    var killed = claim(thread);
    assertTrue(killed.settle("DONE"));
    assertTrue(inbox.isAnyUnderWay());
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));

    lapse(thread);

    assertTrue(inbox.isAnyUnderWay());
    assertEquals(List.of(thread), inbox.abandoned(Duration.ofHours(1), 100));
    try (var next = claim(thread)) {
      assertEquals(killed.turn(), next.turn());
      assertEquals(List.of("slow"), texts(next));
      assertEquals(1, next.attempts());
      assertTrue(next.lapsed().isPresent());
      assertFalse(next.settle("DONE"));
      next.finish();
    }
    passes(thread, "1 minute");
    assertFalse(inbox.isAnyUnderWay());
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
  }

  @Test
  void what_a_dead_worker_had_settled_goes_before_what_waits() {
    accept(mention("1700000013.000200").text("settled"));
    var thread = thread("1700000013.000200");
    assertTrue(claim(thread).settle("DONE"));
    accept(message("1700000013.000300").under("1700000013.000200").text("waits"));
    lapse(thread);

    try (var next = claim(thread)) {
      assertTrue(next.isOver());
      assertEquals(List.of("settled"), texts(next));
    }
    try (var next = claim(thread)) {
      assertFalse(next.isOver());
      assertEquals(List.of("waits"), texts(next));
      assertTrue(next.settle("DONE"));
    }
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
  }

  @Test
  void what_was_taken_back_in_a_dead_workers_hands_is_over() {
    var said = mention("1700000013.000500").text("never mind");
    accept(said);
    var thread = thread("1700000013.000500");
    var killed = claim(thread);
    delete(said);
    lapse(thread);

    try (var next = claim(thread)) {
      assertTrue(next.isOver());
      assertEquals(killed.turn(), next.turn());
    }
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
  }

  @Test
  void what_a_worker_could_not_do_at_once_somebody_comes_back_to_in_a_while_and_not_for_ever() {
    accept(mention("1700000013.000600").text("done, but for the sign"));
    var thread = thread("1700000013.000600");
    try (var claim = claim(thread)) {
      assertTrue(claim.settle("DONE"));
    }

    assertFalse(inbox.abandoned(Duration.ZERO, 100).contains(thread));
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
    passes(thread, "20 seconds");
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
    passes(thread, "10 seconds");
    assertTrue(inbox.abandoned(Duration.ZERO, 100).contains(thread));
    write(
        "update inbox set settled_at = settled_at - interval '1 hour' where thread_id = '%s'"
            .formatted(thread));
    assertFalse(inbox.abandoned(Duration.ZERO, 100).contains(thread));
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
  }

  @Test
  void a_stop_that_a_dead_worker_had_taken_is_still_wanted() {
    accept(mention("1700000013.000700").text("long"));
    var thread = thread("1700000013.000700");
    var killed = claim(thread);
    assertEquals(1, killed.give().size());
    accept(message("1700000013.000800").under("1700000013.000700").text("!stop"));
    Await.until(killed::isStopWanted);
    assertEquals(Optional.empty(), killed.stopTaken());
    var taken = killed.mail();
    lapse(thread);

    try (var next = claim(thread)) {
      assertTrue(next.isStopWanted());
      assertEquals(taken.getFirst().id(), next.stopTaken().orElseThrow().id());
      assertTrue(next.settle("STOPPED"));
    }
  }

  @Test
  void what_began_a_turn_stands_first_also_where_an_older_word_steered_it() {
    accept(mention("1700000013.000900").text("root"));
    try (var done = claim(thread("1700000013.000900"))) {
      assertTrue(done.settle("DONE"));
    }
    var thread = thread("1700000013.000900");
    accept(message("1700000013.001100").under("1700000013.000900").text("asks"));
    var first = claim(thread);
    assertEquals(1, first.give().size());
    accept(message("1700000013.001000").under("1700000013.000900").text("was late"));
    Await.until(first::hasMail);
    assertEquals(1, first.mail().size());
    lapse(thread);

    try (var next = claim(thread)) {
      assertEquals(List.of("asks", "was late"), texts(next));
      assertTrue(next.settle("DONE"));
    }
  }

  @Test
  void a_stop_reaches_a_turn_that_waits_for_a_person_also_when_its_first_message_was_taken_back() {
    var said = mention("1700000013.001200").text("never mind");
    accept(said);
    accept(message("1700000013.001300").under("1700000013.001200").text("but this"));
    var thread = thread("1700000013.001200");
    try (var claim = claim(thread)) {
      delete(said);
      assertEquals(1, claim.give().size());
      assertTrue(
          database.transaction(
              () ->
                  inbox.suspend(
                      thread, claim.fence(), Instant.now().plus(Duration.ofHours(1)), false)));
    }
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));

    accept(message("1700000013.001400").under("1700000013.001200").text("!stop"));

    assertTrue(inbox.claim(thread, Await.soon()).isPresent());
  }

  @Test
  void a_thread_that_was_held_for_no_turn_is_nobodys_when_the_lease_lapses() {
    accept(mention("1700000013.000400").text("done"));
    var thread = thread("1700000013.000400");
    try (var claim = claim(thread)) {
      assertTrue(claim.settle("DONE"));
      claim.finish();
    }
    assertTrue(inbox.hold(thread).isPresent());
    lapse(thread);

    assertFalse(inbox.abandoned(Duration.ZERO, 100).contains(thread));
    assertEquals(Optional.empty(), inbox.claim(thread, Await.soon()));
  }

  @Test
  void who_follows_on_a_lapsed_lease_knows_since_when_and_who_follows_on_a_given_one_does_not() {
    accept(mention("1700000011.000100").text("slow"));
    var thread = thread("1700000011.000100");
    try (var slow = claim(thread)) {
      assertEquals(Optional.empty(), slow.lapsed());
      lapse(thread);
      try (var fast = claim(thread)) {
        var ago = Duration.between(fast.lapsed().orElseThrow(), Instant.now());
        assertTrue(ago.compareTo(Duration.ofSeconds(1)) >= 0, ago.toString());
      }
    }

    try (var next = claim(thread)) {
      assertEquals(Optional.empty(), next.lapsed());
    }
  }

  @Test
  void a_claim_lasts_as_long_as_its_lease_and_counts_among_its_workspaces_turns() {
    accept(mention("1700000012.000100").text("a"));
    accept(mention("1700000012.000200").text("b"));
    try (var one = claim(thread("1700000012.000100"))) {
      var alone = one.turns();
      try (var _ = claim(thread("1700000012.000200"))) {
        assertTrue(one.isOurs());
        assertEquals(alone + 1, one.turns());
      }

      assertTrue(one.isOurs());
      assertEquals(alone, one.turns());
      assertTrue(one.isHeldFor(Duration.ofSeconds(12)));
      assertFalse(one.isHeldFor(Duration.ofSeconds(31)));
    }
  }

  @Test
  void programs_are_counted_in_a_thread_until_a_person_writes_there() {
    var root = "1700000014.000100";
    programs(message(root).mentioning());
    for (var at = 2; at <= 4; at++) {
      programs(message("1700000014.000" + at + "00").under(root).mentioning());
    }

    assertEquals(new Heard(0, ""), inbox.programsBefore(event(message(root))));
    assertEquals(
        new Heard(3, "1700000014.000300"),
        inbox.programsBefore(event(message("1700000014.000400").under(root))));
    accept(message("1700000014.000500").under(root).text("a person, at last"));
    assertEquals(
        new Heard(0, ""), inbox.programsBefore(event(message("1700000014.000600").under(root))));
    assertEquals(new Heard(0, ""), inbox.programsBefore(event(message("1700000014.000700"))));
  }

  @Test
  void a_program_is_counted_for_an_hour_wherever_it_speaks() {
    programs(message("1700000000.000100").mentioning());
    programs(message("1700000100.000100").mentioning());
    programs(message("1700003000.000100").under("1700000100.000100").mentioning());

    assertEquals(
        new Heard(3, "1700003000.000100"), inbox.heardBefore(event(message("1700003599.000100"))));
    assertEquals(
        new Heard(2, "1700003000.000100"), inbox.heardBefore(event(message("1700003600.000200"))));
    assertEquals(new Heard(0, ""), inbox.heardBefore(event(message("1700000000.000100"))));
  }

  @Test
  void in_a_channel_that_was_left_no_thread_is_followed() {
    accept(mention("1700000015.000100").text("come in"));
    accept(message("1700000015.000200").under("1700000015.000100").text("and go on"));

    database.transaction(
        () -> {
          inbox.leaveChannel("T1", channel);
          return true;
        });

    assertEquals(
        Accepted.NOT_FOR_US,
        accept(message("1700000015.000300").under("1700000015.000100").text("among ourselves")));
    assertEquals(
        Accepted.WAITING,
        accept(message("1700000015.000400").under("1700000015.000100").mentioning()));
  }

  /// Each in a channel of this test's own, and so by a program of its own.
  private void programs(Said said) {
    var payload = said.programsJson().getBytes(StandardCharsets.UTF_8);
    inbox.accept(SlackEvent.read(payload), payload);
  }

  private static MessageEvent event(Said said) {
    return SlackEvent.read(said.mentioning().programsJson().getBytes(StandardCharsets.UTF_8))
        .written()
        .orElseThrow();
  }

  @Test
  void the_age_of_what_waits_longest_counts_as_long_as_nobody_works_on_it() {
    accept(mention("1700000013.000100").text("forgotten"));
    write(
        "update inbox set accepted_at = now() - interval '10 years' where channel = '%s'"
            .formatted(channel));
    var years = Duration.ofDays(3_650);

    assertTrue(inbox.oldestWaiting().compareTo(years) > 0);
    try (var claim = claim(thread("1700000013.000100"))) {
      assertTrue(inbox.oldestWaiting().compareTo(years) < 0);
      claim.settle("DONE");
    }
    assertTrue(inbox.oldestWaiting().compareTo(years) < 0);
  }

  private void delete(Said said) {
    var payload = said.deletedJson().getBytes(StandardCharsets.UTF_8);
    assertEquals(Accepted.CHANGED, inbox.accept(SlackEvent.read(payload), payload));
  }

  private void passes(ThreadKey thread, String interval) {
    write(
        "update threads set updated_at = updated_at - interval '%s' where thread_id = '%s'"
            .formatted(interval, thread));
  }

  private void lapse(ThreadKey thread) {
    write(
        "update threads set lease_until = now() - interval '1 second' where thread_id = '"
            + thread
            + "'");
  }

  private void write(String sql) {
    database.transaction(() -> statements.of(sql).executeUpdate());
  }

  private Claim claim(ThreadKey thread) {
    return inbox.claim(thread, Await.soon()).orElseThrow();
  }

  private ThreadKey thread(String root) {
    return new ThreadKey("T1", channel, root);
  }

  private Accepted accept(Said said) {
    var payload = said.json().getBytes(StandardCharsets.UTF_8);
    return inbox.accept(SlackEvent.read(payload), payload);
  }

  private static List<String> texts(Claim claim) {
    return claim.messages().stream().map(m -> m.event().written(user -> user)).toList();
  }

  private Said mention(String ts) {
    return new Said("app_mention", channel, "channel", ts, ts, "", false, "U1").mentioning();
  }

  private Said message(String ts) {
    return new Said("message", channel, "channel", ts, ts, "", false, "U1" + channel);
  }

  private Said direct(String ts) {
    return new Said("message", "D" + channel, "im", ts, ts, "", false, "U" + channel);
  }
}
