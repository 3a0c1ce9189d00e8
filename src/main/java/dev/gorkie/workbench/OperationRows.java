package dev.gorkie.workbench;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Statements;
import dev.gorkie.sandbox.SandboxId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table of operations. Time is the database's alone, and a row is its worker's to write.
@ApplicationScoped
class OperationRows {

  private final Statements statements;

  @Inject
  OperationRows(Statements statements) {
    this.statements = statements;
  }

  /// An operation in one worker's hands.
  ///
  /// @param begunOn where it was begun before, if it was
  /// @param begunFor how long ago that was
  record Taken(
      String id,
      ThreadKey thread,
      String tenant,
      Kind kind,
      String wish,
      int failures,
      Optional<SandboxId> begunOn,
      Duration begunFor) {}

  /// @param asked the hash of what was asked for
  record Known(String id, String asked) {}

  record Row(String id, Kind kind, ThreadKey thread, Instant accepted, Optional<String> result) {}

  /// Held to the end of this transaction: whoever counts begins one then.
  void lock(String tenant) {
    statements
        .of("select pg_advisory_xact_lock(hashtextextended(:operations, 0))")
        .setParameter("operations", "operations of " + tenant)
        .getResultList();
  }

  Optional<Known> askedAs(String tenant, String key) {
    return first(
            statements
                .of(
                    "select operation_id, asked from operations where tenant = :tenant and asked_as ="
                        + " :key",
                    Object[].class)
                .setParameter("tenant", tenant)
                .setParameter("key", key))
        .map(row -> new Known((String) row[0], (String) row[1]));
  }

  int countOpen(String tenant) {
    var count =
        statements
            .of("select count(*) from operations where tenant = :tenant and state = 'open'")
            .setParameter("tenant", tenant)
            .getSingleResult();
    return ((Number) count).intValue();
  }

  void insert(String id, ThreadKey thread, Order order) {
    statements
        .of(
            """
            insert into operations (operation_id, thread_id, tenant, kind, wish, asked_as, asked)
            values (:id, :thread, :tenant, :kind, :wish, cast(:key as text), cast(:asked as text))
            """)
        .setParameter("id", id)
        .setParameter("thread", thread.toString())
        .setParameter("tenant", order.tenant())
        .setParameter("kind", order.kind().wire())
        .setParameter("wish", order.wish().toString())
        .setParameter("key", order.key().map(Order.Key::name).orElse(null))
        .setParameter("asked", order.key().map(Order.Key::hash).orElse(null))
        .executeUpdate();
  }

  /// Empty when it is over, or another worker is at it.
  Optional<Taken> take(String id, String worker, Duration lasts) {
    return first(
            statements
                .of(
                    """
                    update operations
                    set worker = :worker, lease_until = clock_timestamp() + :millis * interval '1 millisecond'
                    where operation_id = :id and state = 'open'
                      and (lease_until is null or lease_until < clock_timestamp())
                    returning thread_id, tenant, kind, wish, failures, sandbox_id,
                      cast(coalesce(extract(epoch from clock_timestamp() - begun_at), 0) as bigint)
                    """,
                    Object[].class)
                .setParameter("worker", worker)
                .setParameter("millis", lasts.toMillis())
                .setParameter("id", id))
        .map(
            row ->
                new Taken(
                    id,
                    ThreadKey.parse((String) row[0]),
                    (String) row[1],
                    kind((String) row[2]),
                    (String) row[3],
                    (Integer) row[4],
                    Optional.ofNullable((String) row[5]).map(SandboxId::new),
                    Duration.ofSeconds(((Number) row[6]).longValue())));
  }

  boolean renew(String id, String worker, Duration lasts) {
    return changed(
        own("lease_until = clock_timestamp() + :millis * interval '1 millisecond'", id, worker)
            .setParameter("millis", lasts.toMillis()));
  }

  boolean isBegunOn(String id, String worker, SandboxId sandbox) {
    return changed(
        own("sandbox_id = :sandbox, begun_at = clock_timestamp()", id, worker)
            .setParameter("sandbox", sandbox.value()));
  }

