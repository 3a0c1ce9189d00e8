package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// Programs that speak to Gorkie.
class ProgramsIT {

  private final Stage stage = Stage.open();

  @Test
  void a_program_that_nobody_has_named_is_not_answered() throws Exception {
    stage.slack().addBot("stranger");

    var root = stage.slack().say("general", "stranger", "@gorkie $ echo hello");
    stage.slack().awaitQuiet("general", Stage.PATIENCE);
    // Whatever was to be said of it is said before the next one's answer.
    stage.ask("general", "$ echo later");

    var thread = stage.slack().thread("general", root);
    assertEquals(0, thread.byApp().size(), thread.plain());
  }

  @Test
  void two_programs_do_not_talk_for_ever_and_a_person_lets_them_go_on() throws Exception {
    var slack = stage.slack();
    var root = slack.say("general", Stage.PROGRAM, "@gorkie $ echo one");
    stage.answered("general", root, 1);
    slack.reply("general", root, Stage.PROGRAM, "thank you");
    slack.reply("general", root, Stage.PROGRAM, "@gorkie $ echo two");
    stage.answered("general", root, 2);

    slack.reply("general", root, Stage.PROGRAM, "@gorkie $ echo three");
    slack.reply("general", root, Stage.PROGRAM, "@gorkie $ echo four");
    slack.awaitQuiet("general", Stage.PATIENCE);
    var enough = stage.answered("general", root, 3);
    slack.reply("general", root, "ada", "$ echo a-person");
    stage.answered("general", root, 4);
    slack.reply("general", root, Stage.PROGRAM, "@gorkie $ echo five");
    var on = stage.answered("general", root, 5);

    assertTrue(Stage.answer(enough).contains("2 times without a person"), enough.plain());
    assertEquals(
        1,
        on.byApp().stream().filter(one -> one.text().contains("without a person")).count(),
        on.plain());
    assertTrue(Stage.answer(on).contains("five"), on.plain());
    assertTrue(on.byApp().stream().noneMatch(one -> one.text().contains("three")), on.plain());
  }
}
