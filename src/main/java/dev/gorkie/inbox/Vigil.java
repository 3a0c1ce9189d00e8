package dev.gorkie.inbox;

import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/// Whether somebody has to look for abandoned work from time to time. Written down, so that the clock is switched only
/// where it changes.
@ApplicationScoped
public class Vigil {

  private final Database database;
  private final Statements statements;

  @Inject
  Vigil(Database database, Statements statements) {
    this.database = database;
    this.statements = statements;
  }

  /// What is missing where something is open.
  ///
  /// @param clock nobody is woken by the clock
  /// @param watch nobody looks in between
  public record Missing(boolean clock, boolean watch) {}

  public Missing missing() {
    return database.transaction(
        () -> {
          var row =
              (Object[])
                  statements
                      .of(
                          "select not awake, coalesce(watched_until < clock_timestamp(), true) from sweep",
                          Object[].class)
                      .getSingleResult();
          return new Missing((Boolean) row[0], (Boolean) row[1]);
        });
  }

  /// True for the one that looks in between from now on, for that long at most.
  public boolean watch(Duration most) {
    return database.transaction(
        () ->
            1
                == statements
                    .of(
                        """
                        update sweep set watched_until = clock_timestamp() + :millis * interval '1 millisecond'
                        where watched_until is null or watched_until < clock_timestamp()
                        """)
                    .setParameter("millis", most.toMillis())
                    .executeUpdate());
  }

  public void watchEnds() {
    changed("update sweep set watched_until = null");
  }

  /// True for the one that compares machines and rows now, so long after the last time.
  public boolean reconciles(Duration every) {
    return database.transaction(
        () ->
            1
                == statements
                    .of(
                        """
                        update sweep set reconciled_at = clock_timestamp()
                        where reconciled_at is null
                          or reconciled_at < clock_timestamp() - :millis * interval '1 millisecond'
                        """)
                    .setParameter("millis", every.toMillis())
                    .executeUpdate());
  }

  /// True for the one that begins it: the clock is to be switched on.
  public boolean begin() {
    return changed("update sweep set awake = true, changed_at = now() where not awake");
  }

  /// It goes on for as long as if it had begun now. True where it had not: the clock is to be switched on.
  public boolean prolong() {
    return database.transaction(
        () ->
            (Boolean)
                statements
                    .of(
                        """
                        update sweep set awake = true, changed_at = now()
                        from (select not awake as slept from sweep for update) before
                        returning slept
                        """)
                    .getSingleResult());
  }

  /// It could not be begun after all; the next message tries again.
  public void giveUp() {
    changed("update sweep set awake = false, changed_at = now() where awake");
  }

  /// True when nothing waits and nothing was settled for that long, or when it has ended before: a clock may run of which nothing
  /// is written, as after it was made. Whoever accepts a message later begins it anew.
  public boolean end(Duration quiet) {
    return database.transaction(
        () ->
            1
                == statements
                    .of(
                        """
                        update sweep set awake = false, changed_at = case when awake then now() else changed_at end
                        where not awake or changed_at < now() - :millis * interval '1 millisecond'
                          and not exists (select 1 from inbox where settled_at is null)
                          and not exists (select 1 from inbox
                                          where settled_at > now() - :millis * interval '1 millisecond')
                        """)
                    .setParameter("millis", quiet.toMillis())
                    .executeUpdate());
  }

  private boolean changed(String update) {
    return database.transaction(() -> 1 == statements.of(update).executeUpdate());
  }
}
