package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Delivery;
import dev.gorkie.local.slack.MessageView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What people write while Gorkie is at it.
class MailboxIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  /// A turn that says a little and then goes on when it is released.
  private String holdOn(String word) throws InterruptedException {
    stage.model().script(Rule.whenContaining(word, hanging()));
    var root = stage.slack().say("general", "ada", "@gorkie " + word);
    stage.model().awaitHanging(asked -> asked.body().encode().contains(word), Stage.PATIENCE);
    return root;
  }

  private static Reply hanging() {
    return Reply.says("Just a moment, ".repeat(4) + "done.").ending(new Ending.Hanging(2));
  }

  @Test
  void what_is_written_while_a_turn_runs_is_taken_up_by_it() throws Exception {
    var root = holdOn("knit-one");

    var more = stage.slack().reply("general", root, "ada", "$ echo purl-$((6*7))");
    stage
        .slack()
        .awaitThread("general", root, thread -> Stage.isNoticed(thread, more), Stage.PATIENCE);
    stage.model().release();

    var thread = stage.answered("general", root, 1);
    assertTrue(Stage.answer(thread).contains("purl-42"), thread.plain());
    assertTrue(Stage.answer(thread).contains("Just a moment"), thread.plain());
    assertEquals(1, Stage.answers(thread).size(), thread.plain());
  }

  enum Way {
    WORD,
    BUTTON,
    SLACKS_OWN
  }

  @ParameterizedTest
  @EnumSource
  void a_stop_ends_the_run_and_all_it_started_and_is_confirmed(Way way) throws Exception {
    var word = "endless-" + way;
    stage
        .model()
        .script(
            Rule.whenContaining(
                word, Reply.calls(ToolCall.bash("sleep 1001 & echo begun; sleep 1001"))));
    var root = stage.slack().say("general", "ada", "@gorkie " + word);
    var running =
        stage
            .slack()
            .awaitThread(
                "general",
                root,
                thread -> Stage.cards(thread).stream().anyMatch(MailboxIT::works),
                Stage.PATIENCE);

    switch (way) {
      case WORD -> stage.slack().reply("general", root, "ada", "!stop");
      case BUTTON ->
          stage
              .slack()
              .click("general", Stage.cards(running).getFirst().ts(), "ada", "gorkie_stop");
      case SLACKS_OWN -> stage.slack().pressStop("general", root, "ada");
    }

    var thread = stage.answered("general", root, 1);
    assertEquals("Stopped.", Stage.answer(thread).strip(), thread.plain());
    assertEquals(Optional.empty(), Stage.cards(thread).getFirst().button("Stop"));
    assertFalse(
        stage.sandboxOf(thread).processes().stream()
            .anyMatch(process -> process.info().commandLine().orElse("").contains("sleep 1001")),
        "something was left running");
  }

  private static boolean works(MessageView card) {
    return card.button("Stop").isPresent()
        && card.tasks().stream().anyMatch(task -> task.status().equals("in_progress"));
  }

  @Test
  void where_messages_queue_each_has_its_own_turn_in_their_order() throws Exception {
    try (var _ = stage.with(Map.of("GORKIE_TURNS_WHILE_RUNNING", "queue"))) {
      var root = holdOn("first-things-first");
      var second = stage.slack().reply("general", root, "ada", "$ echo second-$((1+1))");
      stage.slack().awaitDeliveries(all -> isTaken(all, second), Stage.PATIENCE);

      stage.model().release();

      var answers = Stage.answers(stage.answered("general", root, 2));
      assertTrue(answers.getFirst().text().contains("Just a moment"), answers.toString());
      assertTrue(answers.getLast().text().contains("second-2"), answers.toString());
    }
  }

  private static boolean isTaken(List<Delivery> all, String ts) {
    return all.stream()
        .filter(delivery -> delivery.event().getString("ts", "").equals(ts))
        .anyMatch(delivery -> delivery.status().equals(Optional.of(200)));
  }

  @Test
  void where_messages_interrupt_the_run_ends_and_the_newer_one_is_answered() throws Exception {
    try (var _ = stage.with(Map.of("GORKIE_TURNS_WHILE_RUNNING", "interrupt"))) {
      var root = holdOn("break-this-off");

      stage.slack().reply("general", root, "ada", "$ echo newer-$((1+1))");

      var answers = Stage.answers(stage.answered("general", root, 2));
      assertEquals(
          "I have stopped this and go on with your newer message.",
          answers.getFirst().text().strip());
      assertTrue(answers.getLast().text().contains("newer-2"), answers.toString());
    }
  }

  @Test
  void a_thread_goes_on_after_a_stop() throws Exception {
    var root = holdOn("stoppable");
    stage.slack().reply("general", root, "ada", "!stop");
    var stopped = stage.answered("general", root, 1);

    var later = stage.goOn(stopped, "$ echo and-on-it-goes");

    assertTrue(Stage.answer(later).contains("and-on-it-goes"), later.plain());
  }

  @Test
  void a_stop_where_nothing_runs_says_so() throws Exception {
    var thread = stage.ask("general", "$ echo short");

    var later = stage.goOn(thread, "!stop");

    assertEquals(
        "Nothing runs here at the moment, so there is nothing to stop.",
        Stage.answer(later).strip());
  }

  @Test
  void a_waiting_message_is_answered_as_it_was_edited_and_not_at_all_when_it_was_deleted()
      throws Exception {
    stage.model().script(Rule.whenContaining("the-long-one", hanging()));
    stage.slack().direct("grace", "the-long-one");
    stage
        .model()
        .awaitHanging(asked -> asked.body().encode().contains("the-long-one"), Stage.PATIENCE);
    var edited = stage.slack().direct("grace", "$ echo as-it-was");
    var deleted = stage.slack().direct("grace", "$ echo never-mind");
    var channel = "@grace";

    stage.slack().edit(channel, edited, "$ echo as-it-is");
    stage.slack().delete(channel, deleted);
    stage.slack().awaitQuiet(channel, Stage.PATIENCE);
    stage.model().release();

    var thread = stage.answered(channel, edited, 1);
    assertTrue(Stage.answer(thread).contains("as-it-is"), thread.plain());
    var last = stage.slack().direct("grace", "$ echo the-last");
    stage.answered(channel, last, 1);
    assertFalse(
        stage.model().asked().stream()
            .anyMatch(asked -> asked.body().encode().matches("(?s).*(as-it-was|never-mind).*")));
  }
}
