package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What people tell Gorkie itself.
class CommandsIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  @Test
  void a_question_about_the_run_is_answered_while_it_goes_on_and_never_reaches_the_agent()
      throws Exception {
    var hanging = Reply.says("A while, and done.").ending(new Ending.Hanging(0));
    stage.model().script(Rule.whenContaining("take-your-time", hanging));
    var root = stage.slack().say("general", "ada", "@gorkie take-your-time");
    stage
        .model()
        .awaitHanging(asked -> asked.body().encode().contains("take-your-time"), Stage.PATIENCE);

    stage.slack().reply("general", root, "ada", "!status");
    var meanwhile =
        stage
            .slack()
            .awaitThread(
                "general", root, it -> it.appSaid("I am working on this."), Stage.PATIENCE);
    stage.model().release();

    var thread = stage.answered("general", root, 2);
    assertFalse(meanwhile.appSaid("and done."), meanwhile.plain());
    assertTrue(Stage.answer(thread).contains("and done."), thread.plain());
    assertFalse(
        stage.model().asked().stream()
            .anyMatch(asked -> asked.body().encode().contains("!status")));
  }

  @Test
  void a_new_conversation_remembers_nothing_and_keeps_the_files() throws Exception {
    var thread = stage.ask("general", "$ echo the-old-secret > kept.txt");

    var anew = stage.goOn(thread, "!new");
    var later = stage.goOn(anew, "$ cat kept.txt");

    assertTrue(Stage.answers(anew).getLast().text().contains("new conversation"), anew.plain());
    assertTrue(Stage.answer(later).contains("the-old-secret"), later.plain());
    var asked = stage.model().asked().getLast().body().encode();
    assertFalse(asked.contains("echo the-old-secret"), asked);
  }

  @Test
  void a_conversation_that_is_too_short_to_be_shortened_says_so() throws Exception {
    var thread = stage.ask("general", "$ echo short");

    var later = stage.goOn(thread, "!compact");

    assertTrue(Stage.answer(later).contains("not enough here yet"), later.plain());
  }

  @Test
  void a_stop_sign_under_any_message_of_the_thread_stops_what_is_under_way() throws Exception {
    var hanging = Reply.says("A while, and done.").ending(new Ending.Hanging(0));
    stage.model().script(Rule.whenContaining("stop-me-by-hand", hanging));
    var root = stage.slack().say("general", "ada", "@gorkie stop-me-by-hand");
    stage
        .model()
        .awaitHanging(asked -> asked.body().encode().contains("stop-me-by-hand"), Stage.PATIENCE);

    stage.slack().react("general", root, "grace", "octagonal_sign");

    var thread = stage.answered("general", root, 1);
    assertEquals("Stopped.", Stage.answer(thread).strip(), thread.plain());
  }

  @Test
  void a_message_is_gone_on_from_by_its_shortcut_and_the_thread_is_followed_from_then_on()
      throws Exception {
    var root = stage.slack().say("general", "grace", "Somebody should count the ducks");

    stage.slack().shortcut("general", root, "ada", "gorkie_continue");
    var thread = stage.answered("general", root, 1);
    var asked = stage.model().asked().getLast().body().encode();
    var later = stage.goOn(thread, "$ echo quack-$((6*7))");

    assertTrue(asked.contains("Somebody should count the ducks"), asked);
    assertTrue(Stage.answer(later).contains("quack-42"), later.plain());
  }

  @Test
  void outside_of_threads_a_slash_command_answers_whoever_gave_it() throws Exception {
    stage.slack().command("random", "ada", "/gorkie", "permissions ask");
    awaitWhisper("it is `ask` here");

    stage.slack().command("random", "grace", "/gorkie", "");
    awaitWhisper("/gorkie status");
    stage.slack().command("random", "ada", "/gorkie", "permissions bypass");
    awaitWhisper("it is `bypass` here");
  }

  private void awaitWhisper(String text) {
    Await.until(
        () ->
            stage.slack().threads("random").stream()
                .flatMap(thread -> thread.messages().stream())
                .anyMatch(one -> one.onlyFor().isPresent() && one.text().contains(text)),
        () -> text);
  }

  @Test
  void what_a_person_wants_to_be_kept_in_mind_is_told_with_what_the_person_writes()
      throws Exception {
    stage.slack().openHome("alan");
    stage.slack().awaitHome("alan", "Your turns today", Stage.PATIENCE);

    stage
        .slack()
        .useHome("alan", "gorkie_save", Map.of("gorkie_instructions", "Answer like a pirate"));
    stage.slack().awaitHome("alan", "Answer like a pirate", Stage.PATIENCE);
    var root = stage.slack().direct("alan", "$ echo ahoy");
    stage.answered("@alan", root, 1);

    var asked = stage.model().asked().getLast().body().encode();
    assertTrue(asked.contains("always wants this to be kept in mind"), asked);
    assertTrue(asked.contains("Answer like a pirate"), asked);
  }

  @Test
  void a_thread_that_was_left_is_quiet_until_gorkie_is_mentioned() throws Exception {
    var thread = stage.ask("general", "$ echo here-I-am");
    var left = stage.goOn(thread, "!leave");

    stage.slack().reply("general", thread.rootTs(), "grace", "$ echo among-ourselves");
    stage.slack().awaitQuiet("general", Stage.PATIENCE);
    var back = stage.goOn(left, "@gorkie $ echo back-again");

    assertEquals(3, Stage.answers(back).size(), back.plain());
    assertTrue(Stage.answer(back).contains("back-again"), back.plain());
  }
}
