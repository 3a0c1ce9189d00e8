package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.FailureCode;
import dev.gorkie.pi.Outcome;
import dev.gorkie.pi.PiFailure;
import dev.gorkie.slack.LastWord;
import org.junit.jupiter.api.Test;

class EndingTest {

  private static final String GO_ON = "Your files are safe; say “continue” and I will pick it up.";

  @Test
  void who_is_to_tell_the_operator_is_told_of_what() {
    assertEquals(
        new LastWord.Apology(
            "The model's provider refuses our key. Please tell whoever runs Gorkie. (`MODEL_REFUSED`, turn 47)"),
        sorry(PiFailure.MODEL_REFUSED, Ending.Reached.NOTHING));
  }

  @Test
  void who_has_to_wait_for_the_operator_in_the_middle_of_work_is_told_that_it_is_not_lost() {
    assertEquals(
        new LastWord.Apology(
            "The account with the model's provider is used up. Your files are safe. Please tell whoever runs"
                + " Gorkie, and say “continue” when that is mended. (`OUT_OF_CREDIT`, turn 47)"),
        sorry(PiFailure.OUT_OF_CREDIT, new Ending.Reached(true, "")));
  }

  @Test
  void everybody_else_reads_no_code() {
    assertEquals(
        new LastWord.Apology("The agent stopped in the middle of this. " + GO_ON),
        sorry(PiFailure.CUT_OFF, Ending.Reached.NOTHING));
  }

  @Test
  void what_was_said_before_it_stays_and_what_was_done_is_not_done_again() {
    assertEquals(
        new LastWord.BrokenOff(
            "Half an answer",
            "The model's provider stopped answering, so I ended the run. " + GO_ON),
        sorry(PiFailure.MODEL_SILENT, new Ending.Reached(true, "Half an answer")));
  }

  private static LastWord sorry(FailureCode code, Ending.Reached reached) {
    return Ending.sorry(code, 47, reached, Outcome.Usage.NONE, 0).word();
  }
}
