package dev.gorkie.turns;

import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What turns have cost since midnight UTC, for whom and where, and what they may cost. The unit is the one in which the model's
/// provider counts.
@ApplicationScoped
public class Spending {

  private static final String TODAY =
      "started_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'";

  // From then on people are told that it is coming to its end.
  private static final int HINT_PERCENT = 80;
  private static final int ALL_PERCENT = 100;

  /// Most in a day; none where it is not set.
  @ConfigMapping(prefix = "gorkie.spending")
  interface Limits {
    Optional<BigDecimal> thread();

    Optional<BigDecimal> person();

    Optional<BigDecimal> channel();

    Optional<BigDecimal> workspace();
  }

  private enum Purse {
    THREAD(TurnFailure.THREAD_SPENT, "This thread has used"),
    PERSON(TurnFailure.PERSON_SPENT, "You have used"),
    CHANNEL(TurnFailure.CHANNEL_SPENT, "This channel has used"),
    WORKSPACE(TurnFailure.WORKSPACE_SPENT, "This workspace has used");

    private final TurnFailure spent;
    private final String words;

    Purse(TurnFailure spent, String words) {
      this.spent = spent;
      this.words = words;
    }
  }

  public record Spent(long turns, BigDecimal cost) {}

  /// What is gone of each purse with a limit, before a turn.
  record Before(Map<Purse, BigDecimal> spent, Map<Purse, BigDecimal> limits) {

    static final Before NOTHING = new Before(Map.of(), Map.of());

    /// What people are to be told when this turn brings a purse near its end.
    Optional<String> hint(BigDecimal cost) {
      return spent.keySet().stream()
          .filter(purse -> percent(purse, BigDecimal.ZERO) < HINT_PERCENT)
          .filter(purse -> percent(purse, cost) >= HINT_PERCENT)
          .findFirst()
          .map(
              purse ->
                  String.format(
                      Locale.ROOT,
                      "%s %d %% of what may be spent today.",
                      purse.words,
                      Math.min(percent(purse, cost), ALL_PERCENT)));
    }

    private int percent(Purse purse, BigDecimal more) {
      var limit = limits.getOrDefault(purse, BigDecimal.ONE);
      return spent
          .getOrDefault(purse, BigDecimal.ZERO)
          .add(more)
          .multiply(BigDecimal.valueOf(ALL_PERCENT))
          .divideToIntegralValue(limit)
          .intValue();
    }
  }

  private final Map<Purse, BigDecimal> limits = new EnumMap<>(Purse.class);
  private final Database database;
  private final Statements statements;

  @Inject
  Spending(Database database, Statements statements, Limits limits) {
    this.database = database;
    this.statements = statements;
    limit(Purse.THREAD, limits.thread());
    limit(Purse.PERSON, limits.person());
    limit(Purse.CHANNEL, limits.channel());
    limit(Purse.WORKSPACE, limits.workspace());
  }

  private void limit(Purse purse, Optional<BigDecimal> most) {
    most.ifPresent(it -> limits.put(purse, it));
  }

  /// Nothing is asked where there is no limit.
  ///
  /// @throws Failure when there is nothing left
  Before before(ThreadKey thread, String user) {
    if (limits.isEmpty()) {
      return Before.NOTHING;
    }
    var sums = database.transaction(() -> (Object[]) sums(thread, user));
    var spent = new EnumMap<Purse, BigDecimal>(Purse.class);
    for (var limit : limits.entrySet()) {
      var purse = limit.getKey();
      var sum = (BigDecimal) sums[purse.ordinal()];
      if (sum.compareTo(limit.getValue()) >= 0) {
        throw new Failure(purse.spent, sum + " of " + limit.getValue());
      }
      spent.put(purse, sum);
    }
    return new Before(spent, Map.copyOf(limits));
  }

  private Object sums(ThreadKey thread, String user) {
    return statements
        .of(
            """
            select coalesce(sum(cost) filter (where thread_id = :thread), 0),
              coalesce(sum(cost) filter (where asked_by = :user), 0),
              coalesce(sum(cost) filter (where channel = :channel and channel <> 'dm'), 0),
              coalesce(sum(cost), 0)
            from turns where team = :team and %s
            """
                .formatted(TODAY),
            Object[].class)
        .setParameter("thread", thread.toString())
        .setParameter("user", user)
        .setParameter("channel", thread.channel())
        .setParameter("team", thread.team())
        .getSingleResult();
  }

  public Spent in(ThreadKey thread) {
    return since(TODAY, "thread_id", thread.team(), thread.toString());
  }

  public Spent by(String team, String user) {
    return since(TODAY, "asked_by", team, user);
  }

  /// In the last thirty days.
  public Spent lately(String team, String user) {
    return since("started_at > now() - interval '30 days'", "asked_by", team, user);
  }

  /// What a person's questions may cost in a day, where that is limited.
  public Optional<BigDecimal> mostForPerson() {
    return Optional.ofNullable(limits.get(Purse.PERSON));
  }

  private Spent since(String when, String column, String team, String value) {
    var row =
        database.transaction(
            () ->
                (Object[])
                    statements
                        .of(
                            "select count(*), coalesce(sum(cost), 0) from turns where team = :team and %s = :value and %s"
                                .formatted(column, when),
                            Object[].class)
                        .setParameter("team", team)
                        .setParameter("value", value)
                        .getSingleResult());
    return new Spent(((Number) row[0]).longValue(), (BigDecimal) row[1]);
  }
}
