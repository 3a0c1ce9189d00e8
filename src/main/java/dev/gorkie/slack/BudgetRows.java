package dev.gorkie.slack;

import dev.gorkie.database.Database;
import dev.gorkie.slack.Budgets.Permit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/// The table of allowances. Time is the database's alone. It is asked before each call of Slack, so each question is one statement,
/// with nothing around it unless the caller has a transaction.
@ApplicationScoped
class BudgetRows {

  // All turns of a workspace come by here, so whoever sees that he may not leaves the row alone.
  // Whoever may looks once more when he has it for himself.
  private static final String ASK =
      """
      with wish as (
        select ?::text as team, ?::text as method, ?::text as channel, ? * interval '1 millisecond' as every,
               ? * interval '1 millisecond' as ahead, ? * interval '1 millisecond' as after,
               ? * interval '1 millisecond' as probe),
      seen as (
        select b.paid_until - wish.ahead as paid, b.open_at + wish.after as opens, b.probed_until
        from budgets b, wish where b.team = wish.team and b.method = wish.method and b.channel = wish.channel),
      spent as (
        insert into budgets (team, method, channel, paid_until)
        select team, method, channel, clock_timestamp() + every from wish
        where not exists (
          select 1 from seen
          where paid > clock_timestamp() or opens > clock_timestamp()
            or opens is not null and probed_until >= clock_timestamp())
        on conflict (team, method, channel) do update
          set paid_until = greatest(budgets.paid_until, clock_timestamp()) + (select every from wish),
              probed_until = case when budgets.open_at is null then null
                             else clock_timestamp() + (select probe from wish) end
          where budgets.paid_until <= clock_timestamp() + (select ahead from wish)
            and (budgets.open_at is null
                 or budgets.open_at + (select after from wish) <= clock_timestamp()
                    and (budgets.probed_until is null or budgets.probed_until < clock_timestamp()))
        returning open_at is not null as probes)
      select probes, 0 from spent
      union all
      select null, (extract(epoch from greatest(paid, opens) - clock_timestamp()) * 1000)::bigint
      from seen where not exists (select 1 from spent)
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

  /// How long a wait is, it tells as far as it can be seen: nothing where somebody is just trying, or was faster.
  Permit ask(Budget budget, Wish wish) {
    return database
        .ask(
            ASK,
            BudgetRows::permit,
            budget.team(),
            budget.method(),
            budget.channel(),
            wish.every().toMillis(),
            wish.ahead().toMillis(),
            wish.after().toMillis(),
            wish.probe().toMillis())
        .orElseGet(() -> new Permit.Wait(Duration.ZERO));
  }

  private static Permit permit(ResultSet row) throws SQLException {
    var isProbe = row.getBoolean(1);
    return row.wasNull()
        ? new Permit.Wait(Duration.ofMillis(Math.max(0, row.getLong(2))))
        : new Permit.Go(isProbe);
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
