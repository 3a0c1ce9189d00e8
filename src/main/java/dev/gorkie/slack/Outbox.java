package dev.gorkie.slack;

import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is to be said, and what became of it.
@ApplicationScoped
class Outbox {

  private static final String STORY =
      """
      with said as (select * from outbox where thread_id = ?)
      select created_at, format('%s of %s (%s) is to be said', part, subject, kind) from said
      union all
      select confirmed_at,
        format('%s of %s is in Slack as %s, fence %s, after %s attempts', part, subject,
          coalesce(ts, file_id, 'something'), fence, attempts)
      from said where confirmed_at is not null
      union all
      select updated_at, format('%s of %s is %s, fence %s, after %s attempts', part, subject, state, fence, attempts)
      from said where confirmed_at is null
      """;

  private final Database database;
  private final OutboxRows rows;

  Outbox(Database database, OutboxRows rows) {
    this.database = database;
    this.rows = rows;
  }

  /// The things of one subject, in the hands of whoever has the highest fence.
  Ledger ledger(Address address, String subject, long fence) {
    return new Ledger(database, rows, address, subject, fence);
  }

  /// Nobody who came before changes anything of this subject. Whether somebody did come before. Only inside a transaction of the
  /// caller's.
  boolean takeOver(String subject, long fence) {
    return rows.takeOver(subject, fence) > 0;
  }

  /// A thing of which no turn knows. Only inside a transaction of the caller's.
  void note(Address address, String subject, OutboxRows.Thing thing) {
    var fence = rows.fenceOf(address.thread());
    rows.put(address, subject, thing, fence);
    rows.leave(subject, thing.part(), fence);
  }

  /// The same by itself.
  void noteNow(Address address, String subject, OutboxRows.Thing thing) {
    database.transaction(
        () -> {
          note(address, subject, thing);
          return true;
        });
  }

  Optional<String> rootOf(String team, String channel, String ts) {
    return database.transaction(() -> rows.at(team, channel, ts)).map(row -> row.threadTs);
  }

  /// Only inside a transaction of the caller's.
  void forget(ThreadKey thread) {
    rows.delete("threadId = ?1", thread.toString());
  }

  List<Happening> story(ThreadKey thread) {
    return database.happenings(STORY, thread);
  }

  Optional<ThreadKey> threadOf(String channel, String ts) {
    return database
        .transaction(() -> rows.at(channel, ts))
        .map(row -> ThreadKey.parse(row.threadId));
  }

  Optional<OutboxRow> find(String subject, String part) {
    return database.transaction(() -> rows.of(subject, part));
  }

  /// What no turn looks after any more.
  List<OutboxRow> forgotten(int most, Duration again) {
    return database.transaction(() -> rows.forgotten(most, again));
  }

  boolean isAnythingLeft() {
    return database.transaction(rows::anyForgotten);
  }

  /// The row for this caller alone; empty when another one was faster.
  Optional<OutboxRow> adopt(OutboxRow row) {
    return database.transaction(
        () -> rows.adopt(row) ? rows.of(row.subject, row.part) : Optional.empty());
  }
}
