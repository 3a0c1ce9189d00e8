package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ThreadView;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Pi, its keeper or the model's provider fail in the middle of a turn.
class SurvivalIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  @Test
  void pi_that_ends_before_it_said_a_word_is_asked_once_more() throws Exception {
    var thread = underWay("wordless", Reply.says("never").ending(new Ending.Hanging(0)));

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
        underWay(
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
    var thread = underWay("keeperless", Reply.says("never").ending(new Ending.Hanging(0)));

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
      thread = underWay("left alone", Reply.says("found again").ending(new Ending.Hanging(0)));
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

  private enum Reached {
    NOTHING("^SORRY Please send the message again\\.$", silence(0)),
    WORK("^SORRY .*say “continue”.*$", Reply.calls(ToolCall.bash("echo working")), silence(0)),
    WORDS("^Once upon a …\n\nSORRY .*say “continue”.*$", silence(1));

    private final Pattern expected;
    private final Reply[] replies;

    Reached(String expected, Reply... replies) {
      var sorry = "The model's provider stopped answering, so I ended the run.";
      this.expected = Pattern.compile(expected.replace("SORRY", Pattern.quote(sorry)));
      this.replies = replies;
    }

    private static Reply silence(int pieces) {
      return Reply.says("Once upon a time there was")
          .paced(12, Duration.ZERO)
          .ending(new Ending.Hanging(pieces));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_provider_that_says_nothing_any_more_is_not_waited_for_for_ever(Reached reached)
      throws Exception {
    try (var _ =
        stage.with(Map.of("GORKIE_TURNS_SILENCE_MAX", "3s", "GORKIE_TURNS_ANSWERS_WITHIN", "1s"))) {
      var thread = underWay("speechless-" + reached, reached.replies);

      var answered = stage.answered("general", thread.rootTs(), 1);

      assertTrue(reached.expected.matcher(Stage.answer(answered).strip()).find(), answered.plain());
    }
  }

  @Test
  void pi_that_does_not_even_answer_us_is_ended() throws Exception {
    try (var _ =
        stage.with(Map.of("GORKIE_TURNS_SILENCE_MAX", "3s", "GORKIE_TURNS_ANSWERS_WITHIN", "1s"))) {
      var thread = underWay("frozen", Reply.says("never").ending(new Ending.Hanging(0)));
      new ProcessBuilder("kill", "-STOP", Long.toString(stage.piOf(thread).pid()))
          .start()
          .waitFor();

      var answered = stage.answered("general", thread.rootTs(), 1);

      assertTrue(
          Stage.answer(answered).startsWith("The agent stopped answering"), answered.plain());
      stage.model().forgetScript();
      var later = stage.goOn(answered, "$ echo thawed");
      assertTrue(Stage.answer(later).contains("thawed"), later.plain());
    }
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

  /// A thread whose turn waits for its model, in the last of these replies that hangs.
  private ThreadView underWay(String word, Reply... replies) throws InterruptedException {
    stage.model().script(Rule.whenContaining(word, replies));
    var root = stage.slack().say("general", "ada", "@gorkie " + word);
    stage.model().awaitHanging(asked -> asked.body().encode().contains(word), Stage.PATIENCE);
    return stage.slack().thread("general", root);
  }
}
