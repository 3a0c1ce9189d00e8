package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.RealDatabase;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.slack.Budgets.Permit;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class BudgetTest {

  private static final Duration A_SECOND = Duration.ofSeconds(1);
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final Deadline SOON_OVER = Deadline.in(Duration.ofMillis(1));
  private static final Budget POSTS = new Budget("T1", "chat.postMessage", "C1");
  private static final Budget EDITS = new Budget("T1", "chat.update", "");

  @Inject Tables tables;
  @Inject Database database;
  @Inject Statements statements;
  @Inject BudgetRows rows;
  private SlackAtHand slack;

  @BeforeEach
  void open() {
    slack = new SlackAtHand(tables);
  }

  @AfterEach
  void close() {
    slack.close();
  }

  @Test
  void the_answer_waits_as_long_as_Slack_wants() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 2, new Fault.RateLimited(A_SECOND));

    try (var reply = slack.open("turn-1")) {
      assertTrue(slack.answers(reply, "Patience."));
    }

    assertEquals(List.of("Patience."), texts());
    var calls = slack.workspace.calls("chat.postMessage");
    assertEquals(3, calls.size());
    assertFalse(calls.get(1).at().isBefore(calls.get(0).at().plus(A_SECOND)));
    assertFalse(calls.get(2).at().isBefore(calls.get(1).at().plus(A_SECOND)));
  }

  @Test
  void who_had_to_wait_and_lost_nothing_does_not_read_the_thread() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 2, new Fault.RateLimited(A_SECOND));

    try (var reply = slack.open("turn-1")) {
      slack.answers(reply, "Patience.");
    }

    assertEquals(List.of(), slack.workspace.calls("conversations.replies"));
  }

  @Test
  void an_answer_for_which_there_is_no_time_is_said_by_who_goes_on() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.RateLimited(HALF_AN_HOUR));
    try (var first = slack.open("turn-1", new TestHold(1), SOON_OVER)) {
      assertFalse(slack.answers(first, "Later."));
    }
    try (var second = slack.open("turn-1", new TestHold(2), SOON_OVER)) {
      assertFalse(second.deliver());
    }
    assertEquals(OutboxRow.PENDING, tables.state("turn-1", "answer-1"));
    tables.passes("31 minutes");

    try (var third = slack.open("turn-1", new TestHold(3))) {
      assertTrue(third.deliver());
    }

    assertEquals(List.of("Later."), texts());
    assertEquals(2, slack.workspace.calls("chat.postMessage").size());
  }

  @Test
  void a_thread_that_may_not_be_read_for_long_is_read_by_who_goes_on() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.AnswerLost());
    slack.workspace.fail("conversations.replies", 1, new Fault.RateLimited(HALF_AN_HOUR));
    try (var first = slack.open("turn-1", new TestHold(1), Deadline.in(Duration.ofMillis(1_500)))) {
      assertFalse(slack.answers(first, "Once."));
    }
    assertEquals(OutboxRow.SENT, tables.state("turn-1", "answer-1"));
    tables.passes("31 minutes");

    try (var second = slack.open("turn-1", new TestHold(2))) {
      assertTrue(second.deliver());
    }

    assertEquals(List.of("Once."), texts());
  }

  @Test
  void where_one_is_told_to_wait_all_wait() throws InterruptedException {
    slack.workspace.fail("chat.postMessage", 1, new Fault.RateLimited(HALF_AN_HOUR));
    try (var one = slack.open("turn-1", new TestHold(1), SOON_OVER)) {
      slack.answers(one, "One.");
    }
    for (var i = 2; i < 10; i++) {
      try (var other = slack.open("turn-" + i, new TestHold(1), SOON_OVER)) {
        assertFalse(slack.answers(other, "Other."));
      }
    }

    assertEquals(1, slack.workspace.calls("chat.postMessage").size());
  }

  @Test
  void the_answer_does_not_wait_for_the_card() throws InterruptedException {
    try (var reply = slack.open("turn-1")) {
      reply.step("a", "Reading", "");
      slack.await(thread -> thread.byApp().size() == 1);
      slack.workspace.fail("chat.update", 1, new Fault.RateLimited(A_SECOND));
      for (var i = 0; i < 100; i++) {
        reply.step("" + i, "Step " + i, "");
      }
      slack.workspace.awaitCalls(
          calls -> calls.stream().anyMatch(call -> call.status() == 429), SlackAtHand.SOON);

      slack.answers(reply, "Done.");

      assertEquals(1, slack.workspace.calls("chat.update").size());
      assertEquals("Done.", texts().getLast());
    }

    assertTrue(texts().getFirst().startsWith("Done\n"), texts()::toString);
    assertEquals(2, slack.workspace.calls("chat.update").size());
  }

  @Test
  void of_all_who_wait_at_a_closed_gate_one_tries_it() throws Exception {
    var budgets = budgets(Map.of());
    close(budgets, HALF_AN_HOUR);
    assertInstanceOf(Permit.Wait.class, budgets.ask(POSTS, Urgency.ANSWER));
    tables.passes("31 minutes");

    var permits = askAtOnce(budgets, 16);

    assertEquals(List.of(new Permit.Go(true)), permits);
    budgets.heard(POSTS, new Permit.Go(true), new Result.Ok<>(""));
    assertEquals(new Permit.Go(false), budgets.ask(POSTS, Urgency.ANSWER));
  }

  @Test
  void who_tries_a_gate_and_is_told_to_wait_closes_it_again() {
    var budgets = budgets(Map.of());
    close(budgets, HALF_AN_HOUR);
    tables.passes("31 minutes");
    budgets.heard(POSTS, go(budgets), new Result.Later<>(A_SECOND));

    var permit = assertInstanceOf(Permit.Wait.class, budgets.ask(POSTS, Urgency.ANSWER));

    assertTrue(permit.pause().compareTo(A_SECOND) <= 0, permit.toString());
  }

  @Test
  void who_tries_a_gate_and_hears_nothing_leaves_it_to_the_next_one() {
    var budgets = budgets(Map.of());
    close(budgets, HALF_AN_HOUR);
    tables.passes("31 minutes");
    budgets.heard(POSTS, go(budgets), new Result.Lost<>("no answer"));

    assertEquals(new Permit.Go(true), budgets.ask(POSTS, Urgency.ANSWER));
  }

  @Test
  void who_dies_at_a_gate_is_followed() {
    var budgets = budgets(Map.of("gorkie.slack.call-timeout", "1ms"));
    close(budgets, HALF_AN_HOUR);
    tables.passes("31 minutes");
    go(budgets);

    var permit = budgets.ask(POSTS, Urgency.ANSWER);
    while (!permit.equals(new Permit.Go(true))) {
      permit = budgets.ask(POSTS, Urgency.ANSWER);
    }

    assertEquals(new Permit.Go(true), permit);
  }

  @Test
  void when_a_gate_opens_answers_come_before_signs_and_signs_before_progress() {
    var budgets = budgets(Map.of("gorkie.slack.gate-step", "10m"));
    close(budgets, HALF_AN_HOUR);

    tables.passes("31 minutes");
    assertInstanceOf(Permit.Wait.class, budgets.ask(POSTS, Urgency.SIGN));
    assertInstanceOf(Permit.Wait.class, budgets.ask(POSTS, Urgency.PROGRESS));
    tables.passes("10 minutes");
    assertInstanceOf(Permit.Wait.class, budgets.ask(POSTS, Urgency.PROGRESS));
    assertEquals(new Permit.Go(true), budgets.ask(POSTS, Urgency.SIGN));
  }

  @Test
  void progress_leaves_half_of_the_allowance_to_what_may_not_be_left_out() {
    var budgets = budgets(Map.of("gorkie.slack.post-every", "1h"));

    assertEquals(3, permitted(budgets, POSTS, Urgency.PROGRESS));
    assertEquals(2, permitted(budgets, POSTS, Urgency.ANSWER));
    tables.passes("1 hour");
    assertEquals(0, permitted(budgets, POSTS, Urgency.PROGRESS));
    assertEquals(1, permitted(budgets, POSTS, Urgency.ANSWER));
  }

  @Test
  void the_last_state_of_a_card_does_not_wait_for_what_others_go_on_with()
      throws InterruptedException {
    var hourly = Map.of("gorkie.slack.edit-every", "1h");
    try (var busy = new SlackAtHand(tables, hourly)) {
      var edits = new Budget(busy.workspace.teamId(), EDITS.method(), EDITS.channel());
      assertEquals(6, permitted(budgets(hourly), edits, Urgency.PROGRESS));

      try (var reply = busy.open("turn-1")) {
        reply.step("call-1", "Counting", "");
        assertTrue(busy.answers(reply, "One."));
      }

      assertEquals(1, busy.workspace.calls("chat.update").size());
    }
  }

  @Test
  void who_may_not_does_not_wait_for_whoever_has_the_row_just_then() {
    var budgets = budgets(Map.of("gorkie.slack.edit-every", "1h"));
    permitted(budgets, EDITS, Urgency.ANSWER);

    var permit =
        database.transaction(
            () -> {
              statements.of("select 1 from budgets for update").getResultList();
              return CompletableFuture.supplyAsync(() -> budgets.ask(EDITS, Urgency.ANSWER)).join();
            });

    assertInstanceOf(Permit.Wait.class, permit);
  }

  @Test
  void the_table_of_allowances_and_the_model_of_it_decide_alike_whatever_happens() {
    new AlikeAllowances(database, statements, rows).decide();
  }

  @Test
  void workspaces_and_channels_do_not_wait_for_each_other() {
    var budgets = budgets(Map.of());
    close(budgets, HALF_AN_HOUR);

    for (var other :
        List.of(
            new Budget("T2", POSTS.method(), POSTS.channel()),
            new Budget(POSTS.team(), POSTS.method(), "C2"),
            EDITS)) {
      assertEquals(new Permit.Go(false), budgets.ask(other, Urgency.ANSWER));
    }
  }

  @Test
  void the_more_turns_a_workspace_has_the_slower_is_each_card() {
    var pace =
        new LiveCard.Pace(
            Duration.ofSeconds(2), Duration.ofMillis(1_500), Duration.ZERO, Duration.ZERO);

    assertEquals(Duration.ofSeconds(2), pace.between(1));
    assertEquals(Duration.ofSeconds(15), pace.between(10));
  }

  private static int permitted(Budgets budgets, Budget budget, Urgency urgency) {
    var times = 0;
    while (budgets.ask(budget, urgency) instanceof Permit.Go) {
      times++;
    }
    return times;
  }

  private static Permit.Go go(Budgets budgets) {
    return assertInstanceOf(Permit.Go.class, budgets.ask(POSTS, Urgency.ANSWER));
  }

  private static void close(Budgets budgets, Duration pause) {
    budgets.heard(POSTS, go(budgets), new Result.Later<>(pause));
  }

  private static List<Permit> askAtOnce(Budgets budgets, int workers) throws Exception {
    var asking = new ArrayList<Callable<Permit>>();
    for (var i = 0; i < workers; i++) {
      asking.add(() -> budgets.ask(POSTS, Urgency.ANSWER));
    }
    var permits = new ArrayList<Permit>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var permit : threads.invokeAll(asking)) {
        if (permit.get() instanceof Permit.Go go) {
          permits.add(go);
        }
      }
    }
    return permits;
  }

  private Budgets budgets(Map<String, String> settings) {
    return tables.budgets(SlackAtHand.settings(settings));
  }

  private List<String> texts() {
    return slack.said().stream().map(MessageView::text).toList();
  }
}
