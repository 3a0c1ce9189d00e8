package dev.gorkie.workbench;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.Query;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table of what programs call sessions.
@ApplicationScoped
class ProgramSessionRows {

  private static final String COLUMNS =
      """
      select s.thread_id, s.tenant, s.session, s.ephemeral, s.policy, s.created_at, s.used_at,
        (select count(*) from operations o where o.thread_id = s.thread_id and o.state = 'open')
      from api_sessions s
      """;

  private static final String IS_OVER =
      "(s.over_at <= clock_timestamp() or s.used_at < clock_timestamp() - interval '30 days')";

  private final Statements statements;

  @Inject
  ProgramSessionRows(Statements statements) {
    this.statements = statements;
  }

  record Row(
      ThreadKey thread,
      String tenant,
      String session,
      boolean ephemeral,
      Optional<String> policy,
      Instant created,
      Instant used,
      int open) {}

  void insert(
      ThreadKey thread, String tenant, String session, boolean ephemeral, Optional<String> policy) {
    statements
        .of(
            """
            insert into api_sessions (thread_id, tenant, session, ephemeral, policy)
            values (:thread, :tenant, :session, :ephemeral, cast(:policy as text))
            """)
        .setParameter("thread", thread.toString())
        .setParameter("tenant", tenant)
        .setParameter("session", session)
        .setParameter("ephemeral", ephemeral)
        .setParameter("policy", policy.orElse(null))
        .executeUpdate();
  }

  void touch(ThreadKey thread) {
    statements
        .of("update api_sessions set used_at = clock_timestamp() where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  Optional<Row> find(ThreadKey thread) {
    return rows(
            statements
                .of(COLUMNS + "where s.thread_id = :thread", Object[].class)
                .setParameter("thread", thread.toString()))
        .stream()
        .findFirst();
  }

  int count(String tenant) {
    var count =
        statements
            .of("select count(*) from api_sessions where tenant = :tenant")
            .setParameter("tenant", tenant)
            .getSingleResult();
    return ((Number) count).intValue();
  }

  /// Of one tenant or all, behind this one in their order.
  List<Row> list(Optional<String> tenant, String after, int most) {
    return rows(
        statements
            .of(
                COLUMNS
                    + """
                    where (cast(:tenant as text) is null or s.tenant = cast(:tenant as text)) and s.thread_id > :after
                    order by s.thread_id limit :most
                    """,
                Object[].class)
            .setParameter("tenant", tenant.orElse(null))
            .setParameter("after", after)
            .setParameter("most", most));
  }

  /// Where it was for a single operation: nobody needs it any more, unless something is to be fetched from it for a while.
  void isOver(ThreadKey thread, boolean isToBeFetchedFrom) {
    statements
        .of(
            """
            update api_sessions
            set over_at = clock_timestamp() + case when :fetched then interval '10 minutes' else interval '0' end
            where thread_id = :thread and ephemeral
            """)
        .setParameter("fetched", isToBeFetchedFrom)
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  /// That of an operation, where nobody needs it any more.
  Optional<Row> overOf(String operation) {
    return rows(
            statements
                .of(
                    COLUMNS
                        + """
                        join operations of on of.thread_id = s.thread_id
                        where of.operation_id = :operation and s.over_at <= clock_timestamp()
                        """,
                    Object[].class)
                .setParameter("operation", operation))
        .stream()
        .findFirst();
  }

  boolean isAnyToRemove() {
    return !statements
        .of("select 1 from api_sessions where over_at is not null limit 1")
        .getResultList()
        .isEmpty();
  }

  /// Those too whose sandbox is long gone by its own time, since nobody has used it for a month. In no order, so that those that can't be
  /// removed keep no others from it.
  List<Row> over(int most) {
    return rows(
        statements
            .of(COLUMNS + "where " + IS_OVER + " order by random() limit :most", Object[].class)
            .setParameter("most", most));
  }

  /// Whether it is one of those.
  boolean isStillOver(ThreadKey thread) {
    return !statements
        .of("select 1 from api_sessions s where s.thread_id = :thread and " + IS_OVER)
        .setParameter("thread", thread.toString())
        .getResultList()
        .isEmpty();
  }

  void remove(ThreadKey thread) {
    statements
        .of("delete from api_sessions where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  private static List<Row> rows(Query query) {
    List<?> found = query.getResultList();
    return found.stream().map(row -> row((Object[]) row)).toList();
  }

  private static Row row(Object[] row) {
    return new Row(
        ThreadKey.parse((String) row[0]),
        (String) row[1],
        (String) row[2],
        (Boolean) row[3],
        Optional.ofNullable((String) row[4]),
        (Instant) row[5],
        (Instant) row[6],
        ((Number) row[7]).intValue());
  }
}
