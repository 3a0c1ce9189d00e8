package dev.gorkie.slack;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.Duration;
import java.util.Optional;

/// The table of allowances. Time is the database's alone.
@ApplicationScoped
class BudgetRows {

  private final EntityManager entities;

  @Inject
  BudgetRows(EntityManager entities) {
    this.entities = entities;
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
    return of(
            budget,
            """
            insert into budgets (team, method, channel, paid_until)
            values (:team, :method, :channel, clock_timestamp() + :every * interval '1 millisecond')
            on conflict (team, method, channel) do update
              set paid_until = greatest(budgets.paid_until, clock_timestamp()) + :every * interval '1 millisecond',
                  probed_until = case when budgets.open_at is null then null
                                 else clock_timestamp() + :probe * interval '1 millisecond' end
              where budgets.paid_until <= clock_timestamp() + :ahead * interval '1 millisecond'
                and (budgets.open_at is null
                     or budgets.open_at + :after * interval '1 millisecond' <= clock_timestamp()
                        and (budgets.probed_until is null or budgets.probed_until < clock_timestamp()))
            returning open_at is not null
            """)
        .setParameter("every", wish.every().toMillis())
        .setParameter("ahead", wish.ahead().toMillis())
        .setParameter("after", wish.after().toMillis())
        .setParameter("probe", wish.probe().toMillis())
        .getResultList()
        .stream()
        .map(Boolean.class::cast)
        .findFirst();
  }

  /// How long to wait before asking again; nothing when somebody is just trying.
  Duration wait(Budget budget, Wish wish) {
    var millis =
        of(
                budget,
                """
                select (extract(epoch from
                         greatest(paid_until - :ahead * interval '1 millisecond',
                                  open_at + :after * interval '1 millisecond')
                         - clock_timestamp()) * 1000)::bigint
                from budgets where team = :team and method = :method and channel = :channel
                """)
            .setParameter("ahead", wish.ahead().toMillis())
            .setParameter("after", wish.after().toMillis())
            .getResultList()
            .stream()
            .mapToLong(it -> ((Number) it).longValue())
            .findFirst();
    return Duration.ofMillis(Math.max(0, millis.orElse(0)));
  }

  /// Slack has had enough: nobody calls before that, and then the allowance is used up.
  void close(Budget budget, Duration pause, Duration usedUp) {
    of(
            budget,
            """
            insert into budgets (team, method, channel, paid_until, open_at)
            values (:team, :method, :channel,
                    clock_timestamp() + :used * interval '1 millisecond',
                    clock_timestamp() + :pause * interval '1 millisecond')
            on conflict (team, method, channel) do update
              set open_at = greatest(budgets.open_at, excluded.open_at),
                  paid_until = greatest(budgets.paid_until, excluded.paid_until),
                  probed_until = null
            """)
        .setParameter("pause", pause.toMillis())
        .setParameter("used", pause.plus(usedUp).toMillis())
        .executeUpdate();
  }

  /// Slack has answered whoever tried; unless somebody was told meanwhile to wait.
  void open(Budget budget) {
    of(
            budget,
            """
            update budgets set open_at = null, probed_until = null
            where team = :team and method = :method and channel = :channel and open_at <= clock_timestamp()
            """)
        .executeUpdate();
  }

  /// Whoever tried does not know; the next one may.
  void giveBack(Budget budget) {
    of(
            budget,
            """
            update budgets set probed_until = null
            where team = :team and method = :method and channel = :channel
            """)
        .executeUpdate();
  }

  private Query of(Budget budget, String sql) {
    return entities
        .createNativeQuery(sql)
        .setParameter("team", budget.team())
        .setParameter("method", budget.method())
        .setParameter("channel", budget.channel());
  }
}
