package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.slack.Budgets.Permit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Has the table of allowances and the model of it decide about the same, at the same moments of a clock of its own.
final class AlikeAllowances {

  private static final int ALLOWANCES = 80;
  private static final int STEPS = 50;
  private static final Duration STEP = Duration.ofMillis(600);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final double NANOS_PER_MS = 1e6;

  private final Database database;
  private final Statements statements;
  private final BudgetRows rows;
  private final Random random = new Random(11);
  private Instant now = Instant.parse("2026-01-01T09:00:00Z");

  AlikeAllowances(Database database, Statements statements, BudgetRows rows) {
    this.database = database;
    this.statements = statements;
    this.rows = rows;
  }

  private void ownClock() {
    database.transaction(
        () -> {
          statements.of("create schema if not exists moved").executeUpdate();
          statements
              .of(
                  """
                  create or replace function moved.clock_timestamp() returns timestamptz stable language sql
                  as $$ select current_setting('moved.now')::timestamptz $$
                  """)
              .executeUpdate();
          return true;
        });
  }

  void decide() {
    ownClock();
    var rates =
        new Rates(
            Duration.ofSeconds(1),
            Duration.ofMillis(1_200),
            Duration.ofSeconds(3),
            Duration.ofMillis(600),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2));
    var methods =
        List.of("chat.postMessage", "chat.update", "chat.startStream", "conversations.replies");

    for (var one = 0; one < ALLOWANCES; one++) {
      var method = methods.get(one % methods.size());
      var budget = new Budget("T-moved-" + one, method, one % methods.size() == 0 ? "C" : "");
      database.transaction(
          () -> {
            decideAlike(rates, budget);
            return true;
          });
    }
  }

  private void decideAlike(Rates rates, Budget budget) {
    var allowance = new Allowance();
    var told = new ArrayList<String>();
    for (var step = 0; step < STEPS; step++) {
      now =
          now.plus(random.nextLong(STEP.toNanos()), ChronoUnit.NANOS)
              .truncatedTo(ChronoUnit.MICROS);
      moveClock();
      tellBoth(rates, budget, allowance, told);
    }
  }

  private void tellBoth(Rates rates, Budget budget, Allowance allowance, List<String> told) {
    var urgency = Urgency.values()[random.nextInt(Urgency.values().length)];
    var wish = rates.wish(budget, urgency);
    told.add(now + " " + urgency);
    switch (random.nextInt(16)) {
      case 0 -> {
        var pause = Duration.ofMillis(random.nextLong(PAUSE.toMillis()));
        told.add("close for " + pause);
        rows.close(budget, pause, rates.usedUp(budget));
        allowance.close(now, pause, rates.usedUp(budget));
      }
      case 1, 2 -> {
        told.add("open");
        rows.open(budget);
        allowance.open(now);
      }
      case 3 -> {
        told.add("give back");
        rows.giveBack(budget);
        allowance.giveBack();
      }
      default -> {
        var isProbe = allowance.spend(now, wish);
        var permit =
            isProbe
                .<Permit>map(Permit.Go::new)
                .orElseGet(() -> new Permit.Wait(inMillis(allowance.wait(now, wish))));
        assertEquals(rows.ask(budget, wish), permit, () -> String.join("\n", told));
      }
    }
  }

  /// As the table tells it.
  private static Duration inMillis(Duration duration) {
    return Duration.ofMillis(Math.round(duration.toNanos() / NANOS_PER_MS));
  }

  /// Inside a transaction, until its end: what asks for the time asks us.
  private void moveClock() {
    statements
        .of(
            "select set_config('moved.now', :now, true), set_config('search_path', 'moved,"
                + " pg_catalog, public', true)")
        .setParameter("now", now.toString())
        .getResultList();
  }
}
