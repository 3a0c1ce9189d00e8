package dev.gorkie.erasure;

import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The table of workspaces that do not want us any more.
@ApplicationScoped
class Departures {

  private final Statements statements;

  @Inject
  Departures(Statements statements) {
    this.statements = statements;
  }

  /// Told twice, it counts from the first time.
  boolean note(String team, Instant at, Duration after) {
    return 1
        == statements
            .of(
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
    return statements
        .of(
            "select team from departures where due_at <= clock_timestamp() order by due_at",
            String.class)
        .getResultList()
        .stream()
        .map(String.class::cast)
        .toList();
  }

  /// Whether somebody there has spoken to us since.
  boolean isHeardSince(String team) {
    return !statements
        .of(
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
        == statements
            .of("delete from departures where team = :team")
            .setParameter("team", team)
            .executeUpdate();
  }
}
