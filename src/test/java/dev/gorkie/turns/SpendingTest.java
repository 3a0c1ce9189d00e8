package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gorkie.Failure;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What turns may cost, and how many may be at work.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class SpendingTest {

  private static final AtomicInteger TURNS = new AtomicInteger(1_000);
  private static final AtomicInteger TEAMS = new AtomicInteger();

  @Inject Database database;
  @Inject Statements statements;

  private final String team = "TSPENT" + TEAMS.incrementAndGet();

  private Spending spending(Optional<String> thread, Optional<String> person) {
    return new Spending(
        database,
        statements,
        new Spending.Limits() {
          @Override
          public Optional<BigDecimal> thread() {
            return thread.map(BigDecimal::new);
          }

          @Override
          public Optional<BigDecimal> person() {
            return person.map(BigDecimal::new);
          }

          @Override
          public Optional<BigDecimal> channel() {
            return Optional.empty();
          }

          @Override
          public Optional<BigDecimal> workspace() {
            return Optional.empty();
          }
        });
  }

  @Test
  void the_table_of_turns_and_the_model_of_its_line_let_in_the_same() {
    new AlikeLines(database, statements).letIn();
  }

  @Test
  void what_a_thread_has_cost_today_is_told_near_the_limit_and_ends_it_at_the_limit() {
    var spending = spending(Optional.of("1.00"), Optional.empty());
    var thread = thread("1");
    turn(thread, "U1", "0.70", "now()");
    turn(thread, "U1", "5.00", "now() - interval '25 hours'");

    var before = spending.before(thread, "U1");
    assertEquals(Optional.empty(), before.hint(new BigDecimal("0.05")));
    assertEquals(
        Optional.of("This thread has used 85 % of what may be spent today."),
        before.hint(new BigDecimal("0.15")));
    turn(thread, "U2", "0.30", "now()");

    var failure = assertThrows(Failure.class, () -> spending.before(thread, "U1"));
    assertEquals(TurnFailure.THREAD_SPENT, failure.code());
  }

  @Test
  void what_a_person_has_spent_counts_in_all_threads_and_is_nobody_elses() {
    var spending = spending(Optional.empty(), Optional.of("0.50"));
    turn(thread("1"), "U1", "0.30", "now()");
    turn(thread("2"), "U1", "0.30", "now()");

    var failure = assertThrows(Failure.class, () -> spending.before(thread("3"), "U1"));

    assertEquals(TurnFailure.PERSON_SPENT, failure.code());
    assertEquals(Optional.empty(), spending.before(thread("1"), "U2").hint(new BigDecimal("0.39")));
  }

  @Test
  void the_last_place_goes_to_whoever_has_none_at_work_and_then_to_whoever_came_first() {
    var admission = new Admission(database, statements, OptionalInt.of(2));
    var first = running(thread("1"), "U1");
    var second = running(thread("2"), "U1");
    var third = running(thread("3"), "U1");
    var others = running(thread("4"), "U2");

    assertEquals(OptionalInt.empty(), admission.line(team, first));
    assertEquals(OptionalInt.empty(), admission.line(team, second));
    assertEquals(OptionalInt.of(0), admission.line(team, third));
    assertEquals(OptionalInt.of(0), admission.line(team, others));
    assertEquals(OptionalInt.of(1), admission.line(team, third));

    change("update turns set state = 'ended' where turn_id = " + second);
    assertEquals(OptionalInt.of(1), admission.line(team, third));
    assertEquals(OptionalInt.empty(), admission.line(team, others));
    assertEquals(OptionalInt.empty(), admission.line(team, first));

    change("update threads set lease_until = now() where thread_id = '" + thread("1") + "'");
    assertEquals(OptionalInt.empty(), admission.line(team, third));
  }

  private ThreadKey thread(String root) {
    return new ThreadKey(team, "C1", root);
  }

  private long running(ThreadKey thread, String user) {
    var turn = turn(thread, user, "0", "now()");
    change("update turns set state = 'running' where turn_id = " + turn);
    return turn;
  }

  private long turn(ThreadKey thread, String user, String cost, String started) {
    change(
        """
        insert into threads (thread_id, team, channel, root_ts, lease_until)
        values ('%s', '%s', '%s', '%s', now() + interval '1 minute') on conflict do nothing
        """
            .formatted(thread, team, thread.channel(), thread.root()));
    var turn = TURNS.incrementAndGet();
    change(
        """
        insert into turns (turn_id, thread_id, fence, state, team, channel, asked_by, cost, started_at)
        values (%d, '%s', 1, 'ended', '%s', '%s', '%s', %s, %s)
        """
            .formatted(turn, thread, team, thread.channel(), user, cost, started));
    return turn;
  }

  private void change(String sql) {
    database.transaction(() -> statements.of(sql).executeUpdate());
  }
}