  /// It came to nothing this time; nobody tries again before that.
  boolean failed(String id, String worker, Duration pause) {
    return changed(
        own(
                "worker = null, failures = failures + 1, lease_until = clock_timestamp() + :millis *"
                    + " interval '1 millisecond'",
                id,
                worker)
            .setParameter("millis", pause.toMillis()));
  }

  /// Somebody else goes on with it.
  boolean release(String id, String worker) {
    return changed(own("worker = null, lease_until = null", id, worker));
  }

  /// What was wanted is nobody's business any more.
  boolean settle(String id, String worker, String result) {
    return changed(
        own(
                "state = 'done', result = :result, wish = null, worker = null, done_at ="
                    + " clock_timestamp()",
                id,
                worker)
            .setParameter("result", result));
  }

  /// Whoever asks for it under the same key asks for a new one.
  void forgetKey(String id) {
    statements
        .of("update operations set asked_as = null where operation_id = :id")
        .setParameter("id", id)
        .executeUpdate();
  }

  /// Whoever is at one of them finds that it is not his any more.
  boolean areLost(ThreadKey thread, String result) {
    return 0
        < statements
            .of(
                "update operations set state = 'done', result = :result, wish = null, worker = null, done_at ="
                    + " clock_timestamp() where thread_id = :thread and state = 'open'")
            .setParameter("result", result)
            .setParameter("thread", thread.toString())
            .executeUpdate();
  }

  private Query own(String changes, String id, String worker) {
    return statements
        .of(
            "update operations set "
                + changes
                + " where operation_id = :id and worker = :worker and state = 'open'")
        .setParameter("id", id)
        .setParameter("worker", worker);
  }

  private static boolean changed(Query update) {
    return update.executeUpdate() == 1;
  }

  Optional<Row> find(String id) {
    return first(
            statements
                .of(
                    "select kind, thread_id, accepted_at, result from operations where operation_id ="
                        + " :id",
                    Object[].class)
                .setParameter("id", id))
        .map(
            row ->
                new Row(
                    id,
                    kind((String) row[0]),
                    ThreadKey.parse((String) row[1]),
                    (Instant) row[2],
                    Optional.ofNullable((String) row[3])));
  }

  /// Those at which nobody is.
  List<String> abandoned(int most) {
    return statements
        .of(
            """
            select operation_id from operations
            where state = 'open' and lease_until < clock_timestamp()
              or state = 'open' and lease_until is null and accepted_at < clock_timestamp() - interval '5 seconds'
            order by accepted_at limit :most
            """,
            String.class)
        .setParameter("most", most)
        .getResultList()
        .stream()
        .map(String.class::cast)
        .toList();
  }

  boolean anyOpen() {
    return !statements
        .of("select 1 from operations where state = 'open' limit 1")
        .getResultList()
        .isEmpty();
  }

  boolean anyOpen(ThreadKey thread) {
    return !statements
        .of("select 1 from operations where thread_id = :thread and state = 'open' limit 1")
        .setParameter("thread", thread.toString())
        .getResultList()
        .isEmpty();
  }

  void forget(Duration after) {
    statements
        .of(
            "delete from operations where state = 'done' and done_at < clock_timestamp() - :millis *"
                + " interval '1 millisecond'")
        .setParameter("millis", after.toMillis())
        .executeUpdate();
  }

  /// With their artifacts.
  int forget(String tenant) {
    return statements
        .of("delete from operations where tenant = :tenant")
        .setParameter("tenant", tenant)
        .executeUpdate();
  }

  private static Kind kind(String wire) {
    for (var kind : Kind.values()) {
      if (kind.wire().equals(wire)) {
        return kind;
      }
    }
    throw new IllegalStateException("No kind of operation: " + wire);
  }

  private static Optional<Object[]> first(Query query) {
    List<?> found = query.getResultList();
    return found.stream().findFirst().map(row -> (Object[]) row);
  }
}
