package dev.gorkie.turns;

import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;

/// What runs for a person at this moment.
@ApplicationScoped
public class Underway {

  // More than that nobody has at once, and a page shows no more.
  private static final int MOST = 10;

  private final Database database;
  private final Statements statements;

  @Inject
  Underway(Database database, Statements statements) {
    this.database = database;
    this.statements = statements;
  }

  /// One run, and the message it answers.
  ///
  /// @param waits whether it waits for a person
  public record Run(String channel, String ts, Duration since, boolean waits) {}

  public List<Run> of(String team, String user) {
    return database
        .transaction(
            () ->
                statements
                    .of(
                        """
                        select i.channel, i.ts,
                          (extract(epoch from clock_timestamp() - t.started_at))::bigint,
                          coalesce(h.suspended_until > clock_timestamp(), false)
                        from turns t
                          join inbox i on i.id = t.turn_id
                          join threads h on h.thread_id = t.thread_id
                        where t.team = :team and t.asked_by = :user and t.state = 'running'
                        order by t.started_at desc
                        limit :most
                        """,
                        Object[].class)
                    .setParameter("team", team)
                    .setParameter("user", user)
                    .setParameter("most", MOST)
                    .getResultList())
        .stream()
        .map(row -> run((Object[]) row))
        .toList();
  }

  private static Run run(Object[] row) {
    return new Run(
        (String) row[0],
        (String) row[1],
        Duration.ofSeconds(((Number) row[2]).longValue()),
        (Boolean) row[3]);
  }
}
