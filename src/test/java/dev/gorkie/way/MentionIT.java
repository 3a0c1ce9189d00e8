package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.daytona.Trouble;
import dev.gorkie.local.slack.DeliveryOptions;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MentionIT {

  private final Stage stage = Stage.open();

  @Test
  void a_mention_is_answered_in_its_thread_and_the_card_shows_what_ran() throws Exception {
    var thread = stage.ask("general", "$ echo hello-$((6*7))");

    assertTrue(Stage.answer(thread).contains("hello-42"), thread.plain());
    assertEquals(1, Stage.answers(thread).size(), thread.plain());
    assertEquals(1, Stage.cards(thread).size(), thread.plain());
    var step =
        Stage.cards(thread).getFirst().tasks().stream()
            .filter(task -> task.details().contains("echo hello-"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(thread.plain()));
    assertEquals("complete", step.status());
    assertTrue(step.output().contains("hello-42"), thread.plain());
    assertEquals(List.of(), stage.slack().violations());
  }

  @Test
  void a_sign_is_there_before_any_computer_is_asked_for() throws Exception {
    // Nobody gets one before this is over.
    stage.daytona().faults().add(Trouble.on("POST", "/sandbox$").after(Duration.ofSeconds(3)));

    var root = stage.slack().say("general", "ada", "@gorkie $ echo patience");
    var thread =
        stage
            .slack()
            .awaitThread(
                "general",
                root,
                it -> it.session().equals(Optional.of("processing")),
                Stage.PATIENCE);

    var name =
        "gorkie-"
            + stage.slack().teamId()
            + "-"
            + stage.slack().channel("general").id()
            + "-"
            + root;
    assertTrue(stage.daytona().sandbox(name).isEmpty(), thread.plain());
    stage.answered("general", root, 1);
  }

  @Test
  void a_direct_message_is_answered_without_a_mention() throws Exception {
    var root = stage.slack().direct("ada", "$ echo direct-$((2*3))");

    var thread = stage.answered("@ada", root, 1);

    assertTrue(Stage.answer(thread).contains("direct-6"), thread.plain());
  }

  @Test
  void the_same_delivery_five_times_is_one_turn() throws Exception {
    var thread =
        stage.ask(
            Utterance.in("random", "ada", "@gorkie $ echo once")
                .delivered(DeliveryOptions.usual().times(5)));
    stage.slack().awaitQuiet("random", Stage.PATIENCE);

    var later = stage.goOn(thread, "$ echo twice");

    assertEquals(2, Stage.answers(later).size(), later.plain());
  }

  @ParameterizedTest
  @EnumSource(DeliveryOptions.Order.class)
  void a_mentions_two_events_are_one_turn_with_the_file_in_either_order(DeliveryOptions.Order order)
      throws Exception {
    var thread =
        stage.ask(
            Utterance.in("random", "ada", "@gorkie $ cat attachments/*/note.txt")
                .with(Upload.text("note.txt", "what the file says"))
                .delivered(DeliveryOptions.usual().in(order)));
    stage.slack().awaitQuiet("random", Stage.PATIENCE);

    assertTrue(Stage.answer(thread).contains("what the file says"), thread.plain());
    var later = stage.goOn(thread, "$ ls attachments/* | wc -l");
    assertEquals(2, Stage.answers(later).size(), later.plain());
  }

  @Test
  void a_mention_of_which_only_the_event_without_its_file_arrives_is_completed() throws Exception {
    var thread =
        stage.ask(
            Utterance.in("general", "ada", "@gorkie $ cat attachments/*/note.txt")
                .with(Upload.text("note.txt", "asked for"))
                .delivered(DeliveryOptions.usual().only(DeliveryOptions.Copies.MENTION)));

    assertTrue(Stage.answer(thread).contains("asked for"), thread.plain());
  }

  @Test
  void an_aside_is_left_alone() throws Exception {
    var thread = stage.ask("general", "$ echo begin");
    stage.slack().reply("general", thread.rootTs(), "grace", "## not for you");

    var later = stage.goOn(thread, "$ echo end");

    assertEquals(2, Stage.answers(later).size(), later.plain());
    assertTrue(Stage.answer(later).contains("end"), later.plain());
  }
}
