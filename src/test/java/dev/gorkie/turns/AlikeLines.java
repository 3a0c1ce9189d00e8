package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/// Has the table of turns and the model of its line let in the same, whatever begins and ends.
final class AlikeLines {

  private static final String TEAM = "T-line";
  private static final int MOST = 4;
  private static final int AUTHORS = 3;
  private static final int STEPS = 1_500;
  private static final int ALIVE_MAX = 12;

  private final Database database;
  private final Statements statements;
  private final Random random = new Random(12);
  private final List<Long> alive = new ArrayList<>();
  private long turns;

  AlikeLines(Database database, Statements statements) {
    this.database = database;
    this.statements = statements;
  }

  void letIn() {
    var admission = new Admission(database, statements, OptionalInt.of(MOST));
    var line = new FairLine(MOST);
    var admitted = 0;
    var refused = 0;

    for (var step = 0; step < STEPS; step++) {
      var what = random.nextInt(3);
      if (what == 0 && alive.size() < ALIVE_MAX) {
        begin();
      } else if (what == 1 && !alive.isEmpty()) {
        var turn = alive.remove(random.nextInt(alive.size()));
        end(turn, random.nextBoolean());
        line.leaves(turn);
      } else if (!alive.isEmpty()) {
        var turn = alive.get(random.nextInt(alive.size()));
        var before = admission.line(TEAM, turn);
        assertEquals(before, line.line(turn, author(turn)), "step " + step);
        if (before.isEmpty()) {
          admitted++;
        } else {
          refused++;
        }
      }
    }
    assertTrue(admitted > 0 && refused > 0, admitted + " in, " + refused + " not");
  }

  private static String author(long turn) {
    return "U" + turn % AUTHORS;
  }

  private void begin() {
    var turn = ++turns;
    var thread = TEAM + ":C:" + turn;
    database.transaction(
        () -> {
          statements
              .of(
                  "insert into threads (thread_id, team, channel, root_ts, lease_until) values"
                      + " (:thread, :team, 'C', :root, clock_timestamp() + interval '1 hour')")
              .setParameter("thread", thread)
              .setParameter("team", TEAM)
              .setParameter("root", Long.toString(turn))
              .executeUpdate();
          return statements
              .of(
                  "insert into turns (turn_id, thread_id, fence, state, team, channel, asked_by)"
                      + " values (:turn, :thread, 1, 'running', :team, 'C', :author)")
              .setParameter("turn", row(turn))
              .setParameter("thread", thread)
              .setParameter("team", TEAM)
              .setParameter("author", author(row(turn)))
              .executeUpdate();
        });
    alive.add(row(turn));
  }

  // Far from the turns of other tests.
  private static long row(long turn) {
    return 7_000_000_000L + turn;
  }

  /// It comes to its end, or its worker dies.
  private void end(long turn, boolean isKilled) {
    database.transaction(
        () ->
            statements
                .of(
                    isKilled
                        ? "update threads set lease_until = clock_timestamp() - interval '1 second'"
                            + " where thread_id = (select thread_id from turns where turn_id ="
                            + " :turn)"
                        : "update turns set state = 'ended' where turn_id = :turn")
                .setParameter("turn", turn)
                .executeUpdate());
  }
}
