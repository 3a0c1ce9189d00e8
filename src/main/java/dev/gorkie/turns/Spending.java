package dev.gorkie.turns;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.math.BigDecimal;

/// What turns have cost since midnight UTC, for whom and where.
@ApplicationScoped
public class Spending {

  private static final String TODAY =
      "started_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'";

  private final Database database;
  private final EntityManager entities;

  /// In the unit in which the model's provider counts.
  public record Spent(long turns, BigDecimal cost) {}

  @Inject
  Spending(Database database, EntityManager entities) {
    this.database = database;
    this.entities = entities;
  }

  public Spent in(ThreadKey thread) {
    return today("thread_id", thread.team(), thread.toString());
  }

  public Spent by(String team, String user) {
    return today("asked_by", team, user);
  }

  private Spent today(String column, String team, String value) {
    var row =
        database.transaction(
            () ->
                (Object[])
                    entities
                        .createNativeQuery(
                            "select count(*), coalesce(sum(cost), 0) from turns where team = :team and %s = :value and %s"
                                .formatted(column, TODAY),
                            Object[].class)
                        .setParameter("team", team)
                        .setParameter("value", value)
                        .getSingleResult());
    return new Spent(((Number) row[0]).longValue(), (BigDecimal) row[1]);
  }
}
