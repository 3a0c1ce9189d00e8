package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.ThreadView;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The answer is known, and then the worker dies on whose lips it was.
class LastWordIT {

  // Scaled down: what has to relate to each other does.
  private static final Map<String, String> HASTE =
      Map.of(
          "GORKIE_LEASE_LASTS", "6s",
          "GORKIE_LEASE_RENEWED_EVERY", "1s",
          "GORKIE_SLACK_CALL_TIMEOUT", "2s",
          "GORKIE_SWEEP_EVERY", "1s");

  private final Stage stage = Stage.open();

  private enum Fate {
    /// Slack wants it later.
    NOT_SAID(new Fault.RateLimited(Duration.ofSeconds(20)), call -> call.status() == 429),
    /// Slack has it, and never tells.
    SAID(new Fault.AnswerLost(), call -> true);

    private final Fault fault;
    private final Predicate<ApiCall> happened;

    Fate(Fault fault, Predicate<ApiCall> happened) {
      this.fault = fault;
      this.happened = happened;
    }
  }

  @AfterEach
  void asBefore() {
    stage.slack().heal();
    stage.model().forgetScript();
    stage.asBefore();
  }

  @Test
  void a_sign_of_work_that_slack_does_not_let_go_is_come_back_to() throws Exception {
    stage.model().script(Rule.whenContaining("sign-stays", Reply.says("It does.")));
    try (var _ = stage.another(HASTE)) {
      stage.slack().fail("chat.postMessage", 1, new Fault.RateLimited(Duration.ofSeconds(2)));
      var root = stage.slack().say("general", "ada", "@gorkie sign-stays");
      stage.slack().awaitThread("general", root, ThreadView::isShownAtWork, Stage.PATIENCE);
      stage.slack().fail("agents.sessions.setStatus", new Fault.Status(503));
      stage
          .slack()
          .awaitThread("general", root, thread -> thread.appSaid("It does."), Stage.PATIENCE);
      Await.until(() -> isSettledAndLetGo(root));

      stage.slack().heal();

      stage.slack().awaitThread("general", root, thread -> !thread.isShownAtWork(), Stage.PATIENCE);
    }
  }

  @Test
  void what_people_have_seen_of_an_answer_stays_when_another_worker_is_told_to_stop()
      throws Exception {
    var seen = "Some words that people see.";
    stage
        .model()
        .script(
            Rule.whenContaining(
                "half-said", Reply.says((seen + " ").repeat(60)).ending(new Ending.Hanging(50))));
    var doomed = stage.another(HASTE);
    var root = stage.slack().say("general", "ada", "@gorkie half-said");
    stage.slack().awaitThread("general", root, thread -> thread.appSaid(seen), Stage.PATIENCE);
    // Of what he has begun and not written down nobody knows where it is, and it goes.
    Await.until(
        () ->
            1
                == stage.count(
                    "outbox where part = 'answer-1' and ts is not null and thread_id like '%"
                        + root
                        + "'"));
    doomed.kill();

    ThreadView stopped;
    try (var _ = stage.another(HASTE)) {
      stage.slack().reply("general", root, "ada", "!stop");
      stopped =
          stage
              .slack()
              .awaitThread("general", root, thread -> thread.appSaid("Stopped."), Stage.PATIENCE);
    }

    assertTrue(Stage.answer(stopped).startsWith(seen), stopped.plain());
    assertEquals(1, Stage.answers(stopped).size(), stopped.plain());
  }

  private boolean isSettledAndLetGo(String root) throws SQLException {
    return 1
        == stage.count(
            "inbox join threads using (thread_id) where thread_id like '%"
                + root
                + "'"
                + " and settled_at is not null and lease_until is null");
  }

  @ParameterizedTest
  @EnumSource(Fate.class)
  void an_answer_is_said_once_by_whoever_comes_after(Fate fate) throws Exception {
    // Where nothing has to be set up there is no card, and the first post is the answer.
    var thread = stage.ask("general", "$ echo warm");
    var word = "lips-" + fate;
    stage.model().script(Rule.whenContaining(word, Reply.says("It is " + word + " indeed.")));
    var slow = new HashMap<>(HASTE);
    slow.put("GORKIE_SLACK_READ_BACK_PAUSE", "1m");
    var doomed = stage.another(slow);
    stage.slack().fail("chat.postMessage", 1, fate.fault);
    var posts = stage.slack().calls("chat.postMessage").size();

    stage.slack().reply("general", thread.rootTs(), "ada", word);
    stage
        .slack()
        .awaitCalls(
            calls ->
                calls.stream()
                        .filter(call -> call.method().equals("chat.postMessage"))
                        .skip(posts)
                        .filter(fate.happened)
                        .count()
                    == 1,
            Stage.PATIENCE);
    doomed.kill();
    ThreadView later;
    try (var _ = stage.another(HASTE)) {
      later = stage.answered("general", thread.rootTs(), 2);
    }

    assertEquals("It is " + word + " indeed.", Stage.answer(later), later.plain());
    assertEquals(2, Stage.answers(later).size(), later.plain());
    assertEquals(
        1,
        stage.model().asked().stream()
            .filter(asked -> asked.lastUserText().contains(word))
            .count());
  }
}
