package dev.gorkie.sessions;

import dev.gorkie.ThreadKey;
import dev.gorkie.sandbox.SandboxId;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/// The same table for those who look after sessions nobody works in. They hold no fence: each write names what was seen
/// and touches nothing when it has changed since.
@ApplicationScoped
class SilentRows implements PanacheRepositoryBase<SessionRow, String> {

  /// Where nothing has happened for so long, by the database's clock.
  List<SessionRow> silentFor(Duration silence, int most) {
    return getEntityManager()
        .createNativeQuery(
            """
            select * from sandbox_sessions
            where status = :active and sandbox_id is not null
              and last_activity_at < now() - :millis * interval '1 millisecond'
            order by last_activity_at
            limit :most
            """,
            SessionRow.class)
        .setParameter("active", Status.ACTIVE.wire())
        .setParameter("millis", silence.toMillis())
        .setParameter("most", most)
        .getResultList();
  }

  boolean isPaused(SessionRow seen) {
    return 1
        == update(
            """
            status = ?1, pausedAt = instant, putAwayAt = null, updatedAt = instant
            where threadId = ?2 and sandboxId = ?3 and status = ?4 and lastActivityAt = ?5
            """,
            Status.PAUSED.wire(),
            seen.threadId,
            seen.sandboxId,
            seen.status,
            seen.lastActivityAt);
  }

  /// Those that sleep and still take room, the longest silent first.
  List<SessionRow> asleep(int most) {
    return find(
            "status = ?1 and sandboxId is not null and putAwayAt is null order by pausedAt",
            Status.PAUSED.wire())
        .range(0, most - 1)
        .list();
  }

  boolean isPutAway(SessionRow seen) {
    return 1
        == update(
            """
            putAwayAt = instant, updatedAt = instant
            where threadId = ?1 and sandboxId = ?2 and status = ?3 and pausedAt = ?4
            """,
            seen.threadId,
            seen.sandboxId,
            Status.PAUSED.wire(),
            seen.pausedAt);
  }

  /// It was not taken; the next one who needs room may try it again.
  boolean isNotPutAway(SessionRow seen) {
    return 1
        == update(
            "putAwayAt = null where threadId = ?1 and sandboxId = ?2 and status = ?3 and pausedAt = ?4",
            seen.threadId,
            seen.sandboxId,
            Status.PAUSED.wire(),
            seen.pausedAt);
  }

  /// Those of which we believe that their sandbox is there.
  List<SessionRow> withSandbox() {
    return list("sandboxId is not null and status <> ?1", Status.DESTROYED.wire());
  }

  boolean isFoundGone(SessionRow seen) {
    return 1
        == update(
            """
            status = ?1, destroyedAt = instant, lastError = ?2, updatedAt = instant
            where threadId = ?3 and sandboxId = ?4 and fence = ?5 and status in ?6
            """,
            Status.DESTROYED.wire(),
            seen.sandboxId + " is gone",
            seen.threadId,
            seen.sandboxId,
            seen.fence,
            Status.DESTROYED.fromWire());
  }

  /// A sandbox that was created for the row, which its creator did not live to write down.
  boolean isAdopted(SessionRow seen, SandboxId sandbox) {
    return 1
        == update(
            """
            status = ?1, sandboxId = ?2, updatedAt = instant
            where threadId = ?3 and sandboxId is null and sandboxName = ?4 and status in ?5
            """,
            Status.ACTIVE.wire(),
            sandbox.value(),
            seen.threadId,
            seen.sandboxName,
            Status.ACTIVE.fromWire());
  }

  /// A sandbox whose row is lost.
  boolean isAdopted(ThreadKey thread, Names names, SandboxId sandbox) {
    return 1
        == getEntityManager()
            .createNativeQuery(
                """
                insert into sandbox_sessions
                  (thread_id, sandbox_id, sandbox_name, generation, session_id, session_number, status, fence)
                values (:thread, :id, :name, :generation, :session, :number, :status, 0)
                on conflict (thread_id) do nothing
                """)
            .setParameter("thread", thread.toString())
            .setParameter("id", sandbox.value())
            .setParameter("name", names.sandbox())
            .setParameter("generation", names.generation())
            .setParameter("session", names.session())
            .setParameter("number", names.sessionNumber())
            .setParameter("status", Status.ACTIVE.wire())
            .executeUpdate();
  }
}
