package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.ToolCall;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The model's provider, or Pi itself, says nothing any more in the middle of a turn.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SilenceIT {

  private final Stage stage = Stage.open();
  private Gorkie impatient;

  @BeforeAll
  void start() throws Exception {
    impatient =
        stage.another(
            // Longer than Pi takes to start on a busy machine.
            Map.of("GORKIE_TURNS_SILENCE_MAX", "8s", "GORKIE_TURNS_ANSWERS_WITHIN", "4s"));
  }

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  @AfterAll
  void end() throws Exception {
    stage.asBefore();
    impatient.close();
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
    var thread = stage.underWay("speechless-" + reached, reached.replies);

    var answered = stage.answered("general", thread.rootTs(), 1);

    assertTrue(reached.expected.matcher(Stage.answer(answered).strip()).find(), answered.plain());
  }

  @Test
  void pi_that_does_not_even_answer_us_is_ended() throws Exception {
    var thread = stage.underWay("frozen", Reply.says("never").ending(new Ending.Hanging(0)));
    new ProcessBuilder("kill", "-STOP", Long.toString(stage.piOf(thread).pid())).start().waitFor();

    var answered = stage.answered("general", thread.rootTs(), 1);

    assertTrue(Stage.answer(answered).startsWith("The agent stopped answering"), answered.plain());
    stage.model().forgetScript();
    var later = stage.goOn(answered, "$ echo thawed");
    assertTrue(Stage.answer(later).contains("thawed"), later.plain());
  }
}
