package dev.gorkie.turns;

import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.OptionalInt;

/// Lets as many turns of a workspace be at work at once as it may have. Whoever has none at work comes before whoever has
/// some, and else whoever came first.
@ApplicationScoped
class Admission {

  // Of a worker that died nobody knows; its turn counts again when somebody goes on with it.
  private static final String LINE =
      """
      with alive as (
        select t.* from turns t join threads h on h.thread_id = t.thread_id and h.lease_until > clock_timestamp()
        where t.team = :team and t.state = 'running'
      ), busy as (
        select asked_by, count(*) as working from alive where admitted_at is not null group by asked_by
      ), line as (
        select w.turn_id, coalesce(b.working, 0) as working, w.queued_at
        from alive w left join busy b on b.asked_by = w.asked_by
        where w.admitted_at is null and w.queued_at is not null
      )
      select (select count(*) from alive where admitted_at is not null and turn_id <> :turn),
        (select count(*) from line o, line m
         where m.turn_id = :turn
           and (o.working, o.queued_at, o.turn_id) < (m.working, m.queued_at, m.turn_id)),
        (select admitted_at is not null from turns where turn_id = :turn)
      """;

  private final Database database;
  private final Statements statements;
  private final OptionalInt most;

  @Inject
  Admission(Database database, Statements statements, TurnSettings settings) {
    this(database, statements, settings.atOnce());
  }

  Admission(Database database, Statements statements, OptionalInt most) {
    this.database = database;
    this.statements = statements;
    this.most = most;
  }

  /// Whether there is a limit at all. Where there is none, nothing is asked and nothing written.
  boolean isLimited() {
    return most.isPresent();
  }

  /// How many are in line before this turn; empty when it may work, from now on to its end and whoever goes on with it.
  OptionalInt line(String team, long turn) {
    return database.transaction(
        () -> {
          queue(turn);
          var seen = look(team, turn);
          if (seen.hasPlace(most.orElseThrow())) {
            // One decides at a time, so that the last place is given once. Whoever sees none keeps
            // nobody waiting, nor a connection from others.
            statements
                .of("select pg_advisory_xact_lock(hashtextextended(:line, 0))")
                .setParameter("line", "line of " + team)
                .getResultList();
            seen = look(team, turn);
          }
          if (!seen.hasPlace(most.orElseThrow())) {
            return OptionalInt.of(seen.before());
          }
          admit(turn);
          return OptionalInt.empty();
        });
  }

  private void queue(long turn) {
    statements
        .of(
            "update turns set queued_at = clock_timestamp() where turn_id = :turn and queued_at is null")
        .setParameter("turn", turn)
        .executeUpdate();
  }

  /// @param working how many others are at work
  /// @param before how many others come first
  private record Seen(int working, int before, boolean isAdmitted) {

    boolean hasPlace(int most) {
      return isAdmitted || working + before < most;
    }
  }

  private Seen look(String team, long turn) {
    var row =
        (Object[])
            statements
                .of(LINE, Object[].class)
                .setParameter("team", team)
                .setParameter("turn", turn)
                .getSingleResult();
    return new Seen(((Number) row[0]).intValue(), ((Number) row[1]).intValue(), (Boolean) row[2]);
  }

  private void admit(long turn) {
    statements
        .of(
            "update turns set admitted_at = coalesce(admitted_at, clock_timestamp()) where turn_id = :turn")
        .setParameter("turn", turn)
        .executeUpdate();
  }
}
