package dev.gorkie.erasure;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The table of workspaces that do not want us any more.
@ApplicationScoped
class Departures {

  private final EntityManager entities;

  @Inject
  Departures(EntityManager entities) {
    this.entities = entities;
  }

  /// Told twice, it counts from the first time.
  boolean note(String team, Instant at, Duration after) {
    return 1
        == entities
            .createNativeQuery(
                """
                insert into departures (team, at, due_at)
                values (:team, :at, cast(:at as timestamptz) + :millis * interval '1 millisecond')
                on conflict (team) do nothing
                """)
            .setParameter("team", team)
            .setParameter("at", at)
            .setParameter("millis", after.toMillis())
            .executeUpdate();
  }

  List<String> due() {
    return entities
        .createNativeQuery(
            "select team from departures where due_at <= clock_timestamp() order by due_at",
            String.class)
        .getResultList()
        .stream()
        .map(String.class::cast)
        .toList();
  }

  /// Whether somebody there has spoken to us since.
  boolean isHeardSince(String team) {
    return !entities
        .createNativeQuery(
            """
            select 1 from departures d join inbox i on i.team = d.team and i.accepted_at > d.at
            where d.team = :team limit 1
            """)
        .setParameter("team", team)
        .getResultList()
        .isEmpty();
  }

  boolean remove(String team) {
    return 1
        == entities
            .createNativeQuery("delete from departures where team = :team")
            .setParameter("team", team)
            .executeUpdate();
  }
}
