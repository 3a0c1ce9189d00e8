package dev.gorkie.slack;

import dev.gorkie.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;

/// The table of allowances. Time is the database's alone. It is asked before each call of Slack, so each question is one statement,
/// with nothing around it unless the caller has a transaction.
@ApplicationScoped
class BudgetRows {

  private static final String SPEND =
      """
      insert into budgets (team, method, channel, paid_until)
      values (?, ?, ?, clock_timestamp() + ? * interval '1 millisecond')
      on conflict (team, method, channel) do update
        set paid_until = greatest(budgets.paid_until, clock_timestamp()) + ? * interval '1 millisecond',
            probed_until = case when budgets.open_at is null then null
                           else clock_timestamp() + ? * interval '1 millisecond' end
        where budgets.paid_until <= clock_timestamp() + ? * interval '1 millisecond'
          and (budgets.open_at is null
               or budgets.open_at + ? * interval '1 millisecond' <= clock_timestamp()
                  and (budgets.probed_until is null or budgets.probed_until < clock_timestamp()))
      returning open_at is not null
      """;

  private static final String WAIT =
      """
      select (extract(epoch from
               greatest(paid_until - ? * interval '1 millisecond', open_at + ? * interval '1 millisecond')
               - clock_timestamp()) * 1000)::bigint
      from budgets where team = ? and method = ? and channel = ?
      """;

  private static final String CLOSE =
      """
      insert into budgets (team, method, channel, paid_until, open_at)
      values (?, ?, ?,
              clock_timestamp() + ? * interval '1 millisecond', clock_timestamp() + ? * interval '1 millisecond')
      on conflict (team, method, channel) do update
        set open_at = greatest(budgets.open_at, excluded.open_at),
            paid_until = greatest(budgets.paid_until, excluded.paid_until),
            probed_until = null
      """;

  private static final String OPEN =
      """
      update budgets set open_at = null, probed_until = null
      where team = ? and method = ? and channel = ? and open_at <= clock_timestamp()
      """;

  private static final String GIVE_BACK =
      """
      update budgets set probed_until = null
      where team = ? and method = ? and channel = ?
      """;

  private final Database database;

  @Inject
  BudgetRows(Database database) {
    this.database = database;
  }

  /// What is asked of an allowance.
  ///
  /// @param every how much one call costs
  /// @param ahead how far the costs may run ahead of the clock
  /// @param after how long after the opening of a closed gate it is this caller's turn to try
  /// @param probe how long whoever tries has for it
  record Wish(Duration every, Duration ahead, Duration after, Duration probe) {}

  /// Empty when it is not allowed now; else whether it is the one try at a gate that was closed.
  Optional<Boolean> spend(Budget budget, Wish wish) {
    return database.ask(
        SPEND,
        row -> row.getBoolean(1),
        budget.team(),
        budget.method(),
        budget.channel(),
        wish.every().toMillis(),
        wish.every().toMillis(),
        wish.probe().toMillis(),
        wish.ahead().toMillis(),
        wish.after().toMillis());
  }

  /// How long to wait before asking again; nothing when somebody is just trying.
  Duration wait(Budget budget, Wish wish) {
    return database
        .ask(
            WAIT,
            row -> row.getLong(1),
            wish.ahead().toMillis(),
            wish.after().toMillis(),
            budget.team(),
            budget.method(),
            budget.channel())
        .filter(millis -> millis > 0)
        .map(Duration::ofMillis)
        .orElse(Duration.ZERO);
  }

  /// Slack has had enough: nobody calls before that, and then the allowance is used up.
  void close(Budget budget, Duration pause, Duration usedUp) {
    database.tell(
        CLOSE,
        budget.team(),
        budget.method(),
        budget.channel(),
        pause.plus(usedUp).toMillis(),
        pause.toMillis());
  }

  /// Slack has answered whoever tried; unless somebody was told meanwhile to wait.
  void open(Budget budget) {
    database.tell(OPEN, budget.team(), budget.method(), budget.channel());
  }

  /// Whoever tried does not know; the next one may.
  void giveBack(Budget budget) {
    database.tell(GIVE_BACK, budget.team(), budget.method(), budget.channel());
  }
}
