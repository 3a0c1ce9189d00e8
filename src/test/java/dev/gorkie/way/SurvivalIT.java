package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ThreadView;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pi or its keeper fail in the middle of a turn.
class SurvivalIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  @Test
  void pi_that_ends_before_it_said_a_word_is_asked_once_more() throws Exception {
    var thread = stage.underWay("wordless", Reply.says("never").ending(new Ending.Hanging(0)));

    fromNowOn("wordless", "said after all");
    stage.piOf(thread).destroyForcibly();

    var answered = stage.answered("general", thread.rootTs(), 1);
    assertEquals("said after all", Stage.answer(answered).strip(), answered.plain());
    assertTrue(stage.gorkie().output().contains("sandbox.prompt.retry: "));
  }

  @Test
  void pi_that_ends_in_the_middle_of_its_work_is_not_asked_again_and_the_thread_says_so()
      throws Exception {
    var thread =
        stage.underWay(
            "half-done",
            Reply.calls(ToolCall.bash("echo working")),
            Reply.says("never").ending(new Ending.Hanging(0)));
    stage
        .slack()
        .awaitThread(
            "general", thread.rootTs(), now -> !Stage.cards(now).isEmpty(), Stage.PATIENCE);

    stage.piOf(thread).destroyForcibly();

    var answered = stage.answered("general", thread.rootTs(), 1);
    assertTrue(Stage.answer(answered).contains("say “continue”"), answered.plain());
    stage.model().forgetScript();
    var later = stage.goOn(answered, "$ echo continued");
    assertTrue(Stage.answer(later).contains("continued"), later.plain());
  }

  @Test
  void a_keeper_that_was_killed_is_started_again_and_the_turn_goes_on() throws Exception {
    var thread = stage.underWay("keeperless", Reply.says("never").ending(new Ending.Hanging(0)));

    fromNowOn("keeperless", "kept after all");
    stage.keeperOf(thread).destroyForcibly();

    var answered = stage.answered("general", thread.rootTs(), 1);
    assertEquals("kept after all", Stage.answer(answered).strip(), answered.plain());
  }

  @Test
  void a_server_that_is_stopped_leaves_its_turn_to_the_next_one() throws Exception {
    ThreadView thread;
    // Had it to lapse, the next one would wait for that.
    try (var _ = stage.with(Map.of("GORKIE_LEASE_LASTS", "1h"))) {
      thread =
          stage.underWay("left alone", Reply.says("found again").ending(new Ending.Hanging(0)));
    }

    stage.model().release();

    var answered = stage.answered("general", thread.rootTs(), 1);
    assertEquals("found again", Stage.answer(answered).strip(), answered.plain());
    assertEquals(
        1,
        stage.model().asked().stream()
            .filter(asked -> asked.lastUserText().contains("left alone"))
            .count());
  }

  @Test
  void what_pi_heard_since_it_was_asked_once_more_no_later_server_says_again() throws Exception {
    ThreadView thread;
    try (var _ = stage.with(Map.of("GORKIE_LEASE_LASTS", "1h"))) {
      thread = stage.underWay("long-story", Reply.says("the end").ending(new Ending.Hanging(0)));
      var first =
          stage
              .model()
              .awaitHanging(asked -> asked.lastUserText().contains("long-story"), Stage.PATIENCE);
      stage.piOf(thread).destroyForcibly();
      stage
          .model()
          .awaitHanging(
              asked -> asked != first && asked.lastUserText().contains("long-story"),
              Stage.PATIENCE);
      var more = stage.slack().reply("general", thread.rootTs(), "ada", "$ echo note-$((6*7))");
      stage
          .slack()
          .awaitThread(
              "general", thread.rootTs(), now -> Stage.isNoticed(now, more), Stage.PATIENCE);
    }

    stage.model().release();

    var answered = stage.answered("general", thread.rootTs(), 1);
    assertTrue(Stage.answer(answered).contains("the end"), answered.plain());
    assertTrue(Stage.answer(answered).contains("note-42"), answered.plain());
    assertEquals(
        1,
        stage.model().asked().getLast().userTexts().stream()
            .filter(text -> text.contains("$ echo note-"))
            .count());
  }

  @Test
  void work_that_comes_to_no_end_comes_to_a_sentence_and_its_agent_to_rest() throws Exception {
    ThreadView crashing;
    ThreadView endless;
    try (var _ = stage.with(Map.of("GORKIE_LEASE_LASTS", "1h"))) {
      crashing = stage.underWay("crashing", Reply.says("never").ending(new Ending.Hanging(0)));
      endless = stage.underWay("endless", Reply.says("never").ending(new Ending.Hanging(0)));
      stage.sql("update inbox set attempts = 9 where thread_id like '%" + crashing.rootTs() + "'");
      stage.sql("update turns set hops = 25 where thread_id like '%" + endless.rootTs() + "'");
    }

    var first = stage.answered("general", crashing.rootTs(), 1);
    var second = stage.answered("general", endless.rootTs(), 1);

    assertTrue(Stage.answer(first).contains("I tried this several times"), first.plain());
    assertTrue(Stage.answer(second).contains("longer than I may work"), second.plain());
    stage.model().forgetScript();
    var later = stage.goOn(second, "$ echo after-all");
    assertTrue(Stage.answer(later).contains("after-all"), later.plain());
  }

  @Test
  void a_run_ends_with_a_sentence_when_it_has_taken_as_long_as_its_workspace_allows()
      throws Exception {
    stage
        .model()
        .script(Rule.whenContaining("too-long", Reply.says("never").ending(new Ending.Hanging(0))));
    var team = stage.slack().teamId();

    ThreadView thread;
    try (var _ = stage.with(Map.of("GORKIE_MODEL_RUN_LIMITS", "T0ELSE=60m," + team + "=2s"))) {
      var root = stage.slack().say("general", "ada", "@gorkie too-long");
      thread = stage.answered("general", root, 1);
    }

    assertEquals(
        "This took longer than one run may take. Say “continue” and I will pick it up.",
        Stage.answer(thread).strip(),
        thread.plain());
  }

  @Test
  void a_forged_fence_in_the_sandbox_locks_nobody_out() throws Exception {
    var thread = stage.ask("general", "$ echo 999999999999999 > ~/.gorkie/fence && echo forged");
    stage.keeperOf(thread).destroyForcibly();

    var later = stage.goOn(thread, "$ echo let-in");

    assertTrue(Stage.answer(later).contains("let-in"), later.plain());
  }

  /// The model is asked the same once more, and answers.
  private void fromNowOn(String word, String answer) {
    stage.model().forgetScript();
    stage.model().script(Rule.whenContaining(word, Reply.says(answer)));
  }
}
