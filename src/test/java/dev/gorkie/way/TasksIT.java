package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.ThreadView;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What people want at a time, from the tool's call to what is said or done then. That time has come a statement says, and two
/// Gorkies look for it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TasksIT {

  private final Stage stage = Stage.open();
  private Gorkie gorkie;

  @BeforeAll
  void open() throws IOException {
    stage.slack().allowNaming("grace");
    gorkie = stage.another(Map.of("GORKIE_SWEEP_TASKS_EVERY", "1s"));
  }

  @AfterEach
  void forget() {
    stage.model().forgetScript();
  }

  @AfterAll
  void close() throws Exception {
    stage.asBefore();
    gorkie.close();
  }

  private ThreadView planned(String channel, String who, String word, JsonObject wish)
      throws InterruptedException {
    stage
        .model()
        .script(
            Rule.whenContaining(
                word, Reply.calls(new ToolCall("schedule", wish)), Reply.says("{{result}}")));
    var root = stage.slack().say(channel, who, "@gorkie " + word);
    return stage.answered(channel, root, 1);
  }

  private static JsonObject nextMonday(String what) {
    var monday =
        LocalDate.now(ZoneId.of("Europe/London")).with(TemporalAdjusters.next(DayOfWeek.MONDAY));
    return JsonObject.of("what", what, "at", monday + "T09:00");
  }

  private static String id(ThreadView thread) {
    return Stage.answer(thread).replaceAll("(?s).*(task-[a-z0-9]{10}).*", "$1");
  }

  /// Its time has come so long ago.
  private void isDue(ThreadView thread, String since) throws SQLException {
    stage.sql(
        "update tasks set due_at = now() - interval '%s' where task_id = '%s'"
            .formatted(since, id(thread)));
  }

  private ThreadView awaits(ThreadView thread, String said) throws InterruptedException {
    return stage
        .slack()
        .awaitThread(thread.channel(), thread.rootTs(), it -> it.appSaid(said), Stage.PATIENCE);
  }

  @Test
  void a_reminder_is_said_once_to_whoever_wanted_it_and_late_if_it_must_be() throws Exception {
    var wish = nextMonday("Call the bank").put("plain", true);
    var thread = planned("general", "grace", "remind-me", wish);
    assertTrue(Stage.answer(thread).contains("09:00 (Europe/London)"), thread.plain());

    isDue(thread, "2 hours");

    var told = awaits(thread, "Call the bank");
    assertTrue(told.appSaid("I am late"), told.plain());
    stage.slack().awaitQuiet("general", Stage.PATIENCE);
    var after = stage.slack().thread("general", thread.rootTs());
    assertEquals(2, Stage.answers(after).size(), after.plain());
    var grace = stage.slack().person("grace").id();
    stage
        .slack()
        .awaitCalls(
            calls ->
                calls.stream()
                    .anyMatch(call -> call.toString().contains("<@" + grace + "> Call the bank")),
            Stage.PATIENCE);
  }

  @Test
  void in_a_direct_conversation_it_is_said_there_and_nobody_is_named() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "remind-me-here",
                Reply.calls(
                    new ToolCall("schedule", nextMonday("Water the plants").put("plain", true))),
                Reply.says("{{result}}")));
    var root = stage.slack().direct("alan", "remind-me-here");
    var thread = stage.answered("@alan", root, 1);

    isDue(thread, "0 seconds");

    var told = awaits(thread, "Water the plants");
    assertEquals("Water the plants", told.byApp().getLast().text());
  }

  @Test
  void what_comes_round_is_done_by_the_agent_and_comes_again() throws Exception {
    var wish = JsonObject.of("what", "$ echo round-$((6*7))", "cron", "0 9 * * 1");
    var thread = planned("general", "grace", "every-monday", wish);

    // Nobody was there for three weeks, in which it would have been done three times.
    isDue(thread, "22 days");
    awaits(thread, "round-42");
    var again = stage.answered("general", thread.rootTs(), 2);
    var asked = stage.model().asked();
    assertTrue(
        asked.stream().anyMatch(it -> it.lastUserText().contains("and could not be done then")));
    isDue(thread, "0 seconds");

    stage.answered("general", again.rootTs(), 3);
    stage.slack().reply("general", thread.rootTs(), "grace", "!tasks");
    awaits(thread, id(thread) + " · 0 9 * * 1, next on Monday");
  }

  @Test
  void what_is_planned_is_listed_and_cancelled_in_its_thread_and_on_the_page() throws Exception {
    var one = planned("general", "alan", "cancel-in-thread", nextMonday("Ask Ada"));
    var other = planned("random", "alan", "cancel-at-home", nextMonday("Ask Grace"));

    stage.slack().reply("general", one.rootTs(), "ada", "!tasks");
    var list = awaits(one, id(one) + " · Monday").byApp().getLast();
    stage.slack().click("general", list.ts(), "ada", "gorkie_cancel_task");
    awaits(one, id(one) + "` is cancelled: Ask Ada");

    stage.slack().openHome("alan");
    var home = stage.slack().awaitHome("alan", id(other), Stage.PATIENCE).encode();
    assertTrue(home.contains("What you have planned") && !home.contains(id(one)), home);
    stage.slack().useHome("alan", "gorkie_cancel_task", Map.of());
    awaits(other, id(other) + "` is cancelled: Ask Grace");
  }

  @Test
  void what_was_planned_for_somebody_who_is_gone_ends_with_a_sentence() throws Exception {
    stage.slack().addPerson("hugo", "Hugo Gone");
    stage.slack().addPerson("ines", "Ines Outside");
    stage.slack().addChannel("closed-circle", Channel.Kind.PRIVATE);
    var wish = JsonObject.of("what", "Water the plants", "cron", "0 9 * * *");
    var gone = planned("general", "hugo", "hugo-plans", wish);
    var outside = planned("closed-circle", "ines", "ines-plans", wish);
    stage.slack().closeAccount("hugo");
    stage.slack().leaves("closed-circle", "ines");

    isDue(gone, "0 seconds");
    isDue(outside, "0 seconds");

    awaits(gone, "I do this no more, since hugo");
    awaits(outside, "I do this no more, since ines");
  }

  @Test
  void what_comes_round_too_often_is_refused_and_the_agent_hears_why() throws Exception {
    var thread =
        planned(
            "general", "grace", "too-often", JsonObject.of("what", "Hm", "cron", "*/5 * * * *"));

    assertTrue(Stage.answer(thread).contains("at most every 30 minutes"), thread.plain());
  }

  @Test
  void it_goes_as_the_page_on_tasks_shows() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "remind me on Monday",
                Reply.calls(
                    new ToolCall("schedule", nextMonday("Call the bank").put("plain", true))),
                Reply.says("{{result}}")));

    ExamplePage.of("tasks.md").play(stage);
  }
}
