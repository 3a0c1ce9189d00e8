package dev.gorkie.slack;

import dev.gorkie.Await;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;

/// The tables of this room in a real database, empty for each test, and what a test does behind the program's back.
@Singleton
class Tables {

  final Database database;
  final OutboxRows outboxRows;
  private final BudgetRows budgetRows;
  private final Statements statements;

  @Inject
  Tables(Database database, OutboxRows outboxRows, BudgetRows budgetRows, Statements statements) {
    this.database = database;
    this.outboxRows = outboxRows;
    this.budgetRows = budgetRows;
    this.statements = statements;
  }

  /// Somebody holds the thread under this fence, and has written nothing yet.
  void isTaken(ThreadKey thread, long fence) {
    change(
        """
        insert into threads (thread_id, team, channel, root_ts, fence) values ('%1$s', '%2$s', '%3$s', '%4$s', %5$d)
        on conflict (thread_id) do update set fence = excluded.fence
        """
            .formatted(thread, thread.team(), thread.channel(), thread.root(), fence));
  }

  void clear() {
    change("delete from outbox");
    change("delete from budgets");
  }

  Outbox outbox() {
    return new Outbox(database, outboxRows);
  }

  Budgets budgets(SlackSettings settings) {
    return new Budgets(budgetRows, settings);
  }

  List<OutboxRow> of(String subject) {
    return database.transaction(() -> outboxRows.all(subject));
  }

  OutboxRow row(String subject, String part) {
    return database.transaction(() -> outboxRows.of(subject, part)).orElseThrow();
  }

  String state(String subject, String part) {
    return row(subject, part).state;
  }

  void awaits(String subject, String part, String state) {
    Await.until(() -> state(subject, part).equals(state));
  }

  /// So much time has passed for whatever waits in these tables.
  void passes(String interval) {
    change(
        "update budgets set open_at = open_at - interval '%1$s', paid_until = paid_until - interval '%1$s'"
            .formatted(interval));
    change("update outbox set updated_at = updated_at - interval '%s'".formatted(interval));
  }

  /// The database breaks off whenever it is told that a card has come to its last state.
  void refuseEndsOfCards() {
    change(
        """
        create function break_off() returns trigger language plpgsql as
        $$ begin raise exception 'broken off by a test'; end $$
        """);
    change(
        """
        create trigger breaks_off before update on outbox for each row
        when (old.kind = 'card' and old.body is not null and new.body is null) execute function break_off()
        """);
  }

  void takeEndsOfCards() {
    change("drop trigger breaks_off on outbox");
    change("drop function break_off");
  }

  void change(String sql) {
    database.transaction(() -> statements.of(sql).executeUpdate());
  }
}
