package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.ThreadView;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the agent does only when a person allows it.
class ApprovalsIT {

  private final Stage stage = Stage.open();

  /// A thread in which ada is asked whether this may be run.
  private ThreadView asksFor(String command) throws InterruptedException {
    var root = stage.slack().say("general", "ada", "@gorkie !permissions ask");
    awaits(root, "it is `ask` in this thread");
    stage.slack().reply("general", root, "ada", "$ " + command);
    return stage
        .slack()
        .awaitThread("general", root, ApprovalsIT::waitsForSomebody, Stage.PATIENCE);
  }

  private static boolean waitsForSomebody(ThreadView thread) {
    return thread.session().equals(Optional.of("suspended"))
        && thread.byApp().stream().anyMatch(message -> message.button("Allow").isPresent());
  }

  private ThreadView awaits(String root, String said) throws InterruptedException {
    return stage
        .slack()
        .awaitThread(
            "general",
            root,
            thread -> thread.appSaid(said) && !thread.session().equals(Optional.of("processing")),
            Stage.PATIENCE);
  }

  private static MessageView question(ThreadView thread) {
    return thread.byApp().stream()
        .filter(message -> message.button("Allow").isPresent())
        .findFirst()
        .orElseThrow(() -> new AssertionError(thread.plain()));
  }

  private void clicks(ThreadView thread, String who, String action) throws InterruptedException {
    stage.slack().click("general", question(thread).ts(), who, action);
  }

  @Test
  void what_was_asked_for_is_run_when_the_person_who_wants_it_allows_it_and_not_before()
      throws Exception {
    var asked = asksFor("echo it-was-$((40+2))");
    assertTrue(question(asked).text().contains("echo it-was-$((40+2))"), asked.plain());

    clicks(asked, "grace", "gorkie_allow");
    var told =
        stage
            .slack()
            .awaitThread(
                "general",
                asked.rootTs(),
                thread -> thread.messages().stream().anyMatch(it -> it.onlyFor().isPresent()),
                Stage.PATIENCE);
    assertFalse(told.appSaid("it-was-42"), told.plain());
    clicks(asked, "ada", "gorkie_allow");

    var thread = awaits(asked.rootTs(), "it-was-42");
    assertTrue(thread.appSaid("Allowed by ada."), thread.plain());
    assertTrue(
        thread.byApp().stream().noneMatch(it -> it.button("Allow").isPresent()), thread.plain());
  }

  @Test
  void what_was_not_allowed_is_not_run_and_the_agent_goes_on() throws Exception {
    var asked = asksFor("echo never-$((40+2)) > ran.txt");

    clicks(asked, "ada", "gorkie_refuse");

    var thread = awaits(asked.rootTs(), "demonstration model");
    assertTrue(thread.appSaid("Not allowed by ada."), thread.plain());
    assertTrue(thread.appSaid("did not allow this"), thread.plain());
  }

  @Test
  void a_stop_ends_what_waits_for_a_person_and_its_buttons_go() throws Exception {
    var asked = asksFor("echo never");

    stage.slack().reply("general", asked.rootTs(), "ada", "!stop");

    var thread = awaits(asked.rootTs(), "Stopped.");
    var after =
        stage
            .slack()
            .awaitThread(
                "general", thread.rootTs(), it -> it.appSaid("This is void"), Stage.PATIENCE);
    assertTrue(after.byApp().stream().noneMatch(it -> it.button("Allow").isPresent()));
  }

  @Test
  void a_question_outlives_the_worker_that_asked_it_and_an_answer_that_does_not_come_is_a_no()
      throws Exception {
    var mortal = stage.another(Map.of("GORKIE_TURNS_PERMISSION_LASTS", "8s"));
    ThreadView asked;
    try {
      asked = asksFor("echo too-late");
    } finally {
      mortal.close();
      stage.asBefore();
    }

    var thread = awaits(asked.rootTs(), "demonstration model");

    assertTrue(thread.appSaid("Nobody answered in time"), thread.plain());
    assertTrue(thread.appSaid("did not allow this"), thread.plain());
    assertEquals(1, Stage.cards(thread).size(), thread.plain());
  }
}
