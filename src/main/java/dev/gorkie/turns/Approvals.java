package dev.gorkie.turns;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.inbox.Message;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.slack.Answered;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the agent may do only when a person says so, and what was said. It outlives every worker.
@ApplicationScoped
public class Approvals {

  private final Database database;
  private final Statements statements;
  private final Inbox inbox;
  private final Preferences preferences;

  enum State {
    OPEN,
    ALLOWED,
    REFUSED,
    EXPIRED,
    VOID;

    private static State read(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT));
    }
  }

  /// One of them as it stands; `told` when its message says so already.
  record Approval(State state, Optional<String> by, boolean told, Instant expires) {}

  /// What a click came to.
  public sealed interface Heard {
    /// The thread goes on with it.
    record Counted(ThreadKey thread) implements Heard {}

    /// Others were asked.
    record NotTheirs() implements Heard {}

    /// It is decided, or asked by nobody any more.
    record TooLate() implements Heard {}
  }

  @Inject
  Approvals(Database database, Statements statements, Inbox inbox, Preferences preferences) {
    this.database = database;
    this.statements = statements;
    this.inbox = inbox;
    this.preferences = preferences;
  }

  /// Somebody pressed a button. Of two that press at once, the first counts.
  public Heard answer(Answered answered) {
    return database.transaction(
        () -> {
          var found =
              statements
                  .of(
                      """
                      select a.state, a.thread_id, a.may_answer,
                        a.expires_at <= clock_timestamp() or t.state = 'ended'
                      from approvals a join turns t on t.turn_id = a.turn_id
                      where a.id = :id for update of a
                      """,
                      Object[].class)
                  .setParameter("id", answered.id())
                  .getResultList();
          return found.isEmpty()
              ? new Heard.TooLate()
              : answer(answered, (Object[]) found.getFirst());
        });
  }

  private Heard answer(Answered answered, Object[] row) {
    var thread = ThreadKey.parse((String) row[1]);
    var mayAnswer = List.of(((String) row[2]).split(","));
    if (!thread.team().equals(answered.team())
        || !mayAnswer.contains(answered.user())
            && !preferences.isNamedAdmin(answered.team(), answered.user())) {
      return new Heard.NotTheirs();
    }
    if (State.read((String) row[0]) != State.OPEN || (Boolean) row[3]) {
      return new Heard.TooLate();
    }
    statements
        .of(
            """
            update approvals set state = :state, answered_by = :by, answered_at = clock_timestamp() where id = :id
            """)
        .setParameter("state", answered.allowed() ? "allowed" : "refused")
        .setParameter("by", answered.user())
        .setParameter("id", answered.id())
        .executeUpdate();
    inbox.resume(thread);
    return new Heard.Counted(thread);
  }

  /// How it stands, asked now if it was not before. The people of the turn may answer.
  Approval ask(Claim claim, String id, Duration lasts) {
    return database.transaction(
        () -> {
          statements
              .of(
                  """
                  insert into approvals (id, turn_id, thread_id, may_answer, expires_at)
                  select :id, :turn, :thread, :people, clock_timestamp() + :millis * interval '1 millisecond'
                  where holds(:thread, :fence)
                  on conflict (id) do nothing
                  """)
              .setParameter("id", id)
              .setParameter("turn", claim.turn())
              .setParameter("thread", claim.thread().toString())
              .setParameter("people", people(claim))
              .setParameter("millis", lasts.toMillis())
              .setParameter("fence", claim.fence())
              .executeUpdate();
          statements
              .of(
                  "update approvals set state = 'expired' where id = :id and state = 'open' and expires_at <= clock_timestamp()")
              .setParameter("id", id)
              .executeUpdate();
          return of(id).orElseThrow(() -> new LeaseLost(claim));
        });
  }

  private static String people(Claim claim) {
    return claim.messages().stream()
        .filter(message -> !message.steers())
        .map(Message::event)
        .flatMap(event -> Stream.of(event.user()))
        .distinct()
        .collect(Collectors.joining(","));
  }

  private Optional<Approval> of(String id) {
    return statements
        .of(
            "select state, answered_by, told, expires_at from approvals where id = :id",
            Object[].class)
        .setParameter("id", id)
        .getResultList()
        .stream()
        .findFirst()
        .map(row -> approval((Object[]) row));
  }

  private static Approval approval(Object[] row) {
    return new Approval(
        State.read((String) row[0]),
        Optional.ofNullable((String) row[1]),
        (Boolean) row[2],
        (Instant) row[3]);
  }

  /// The thread is let go until somebody answers, somebody writes, or time is up. False when that has just happened.
  ///
  /// @param onlyStop whether what people write waits for a turn of its own
  boolean suspend(Claim claim, String id, boolean onlyStop) {
    return database.transaction(
        () -> {
          var open =
              statements
                  .of(
                      "select expires_at from approvals where id = :id and state = 'open' for update",
                      Instant.class)
                  .setParameter("id", id)
                  .getResultList();
          if (open.isEmpty()) {
            return false;
          }
          if (!inbox.suspend(claim.thread(), claim.fence(), (Instant) open.getFirst(), onlyStop)) {
            return false;
          }
          statements
              .of(
                  "update turns set suspensions = suspensions + 1 where turn_id = :turn and fence = :fence")
              .setParameter("turn", claim.turn())
              .setParameter("fence", claim.fence())
              .executeUpdate();
          return true;
        });
  }

  /// Only inside a transaction of the caller's; true for the one who is to say so.
  boolean isToBeTold(String id) {
    return 1
        == statements
            .of("update approvals set told = true where id = :id and state <> 'open' and not told")
            .setParameter("id", id)
            .executeUpdate();
  }

  /// What nobody has answered is no question any more. Only inside a transaction of the caller's; the ids of those whose
  /// messages do not say so yet.
  List<String> end(Claim claim) {
    statements
        .of("update approvals set state = 'void' where turn_id = :turn and state = 'open'")
        .setParameter("turn", claim.turn())
        .executeUpdate();
    return statements
        .of(
            "update approvals set told = true where turn_id = :turn and not told returning id",
            String.class)
        .setParameter("turn", claim.turn())
        .getResultList()
        .stream()
        .map(String.class::cast)
        .toList();
  }
}
