package dev.gorkie.slack;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.RealDatabase;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.MessageView;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that people see while they are given.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class StreamTest {

  private static final String BEGINNING =
      "This is the beginning of an answer that is long enough. ";
  private static final String END = "And this is its end.";

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
  void an_answer_is_seen_while_it_is_given_and_stands_there_once_in_the_end()
      throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      seen(BEGINNING.strip());
      assertTrue(slack.said().getFirst().streaming());
      reply.say(END);
      answers(reply, BEGINNING + END);
    }

    assertEquals(List.of(BEGINNING + END), texts());
    assertFalse(slack.said().getFirst().streaming());
    assertEquals(List.of(), slack.workspace.calls("chat.postMessage"));
    assertEquals(List.of(), slack.workspace.calls("chat.update"));
    assertEquals(OutboxRow.CONFIRMED, tables.state("turn-1", "answer-1"));
    assertEquals(List.of(), slack.workspace.violations());
  }

  @Test
  void a_short_answer_is_posted_in_one_piece() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say("Hello.");
      answers(reply, "Hello.");
    }

    assertEquals(List.of("Hello."), texts());
    assertEquals(List.of(), slack.workspace.calls("chat.startStream"));
  }

  @Test
  void an_answer_that_is_whole_at_once_is_posted_in_one_piece() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.answered(BEGINNING + END);
      answers(reply, BEGINNING + END);
    }

    assertEquals(List.of(BEGINNING + END), texts());
    assertEquals(List.of(), slack.workspace.calls("chat.startStream"));
  }

  @Test
  void a_slow_answer_is_seen_however_short_it_is() throws InterruptedException {
    try (var slow = new SlackAtHand(tables, Map.of("gorkie.slack.stream-delay", "10ms"));
        var reply = slow.open("turn-1")) {
      reply.say("Well, ");

      slow.await(thread -> thread.byApp().stream().anyMatch(MessageView::streaming));
    }
  }

  @Test
  void in_a_direct_message_it_is_for_nobody_in_particular() throws InterruptedException {
    var ts = slack.workspace.direct("ada", "do something");
    var direct =
        new Address(
            slack.address.thread(),
            slack.workspace.channel("@ada").id(),
            ts,
            ts,
            slack.address.user());
    var deadline = Deadline.in(SlackAtHand.SOON);
    try (var reply = slack.open(direct, "turn-1", new TestHold(1), deadline)) {
      reply.say(BEGINNING);
      slack.workspace.awaitThread(
          "@ada",
          ts,
          thread -> thread.byApp().stream().anyMatch(MessageView::streaming),
          SlackAtHand.SOON);
      answers(reply, BEGINNING.strip());
    }

    assertEquals(BEGINNING.strip(), slack.workspace.thread("@ada", ts).last().text());
  }

  @Test
  void an_answer_of_several_messages_is_whole_and_its_code_stays_code()
      throws InterruptedException {
    var code = IntStream.range(0, 1_100).mapToObj(i -> "line " + i).collect(joining("\n"));
    var prose =
        IntStream.range(0, 60)
            .mapToObj(i -> "Paragraph " + i + ". " + "word ".repeat(30).strip())
            .collect(joining("\n\n"));
    var whole = "```java\n" + code + "\n```\n\n" + prose;

    try (var reply = slack.open("turn-1")) {
      for (var at = 0; at < whole.length(); at += 700) {
        var appended = slack.workspace.calls().size();
        reply.say(whole.substring(at, Math.min(whole.length(), at + 700)));
        slack.workspace.awaitCalls(calls -> calls.size() > appended, SlackAtHand.SOON);
      }
      answers(reply, whole);
    }

    assertEquals(3, texts().size());
    assertTrue(texts().get(0).endsWith("\n```"), texts()::toString);
    assertTrue(texts().get(1).startsWith("```java\nline "), texts()::toString);
    assertEquals(
        whole,
        texts().get(0).replaceFirst("\n```$", "\n")
            + texts().get(1).replaceFirst("^```java\n", "")
            + "\n\n"
            + texts().get(2));
    assertEquals(List.of(), slack.workspace.calls("chat.update"));
    assertEquals(3, slack.workspace.calls("chat.stopStream").size());
  }

  @Test
  void a_message_that_is_written_for_too_long_ends_at_a_paragraph() throws InterruptedException {
    try (var hasty = new SlackAtHand(tables, Map.of("gorkie.slack.stream-life", "0s"))) {
      try (var reply = hasty.open("turn-1")) {
        reply.say(BEGINNING);
        hasty.await(thread -> !thread.byApp().isEmpty());
        reply.say(END + "\n\n" + BEGINNING + "x");
        hasty.await(thread -> thread.byApp().size() == 2);
        hasty.answers(reply, BEGINNING + END + "\n\n" + BEGINNING + "x");
      }

      assertEquals(
          List.of(BEGINNING + END, BEGINNING + "x"),
          hasty.said().stream().map(MessageView::text).toList());
      assertEquals(List.of(), hasty.workspace.calls("chat.update"));
    }
  }

  @Test
  void an_answer_too_long_for_messages_keeps_what_was_seen_and_is_a_file_besides()
      throws Exception {
    var whole = "A word or two. ".repeat(3_000).strip();

    try (var reply = slack.open("turn-1")) {
      reply.say(whole.substring(0, 20_000));
      slack.await(thread -> thread.byApp().size() == 3);
      answers(reply, whole);
    }

    var thread = slack.await(it -> it.filesByApp().size() == 1);
    assertEquals(whole, thread.filesByApp().getFirst().text());
    assertTrue(texts().get(2).endsWith("in the file below.*"), texts().get(2));
    assertTrue(whole.startsWith(texts().get(0)));
  }

  @Test
  void what_was_no_answer_is_the_place_of_the_real_one() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      seen(BEGINNING.strip());
      reply.takeBack(false);
      slack.await(thread -> !thread.byApp().getFirst().streaming());
      reply.say("Something else, of which nothing was said before.");
      seen("Something else, of which nothing was said");
      answers(reply, "Something else, of which nothing was said before.");
    }

    assertEquals(List.of("Something else, of which nothing was said before."), texts());
    assertEquals(1, slack.workspace.calls("chat.startStream").size());
  }

  @Test
  void what_a_failed_attempt_said_does_not_stay() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      seen(BEGINNING.strip());
      reply.takeBack(true);
      seen("…");
      decides(reply, new LastWord.Apology("That did not work."));
    }

    assertEquals(List.of("That did not work."), texts());
  }

  @Test
  void what_people_saw_of_an_answer_stays_when_they_stop_it() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      seen(BEGINNING.strip());
      slack.workspace.pressStop("general", slack.address.rootTs(), "ada");
      decides(reply, new LastWord.Stopped());
    }

    assertEquals(List.of(BEGINNING.strip() + "\n\n_Stopped._"), texts());
  }

  @Test
  void an_answer_whose_stream_slack_has_ended_is_finished_by_an_edit() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      seen(BEGINNING.strip());
      slack.workspace.expireStreams("general", slack.address.rootTs());
      reply.say("Something more. ");
      seen(BEGINNING + "Something more.");
      reply.say(END);
      answers(reply, BEGINNING + "Something more. " + END);
    }

    assertEquals(List.of(BEGINNING + "Something more. " + END), texts());
    assertFalse(slack.workspace.calls("chat.update").isEmpty());
  }

  @Test
  void an_answer_whose_message_somebody_deleted_is_said_anew_and_whole()
      throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      seen(BEGINNING.strip());
      slack.workspace.delete("general", slack.said().getFirst().ts());
      reply.say("Something more. ");
      slack.workspace.awaitCalls(
          calls -> calls.stream().anyMatch(call -> call.method().equals("chat.update")),
          SlackAtHand.SOON);
      reply.say(END);
      answers(reply, BEGINNING + "Something more. " + END);
    }

    assertEquals(List.of(BEGINNING + "Something more. " + END), texts());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"})
  void whatever_answer_is_lost_it_stands_there_once(String method) throws InterruptedException {
    for (var fault : List.of(new Fault.AnswerLost(), new Fault.NeverArrived())) {
      var turn = "turn-" + fault.getClass().getSimpleName();
      try (var reply = slack.open(turn)) {
        if (method.equals("chat.startStream")) {
          slack.workspace.fail(method, 1, fault);
        }
        reply.say(BEGINNING);
        slack.workspace.awaitCalls(started(slack.said().size()), SlackAtHand.SOON);
        slack.workspace.fail(method, 1, fault);
        reply.say("Something more. ");
        reply.say(END);
        answers(reply, BEGINNING + "Something more. " + END);
      }
      slack.workspace.heal();

      assertEquals(1, texts().size(), texts()::toString);
      assertEquals(BEGINNING + "Something more. " + END, texts().getFirst());
      assertTrue(slack.said().stream().noneMatch(MessageView::streaming));
      slack.said().forEach(one -> slack.workspace.delete("general", one.ts()));
    }
  }

  private static Predicate<List<dev.gorkie.local.slack.ApiCall>> started(int before) {
    return calls ->
        calls.stream().filter(call -> call.method().equals("chat.startStream")).count() > before;
  }

  @Test
  void where_it_is_not_allowed_answers_are_posted_and_nobody_asks_again()
      throws InterruptedException {
    slack.workspace.fail("chat.startStream", 9, new Fault.Refused("unknown_method"));
    for (var turn : List.of("turn-1", "turn-2")) {
      try (var reply = slack.open(turn)) {
        reply.say(BEGINNING);
        slack.workspace.awaitCalls(calls -> !calls.isEmpty(), SlackAtHand.SOON);
        answers(reply, BEGINNING + turn);
      }
    }

    assertEquals(List.of(BEGINNING + "turn-1", BEGINNING + "turn-2"), texts());
    assertEquals(1, slack.workspace.calls("chat.startStream").size());
  }

  @Test
  void a_busy_slack_gets_the_answer_in_one_piece() throws InterruptedException {
    slack.workspace.fail("chat.startStream", 1, new Fault.RateLimited(Duration.ofMinutes(30)));

    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      slack.workspace.awaitCalls(started(0), SlackAtHand.SOON);
      answers(reply, BEGINNING + END);
    }

    assertEquals(List.of(BEGINNING + END), texts());
  }

  @Test
  void a_successor_goes_on_in_the_message_that_was_begun() throws InterruptedException {
    var killed = slack.open("turn-1", new TestHold(1));
    killed.say(BEGINNING);
    seen(BEGINNING.strip());
    // Whoever goes on with a message has written down that it is there.
    killed.say("A word. ");
    var begun = BEGINNING + "A word. ";
    seen(begun.strip());

    try (var reply = slack.open("turn-1", new TestHold(2))) {
      slack.await(thread -> !thread.byApp().getFirst().streaming());
      reply.say(begun + "Something more. ");
      seen(begun + "Something more.");
      answers(reply, begun + "Something more. " + END);
    }

    assertEquals(List.of(begun + "Something more. " + END), texts());
  }

  @Test
  void what_a_killed_worker_began_and_did_not_hear_of_is_taken_away() throws InterruptedException {
    slack.workspace.fail("chat.startStream", 1, new Fault.AnswerLost());
    var killed = slack.open("turn-1", new TestHold(1));
    killed.say(BEGINNING);
    slack.workspace.awaitCalls(started(0), SlackAtHand.SOON);

    try (var reply = slack.open("turn-1", new TestHold(2))) {
      answers(reply, BEGINNING + END);
    }

    assertEquals(List.of(BEGINNING + END), texts());
  }

  @Test
  void what_nobody_could_tell_of_is_looked_for_without_harm_to_what_a_later_turn_writes()
      throws InterruptedException {
    var much = "Of the second answer this much is seen before. ";
    slack.workspace.fail("chat.startStream", 1, new Fault.AnswerLost());
    slack.workspace.fail("conversations.replies", 99, new Fault.NeverArrived());
    try (var first = slack.open("turn-1", new TestHold(1))) {
      first.say(BEGINNING);
      slack.workspace.awaitCalls(started(0), SlackAtHand.SOON);
      slack.answers(first, BEGINNING + END);
    }
    slack.workspace.heal();

    try (var reply = slack.open("turn-2", new TestHold(2))) {
      reply.say(much);
      seen(much.strip());
      tables.passes("1 hour");
      slack.replies().resolve(100);
      answers(reply, much + END);
    }

    assertEquals(List.of(much + END, BEGINNING + END), texts());
    assertEquals(2, slack.workspace.calls("chat.startStream").size());
    assertEquals(1, slack.workspace.calls("chat.postMessage").size());
  }

  @Test
  void what_a_late_predecessor_begins_is_taken_away_by_its_successor() throws InterruptedException {
    try (var first = slack.open("turn-1", new TestHold(1));
        var second = slack.open("turn-1", new TestHold(2, Optional.of(longAgo())))) {
      slack.workspace.fail("chat.startStream", 1, new Fault.Delayed(Duration.ofMillis(50)));
      first.say(BEGINNING);
      slack.workspace.awaitCalls(started(0), SlackAtHand.SOON);
      answers(second, "The answer.");
    }

    assertEquals(List.of("The answer."), texts());
  }

  @Test
  void what_another_app_says_is_nothing_that_was_begun_by_us() throws InterruptedException {
    slack.workspace.addBot("weatherbot");
    var foreign =
        slack.workspace.reply("general", slack.address.rootTs(), "weatherbot", "It rains.");
    slack.workspace.fail("chat.startStream", 1, new Fault.AnswerLost());
    try (var reply = slack.open("turn-1")) {
      reply.say(BEGINNING);
      slack.workspace.awaitCalls(started(0), SlackAtHand.SOON);
      answers(reply, BEGINNING + END);
    }

    assertEquals(List.of(BEGINNING + END), texts());
    assertTrue(slack.thread().message(foreign).isPresent());
    assertTrue(
        slack.workspace.calls().stream().noneMatch(call -> foreign.equals(call.form().get("ts"))),
        () -> slack.workspace.calls().toString());
  }

  private static java.time.Instant longAgo() {
    return java.time.Instant.now().minus(Duration.ofHours(1));
  }

  @Test
  void half_a_link_is_never_shown_and_hostile_words_ping_nobody() throws InterruptedException {
    var hostile = BEGINNING + "<!channel> @here [a](https://evil.example/?q=1) and more words";
    try (var reply = slack.open("turn-1")) {
      for (var at = 0; at < hostile.length(); at++) {
        reply.say(hostile.substring(at, at + 1));
      }
      slack.await(thread -> thread.byApp().stream().anyMatch(it -> it.text().contains("more")));
      answers(reply, hostile);
    }

    assertEquals(List.of(), slack.workspace.violations());
    assertEquals(List.of(Markdown.neutralise(hostile)), texts());
    assertEquals(List.of(), slack.workspace.calls("chat.update"));
  }

  private void answers(Reply reply, String markdown) throws InterruptedException {
    decides(reply, new LastWord.Answer(markdown));
  }

  private void decides(Reply reply, LastWord word) throws InterruptedException {
    reply.rest();
    slack.decides(reply, word);
    assertTrue(reply.deliver());
  }

  private void seen(String text) throws InterruptedException {
    slack.await(thread -> thread.byApp().stream().anyMatch(one -> one.text().equals(text)));
  }

  private List<String> texts() {
    return slack.said().stream()
        .filter(one -> one.files().isEmpty())
        .map(MessageView::text)
        .toList();
  }
}
