package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.daytona.Trouble;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.ThreadView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The line to Pi breaks, and nobody notices.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenTerminalIT {

  private static final int CUTS = 50;
  // The model says nothing while its line is cut, and that is not what is tried here.
  private static final Map<String, String> SOON_GIVEN_UP =
      Map.of("GORKIE_TURNS_STOPS_WITHIN", "2s", "GORKIE_TURNS_SILENCE_MAX", "15m");

  private final Stage stage = Stage.open();
  private AutoCloseable other;

  @BeforeAll
  void start() throws Exception {
    other = stage.with(SOON_GIVEN_UP);
  }

  @AfterAll
  void end() throws Exception {
    other.close();
  }

  @AfterEach
  void heal() {
    stage.daytona().faults().clear();
  }

  @Test
  void a_terminal_cut_fifty_times_in_a_turn_gives_one_right_answer() throws Exception {
    var answer = "sentence-after-sentence. ".repeat(400);
    stage
        .model()
        .script(
            Rule.whenContaining(
                "cut me",
                Reply.calls(ToolCall.bash("for i in $(seq 40); do echo line-$i; done")),
                Reply.says(answer)
                    .paced(20, Duration.ofMillis(5))
                    .ending(new Ending.Hanging(400))));
    var root = stage.slack().say("general", "ada", "@gorkie cut me");
    stage.model().awaitAsked(a -> a.body().encode().contains("cut me"), Stage.PATIENCE);

    for (var cut = 0; cut < CUTS; cut++) {
      var before = stage.daytona().counts().terminalsOpened();
      stage.daytona().cutTerminals();
      // A terminal in which nobody has attached yet is no line that can be cut.
      Await.until(() -> stage.daytona().counts().terminalsOpened() > before && isAttached(root));
    }
    stage.model().release();

    var thread = stage.answered("general", root, 1);
    assertEquals(
        answer.strip(),
        String.join(" ", Stage.answers(thread).stream().map(a -> a.text().strip()).toList()));
    assertTrue(stage.daytona().counts().terminalsOpened() > CUTS);
  }

  /// What has not greeted yet is no line; after three of those in a row none is tried any more for a while.
  private boolean isAttached(String root) {
    var sandbox = stage.sandboxOf(stage.slack().thread("general", root));
    return stage.daytona().terminals(sandbox.id()).stream()
        .findFirst()
        .filter(newest -> newest.tail().contains("hello"))
        .isPresent();
  }

  @Test
  void who_stops_a_turn_is_heard_while_there_is_no_way_to_its_machine() throws Exception {
    var stopped = stoppedOutOfReach("sleep 1002");

    stage.daytona().faults().clear();
    assertTrue(isRunning("sleep 1002"), "nobody has told the agent yet");
    var later = stage.goOn(stopped, "$ echo near-again");

    assertTrue(Stage.answer(later).contains("near-again"), later.plain());
    assertFalse(isRunning("sleep 1002"), "what was stopped goes on");
  }

  @Test
  void a_second_stop_ends_what_the_first_one_did_not_reach() throws Exception {
    var stopped = stoppedOutOfReach("sleep 1004");

    stage.daytona().faults().clear();
    var again = stage.goOn(stopped, "!stop");

    assertEquals("Stopped.", Stage.answer(again).strip(), again.plain());
    Await.until(() -> !isRunning("sleep 1004"));
  }

  @Test
  void what_was_stopped_out_of_reach_is_forgotten_where_a_new_conversation_begins()
      throws Exception {
    var stopped = stoppedOutOfReach("sleep 1005");
    stage.daytona().faults().clear();

    var anew = stage.goOn(stopped, "!new");
    var later = stage.goOn(anew, "$ echo blank-page");

    assertTrue(Stage.answer(later).contains("blank-page"), later.plain());
    assertFalse(isRunning("sleep 1005"));
    assertFalse(stage.model().asked().getLast().body().encode().contains("sleep 1005"));
  }

  private ThreadView stoppedOutOfReach(String command) throws Exception {
    stage.model().script(Rule.whenContaining(command, Reply.calls(ToolCall.bash(command))));
    var root = stage.slack().say("general", "ada", "@gorkie please: " + command);
    Await.until(() -> isRunning(command));
    stage.model().forgetScript();
    breakEveryWay();

    stage.slack().reply("general", root, "ada", "!stop");

    var stopped = stage.answered("general", root, 1);
    assertEquals("Stopped.", Stage.answer(stopped).strip(), stopped.plain());
    return stopped;
  }

  @Test
  void who_stops_a_turn_is_heard_where_not_even_its_first_word_gets_through() throws Exception {
    var thread = stage.ask("general", "$ echo well-so-far");
    breakEveryWay();
    stage.slack().reply("general", thread.rootTs(), "ada", "$ sleep 1003");
    Await.until(() -> isGiven(thread));

    stage.slack().reply("general", thread.rootTs(), "ada", "!stop");

    var stopped = stage.answered("general", thread.rootTs(), 2);
    assertEquals("Stopped.", Stage.answer(stopped).strip(), stopped.plain());
    stage.daytona().faults().clear();
    var later = stage.goOn(stopped, "$ echo well-again");
    assertTrue(Stage.answer(later).contains("well-again"), later.plain());
  }

  private void breakEveryWay() {
    stage.daytona().faults().refuseTerminals(true);
    stage
        .daytona()
        .faults()
        .add(Trouble.on("*", "/process/").times(Integer.MAX_VALUE).answering(502, "no way"));
    stage.daytona().cutTerminals();
  }

  private boolean isGiven(ThreadView thread) throws SQLException {
    return 2
        == stage.count(
            "inbox where given_at is not null and thread_id like '%" + thread.rootTs() + "'");
  }

  private boolean isRunning(String command) {
    return stage.daytona().sandboxes().stream()
        .flatMap(sandbox -> sandbox.processes().stream())
        .anyMatch(process -> process.info().commandLine().orElse("").endsWith(command));
  }

  @Test
  void without_any_terminal_a_thread_that_has_its_keeper_goes_on() throws Exception {
    var thread = stage.ask("general", "$ echo with-a-terminal");
    stage.daytona().faults().refuseTerminals(true);

    var later = stage.goOn(thread, "$ echo without-a-terminal");

    assertTrue(Stage.answer(later).contains("without-a-terminal"), later.plain());
  }
}
