package dev.gorkie.slack;

import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The table of what people had before them last.
@ApplicationScoped
public class Glances {

  // Slack says when somebody turns to something else, and not when somebody leaves.
  private static final String LASTS = "interval '1 hour'";

  private final Database database;
  private final Statements statements;

  @Inject
  Glances(Database database, Statements statements) {
    this.database = database;
    this.statements = statements;
  }

  /// Whether what the person may want to hear from us is another matter now: there is a channel where there was none, or none any more.
  public boolean note(Glance glance) {
    if (glance.opened() && glance.seen().isEmpty()) {
      // Not every event of a visit says what the person came from.
      return false;
    }
    return database.transaction(
        () -> {
          var before = find(glance.team(), glance.user());
          statements
              .of(
                  """
                  insert into glances (team, person, seen) values (:team, :person, :seen)
                  on conflict (team, person) do update set seen = excluded.seen, at = clock_timestamp()
                  """)
              .setParameter("team", glance.team())
              .setParameter("person", glance.user())
              .setParameter(
                  "seen",
                  glance.seen().stream().map(Seen::written).collect(Collectors.joining("\n")))
              .executeUpdate();
          var was = new Glance(glance.team(), glance.user(), Optional.empty(), false, before);
          return was.isAtChannel() != glance.isAtChannel();
        });
  }

  /// What the person has before them, as far as anybody knows.
  public List<Seen> of(String team, String user) {
    return database.transaction(() -> find(team, user));
  }

  private List<Seen> find(String team, String user) {
    var seen =
        statements
            .of(
                "select seen from glances where team = :team and person = :person and at > clock_timestamp() - "
                    + LASTS,
                String.class)
            .setParameter("team", team)
            .setParameter("person", user)
            .getResultList();
    return seen.isEmpty()
        ? List.of()
        : ((String) seen.getFirst())
            .lines()
            .flatMap(line -> Seen.readWritten(line).stream())
            .toList();
  }
}
