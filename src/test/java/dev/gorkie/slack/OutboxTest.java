package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.HoldLost;
import dev.gorkie.RealDatabase;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.FileView;
import dev.gorkie.local.slack.MessageView;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class OutboxTest {

  private static final Duration HARDLY = Duration.ofMillis(50);
  private static final String LONG = "word ".repeat(3_000).strip();
  private static final String HASH = Hash.of("the file");

  @Inject Tables tables;
  private SlackAtHand slack;

  @BeforeEach
  void open() {
    slack = new SlackAtHand(tables);
  }

  @AfterEach
  void close() {
    slack.close();
  }

  // Answers that were lost

  @Test
  void an_answer_that_arrived_although_we_did_not_hear_so_is_not_said_again()
      throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.AnswerLost());

    answer("turn-1", "Once.");

    assertEquals(List.of("Once."), texts());
    assertEquals(Optional.of(slack.said().getFirst().ts()), tables.row("turn-1", "answer-1").ts());
  }

  @Test
  void an_answer_that_never_arrived_is_said_again() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.NeverArrived());
    slack.workspace.fail("chat.postMessage", 1, new Fault.Status(503));
    slack.workspace.fail("chat.postMessage", 1, new Fault.Refused("internal_error"));

    answer("turn-1", "At last.");

    assertEquals(List.of("At last."), texts());
  }

  @Test
  void a_lost_answer_is_found_on_a_later_page_of_a_long_thread() throws InterruptedException {
    for (var i = 0; i < 40; i++) {
      slack.workspace.reply("general", slack.address.rootTs(), "grace", "meanwhile " + i);
    }
    slack.workspace.pageMax(15);
    slack.workspace.fail("chat.postMessage", 1, new Fault.AnswerLost());

    answer("turn-1", "Once.");

    assertEquals(List.of("Once."), texts());
  }

  @Test
  void what_was_said_is_kept_no_longer_than_until_it_is_there() throws InterruptedException {
    answer("turn-1", LONG);

    assertTrue(
        tables.of("turn-1").stream()
            .allMatch(row -> row.is(OutboxRow.CONFIRMED) && row.body().isEmpty()));
    assertTrue(tables.of("turn-1").stream().allMatch(row -> row.hash.length() == 64));
  }

  @Test
  void what_nobody_can_tell_of_is_not_said_again_until_somebody_can() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.AnswerLost());
    slack.workspace.fail("conversations.replies", 100, new Fault.Status(500));

    assertTrue(answer("turn-1", "Perhaps."));
    slack.replies().resolve(10);

    assertEquals(OutboxRow.AMBIGUOUS, tables.state("turn-1", "answer-1"));
    tables.passes("1 hour");
    slack.replies().resolve(10);
    assertEquals(OutboxRow.AMBIGUOUS, tables.state("turn-1", "answer-1"));
    slack.workspace.heal();
    tables.passes("1 hour");
    slack.replies().resolve(10);
    assertEquals(OutboxRow.CONFIRMED, tables.state("turn-1", "answer-1"));
    assertEquals(List.of("Perhaps."), texts());
    assertEquals(1, slack.workspace.calls("chat.postMessage").size());
  }

  @Test
  void what_turns_out_not_to_be_there_is_said_then() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.NeverArrived());
    slack.workspace.fail("conversations.replies", 1, new Fault.Refused("missing_scope"));

    assertTrue(answer("turn-1", "Perhaps."));
    assertEquals(List.of(), texts());
    tables.passes("1 hour");
    slack.replies().resolve(10);

    assertEquals(List.of("Perhaps."), texts());
  }

  @Test
  void what_a_sweep_could_not_bring_to_an_end_either_is_the_next_ones()
      throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.NeverArrived());
    slack.workspace.fail("conversations.replies", 1, new Fault.Refused("missing_scope"));
    answer("turn-1", "Perhaps.");
    slack.workspace.fail("chat.postMessage", 1, new Fault.RateLimited(Duration.ofMinutes(30)));
    tables.passes("1 hour");
    slack.replies().resolve(10);
    assertEquals(OutboxRow.PENDING, tables.state("turn-1", "answer-1"));
    assertTrue(slack.replies().haveLeftovers());

    tables.passes("1 hour");
    slack.replies().resolve(10);

    assertEquals(List.of("Perhaps."), texts());
    assertFalse(slack.replies().haveLeftovers());
  }

  @Test
  void two_who_look_after_what_is_left_say_it_once() throws Exception {
    slack.workspace.fail("chat.postMessage", 1, new Fault.NeverArrived());
    slack.workspace.fail("conversations.replies", 1, new Fault.Refused("missing_scope"));
    answer("turn-1", "Perhaps.");
    tables.passes("1 hour");

    var sweeps = List.of(sweep(), sweep(), sweep());
    for (var sweep : sweeps) {
      sweep.join();
    }

    assertEquals(List.of("Perhaps."), texts());
  }

  @Test
  void a_place_that_opens_again_gets_its_answer_after_all() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.Refused("is_archived"));

    assertTrue(answer("turn-1", "Later."));
    tables.passes("1 hour");
    slack.replies().resolve(10);

    assertEquals(List.of("Later."), texts());
  }

  @Test
  void a_long_answers_file_is_there_once_whatever_is_lost() throws Exception {
    slack.workspace.fail("files.getUploadURLExternal", 1, new Fault.AnswerLost());
    slack.workspace.fail("upload", 1, new Fault.AnswerLost());
    slack.workspace.fail("files.completeUploadExternal", 1, new Fault.AnswerLost());
    slack.workspace.fail("files.info", 1, new Fault.Status(500));

    answer("turn-1", LONG.repeat(3));

    assertEquals(1, files(1).size());
    assertEquals(LONG.repeat(3), files(1).getFirst().text());
    assertEquals(2, slack.said().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "files.getUploadURLExternal",
        "upload",
        "files.completeUploadExternal",
        "files.info"
      })
  void a_file_is_shown_once_whatever_answer_is_lost(String method) throws Exception {
    slack.workspace.fail(method, 1, new Fault.AnswerLost());
    slack.workspace.fail("files.completeUploadExternal", 1, new Fault.NeverArrived());

    try (var reply = slack.open("turn-1")) {
      upload(reply);
      upload(reply);
    }

    assertEquals(List.of("the file"), files(1).stream().map(FileView::text).toList());
    assertEquals(OutboxRow.CONFIRMED, tables.state("turn-1", "file-" + HASH));
  }

  @Test
  void a_file_of_which_nobody_can_tell_is_shown_once_in_the_end() throws Exception {
    slack.workspace.fail("files.completeUploadExternal", 1, new Fault.NeverArrived());
    slack.workspace.fail("files.info", 3, new Fault.Status(500));
    try (var reply = slack.open("turn-1")) {
      var failure = assertThrows(Failure.class, () -> upload(reply));

      assertEquals(SlackFailure.UNSURE, failure.code());
    }
    tables.passes("1 hour");
    slack.replies().resolve(10);

    assertEquals(List.of("the file"), files(1).stream().map(FileView::text).toList());
  }

  // Workers that take over

  @Test
  void who_takes_over_says_only_what_is_missing() throws InterruptedException {
    slack.workspace.limit("chat.postMessage", 1, Duration.ofHours(1));
    try (var lost = slack.open("turn-1", new TestHold(1), Deadline.in(HARDLY))) {
      assertFalse(slack.answers(lost, LONG));
    }
    slack.workspace.heal();
    tables.passes("2 hours");

    try (var successor = slack.open("turn-1", new TestHold(2))) {
      assertTrue(successor.deliver());
    }

    assertEquals(LONG, String.join(" ", texts()));
  }

  @Test
  void who_takes_over_a_decided_turn_needs_no_more_than_its_rows() throws InterruptedException {
    var hold = new TestHold(1);
    try (var first = slack.open("turn-1", hold)) {
      first.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
      slack.decides(first, new LastWord.Answer("Done."));
      hold.lose();
    }
    assertTrue(texts().getFirst().startsWith("Working"), texts()::toString);

    try (var second = slack.open("turn-1", new TestHold(2))) {
      assertTrue(second.deliver());
    }

    assertTrue(texts().getFirst().startsWith("Done\n"), texts()::toString);
    assertEquals("Done.", texts().getLast());
    assertEquals(2, texts().size());
  }

  @Test
  void a_card_is_ended_by_the_sweep_when_nobody_else_could() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
      slack.workspace.fail("chat.update", 1_000, new Fault.Status(500));
      slack.answers(reply, "Done.");
    }
    assertTrue(texts().getFirst().startsWith("Working"), texts()::toString);
    slack.workspace.heal();
    tables.passes("1 hour");

    slack.replies().resolve(10);

    assertTrue(texts().getFirst().startsWith("Done\n"), texts()::toString);
    assertTrue(tables.row("turn-1", "card").body().isEmpty());
  }

  @Test
  void who_takes_over_goes_on_with_the_card_that_is_there() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.AnswerLost());
    slack.workspace.fail("conversations.replies", 1_000, new Fault.Status(500));
    try (var first = slack.open("turn-1", new TestHold(1))) {
      first.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
    }
    slack.workspace.heal();
    assertEquals(OutboxRow.SENT, tables.state("turn-1", "card"));

    try (var second = slack.open("turn-1", new TestHold(2))) {
      second.step("a", "Reading again", "");
      slack.await(
          thread -> thread.byApp().getFirst().tasks().getFirst().title().equals("Reading again"));
      slack.answers(second, "Done.");
    }

    assertEquals(2, texts().size());
  }

  @Test
  void who_takes_over_shows_no_file_again() throws Exception {
    try (var first = slack.open("turn-1", new TestHold(1))) {
      upload(first);
    }

    try (var second = slack.open("turn-1", new TestHold(2))) {
      assertTrue(second.hasShown(HASH));
      upload(second);
    }

    assertEquals(1, files(1).size());
    assertEquals(1, slack.workspace.calls("files.completeUploadExternal").size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void who_takes_over_asks_about_a_file_that_may_be_there(boolean isThere) throws Exception {
    slack.workspace.fail(
        "files.completeUploadExternal",
        1,
        isThere ? new Fault.AnswerLost() : new Fault.NeverArrived());
    slack.workspace.fail("files.info", 1, new Fault.RateLimited(Duration.ofMinutes(30)));
    try (var first = slack.open("turn-1", new TestHold(1), Deadline.in(Duration.ofSeconds(2)))) {
      assertThrows(Failure.class, () -> upload(first));
    }
    tables.passes("1 hour");

    try (var second = slack.open("turn-1", new TestHold(2))) {
      upload(second);
    }

    assertEquals(List.of("the file"), files(1).stream().map(FileView::text).toList());
    assertEquals(1, slack.workspace.calls("files.getUploadURLExternal").size());
  }

  // Workers that are late

  @Test
  void who_has_lost_the_thread_says_nothing() {
    var hold = new TestHold(1);
    try (var reply = slack.open("turn-1", hold)) {
      hold.lose();

      assertThrows(HoldLost.class, () -> slack.answers(reply, "Too late."));
      assertThrows(HoldLost.class, () -> upload(reply));
    }

    assertEquals(List.of(), slack.workspace.calls());
  }

  @Test
  void who_has_less_left_than_a_call_may_take_waits_for_the_renewal() throws Exception {
    var hold = new TestHold(1);
    hold.has(Duration.ofSeconds(11));
    try (var reply = slack.open("turn-1", hold)) {
      slack.decides(reply, new LastWord.Answer("In time."));
      var delivering = Thread.ofVirtual().start(() -> deliver(reply));
      slack.workspace.awaitCalls(List::isEmpty, SlackAtHand.SOON);
      assertEquals(List.of(), texts());

      hold.has(Duration.ofSeconds(30));

      delivering.join();
    }
    assertEquals(List.of("In time."), texts());
  }

  @Test
  void a_fence_that_was_passed_changes_nothing_and_says_nothing() throws InterruptedException {
    try (var slow = slack.open("turn-1", new TestHold(1));
        var fast = slack.open("turn-1", new TestHold(2))) {
      slack.answers(fast, "Said by the fast one.");

      assertThrows(HoldLost.class, () -> slack.answers(slow, "Said by the slow one."));
    }

    assertEquals(List.of("Said by the fast one."), texts());
  }

  @Test
  void whose_thread_was_taken_over_says_nothing_even_before_the_new_holder_does()
      throws InterruptedException {
    tables.isTaken(slack.address.thread(), 1);
    try (var older = slack.open("turn-1", new TestHold(1))) {
      slack.decides(older, new LastWord.Answer("Said too late."));
      tables.isTaken(slack.address.thread(), 2);

      assertThrows(HoldLost.class, older::deliver);
      assertThrows(
          HoldLost.class, () -> slack.decides(older, new LastWord.Apology("Said later still.")));
    }

    assertEquals(List.of(), texts());
    assertEquals(OutboxRow.PENDING, tables.state("turn-1", "answer-1"));
    assertEquals(0, tables.of("turn-1").stream().filter(row -> row.part.equals("apology")).count());
  }

  @Test
  void what_a_turn_left_is_said_though_a_later_turn_has_the_thread() throws InterruptedException {
    tables.isTaken(slack.address.thread(), 1);
    slack.workspace.fail("chat.postMessage", 1, new Fault.Refused("not_in_channel"));
    try (var first = slack.open("turn-1", new TestHold(1))) {
      slack.answers(first, "Said in the end.");
    }
    tables.isTaken(slack.address.thread(), 5);

    tables.passes("1 hour");
    slack.replies().resolve(100);

    assertEquals(List.of("Said in the end."), texts());
  }

  @Test
  void what_was_on_its_way_when_the_thread_was_lost_is_taken_back() throws Exception {
    slack.workspace.fail("chat.postMessage", 1, new Fault.Delayed(Duration.ofSeconds(3)));
    try (var slow = slack.open("turn-1", new TestHold(1));
        var fast = slack.open("turn-1", new TestHold(2))) {
      slack.decides(slow, new LastWord.Answer("Done."));
      var late = Thread.ofVirtual().start(() -> assertThrows(HoldLost.class, slow::deliver));
      tables.awaits("turn-1", "answer-1", OutboxRow.SENT);
      tables.database.transaction(() -> tables.outboxRows.takeOver("turn-1", 2));

      assertTrue(fast.deliver());

      assertEquals(1, texts().size());
      late.join();
    }
    assertEquals(List.of("Done."), texts());
    assertEquals(Optional.of(slack.said().getFirst().ts()), tables.row("turn-1", "answer-1").ts());
    assertEquals(1, slack.workspace.calls("chat.delete").size());
  }

  @Test
  void what_a_dead_worker_said_twice_is_removed_in_the_end() throws Exception {
    var mark = new Mark("turn-1", "answer-1");
    var card = new Mark("turn-1", "card");
    try (var fast = slack.open("turn-1", new TestHold(2, Optional.of(Instant.EPOCH)))) {
      slack.decides(fast, new LastWord.Answer("Done."));
      fast.deliver();
      say("Done.", mark);
      say("Working", card);
      say("Another turn's", new Mark("turn-2", "answer-1"));

      assertTrue(fast.deliver());
    }

    assertEquals(List.of("Done.", "Another turn's"), texts());
  }

  @Test
  void a_successor_is_quiet_until_the_last_words_before_it_are_over() throws Exception {
    var callMax = Duration.ofMillis(1_500);
    try (var hasty = new SlackAtHand(tables, Map.of("gorkie.slack.call-timeout", "1500ms"))) {
      var lapsed = Instant.now();
      try (var reply = hasty.open("turn-1", new TestHold(2, Optional.of(lapsed)))) {
        assertTrue(hasty.answers(reply, "Not at once."));
      }

      var said = hasty.workspace.calls("chat.postMessage").getFirst().at();
      assertFalse(said.isBefore(lapsed.plus(callMax)));
    }
  }

  private void say(String text, Mark mark) throws InterruptedException {
    slack.api.call(
        slack.address.team(),
        "chat.postMessage",
        Map.of(
            "channel",
            slack.address.channel(),
            "thread_ts",
            slack.address.rootTs(),
            "text",
            text,
            "unfurl_links",
            "false",
            "unfurl_media",
            "false",
            "metadata",
            mark.metadata()),
        Wire.Posted.class);
  }

  private boolean answer(String turn, String markdown) throws InterruptedException {
    try (var reply = slack.open(turn)) {
      return slack.answers(reply, markdown);
    }
  }

  private static void upload(Reply reply) throws InterruptedException {
    var bytes = "the file".getBytes(UTF_8);
    reply.upload(HASH, "a.txt", "A", bytes.length, new ByteArrayInputStream(bytes));
  }

  private static void deliver(Reply reply) {
    try {
      reply.deliver();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Thread sweep() {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                slack.replies().resolve(10);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /// Slack shows a file some time after it has taken it.
  private List<FileView> files(int expected) throws InterruptedException {
    return slack.await(thread -> thread.filesByApp().size() >= expected).filesByApp();
  }

  private List<String> texts() {
    return slack.said().stream().map(MessageView::text).toList();
  }
}
