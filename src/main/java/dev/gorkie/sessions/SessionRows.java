package dev.gorkie.sessions;

import dev.gorkie.HoldLost;
import dev.gorkie.ThreadKey;
import dev.gorkie.sandbox.SandboxId;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The table of sessions. Each write names the fence it is made under and touches nothing when a higher one was here.
@ApplicationScoped
class SessionRows implements PanacheRepositoryBase<SessionRow, String> {

  /// A thread's session is its holder's to write, from the moment on at which he took it.
  private static final String HOLDS = "function('holds' as Boolean, threadId, ";

  SessionRow openFor(ThreadKey thread, Names names, long fence) {
    getEntityManager()
        .createNativeQuery(
            """
            insert into sandbox_sessions (thread_id, sandbox_name, session_id, status, fence)
            select :thread, :sandbox, :session, :status, :fence where holds(:thread, :fence)
            on conflict (thread_id) do nothing
            """)
        .setParameter("thread", thread.toString())
        .setParameter("sandbox", names.sandbox())
        .setParameter("session", names.session())
        .setParameter("status", Status.CREATING.wire())
        .setParameter("fence", fence)
        .executeUpdate();
    // Locked, so that whoever is about to put it to sleep either has done so or sees that it is in
    // use again.
    var found = findById(thread.toString(), LockModeType.PESSIMISTIC_WRITE);
    if (found == null) {
      throw new HoldLost(thread + ", fence " + fence);
    }
    touch(thread, fence);
    return found;
  }

  /// Somebody works in it.
  boolean touch(ThreadKey thread, long fence) {
    return 1
        == update(
            "lastActivityAt = instant, fence = ?1 where threadId = ?2 and fence <= ?1 and "
                + HOLDS
                + "?1)",
            fence,
            thread.toString());
  }

  Optional<SessionRow> of(ThreadKey thread) {
    return findByIdOptional(thread.toString());
  }

  Map<ThreadKey, String> statuses(List<ThreadKey> threads) {
    return list("threadId in ?1", threads.stream().map(ThreadKey::toString).toList()).stream()
        .collect(Collectors.toMap(row -> ThreadKey.parse(row.threadId), row -> row.status));
  }

  boolean becameActive(ThreadKey thread, long fence, SandboxId sandbox) {
    return move(
        thread,
        fence,
        Status.ACTIVE,
        "sandboxId = ?1, resumeFailCount = 0, lastError = null, lastActivityAt = instant,"
            + " putAwayAt = null, roomWantedAt = null",
        sandbox.value());
  }

  /// It gets in line; who is in line stays where he is.
  boolean wantsRoom(ThreadKey thread, long fence) {
    return 1
        == update(
            """
            roomWantedAt = coalesce(roomWantedAt, instant), lastActivityAt = instant, fence = ?1
            where threadId = ?2 and fence <= ?1 and function('holds' as Boolean, threadId, ?1)
            """,
            fence,
            thread.toString());
  }

  boolean wantsNoRoom(ThreadKey thread, long fence) {
    return 1
        == update(
            "roomWantedAt = null where threadId = ?1 and fence <= ?2 and " + HOLDS + "?2)",
            thread.toString(),
            fence);
  }

  /// How many are in line before this thread, of those that were heard of within this time.
  int inLineBefore(ThreadKey thread, Duration heardOf) {
    return ((Number)
            getEntityManager()
                .createNativeQuery(
                    """
                    select count(*) from sandbox_sessions other, sandbox_sessions mine
                    where mine.thread_id = :thread
                      and (other.room_wanted_at, other.thread_id) < (mine.room_wanted_at, mine.thread_id)
                      and other.last_activity_at > now() - :millis * interval '1 millisecond'
                    """)
                .setParameter("thread", thread.toString())
                .setParameter("millis", heardOf.toMillis())
                .getSingleResult())
        .intValue();
  }

  boolean isResuming(ThreadKey thread, long fence) {
    return move(thread, fence, Status.RESUMING, "resumedAt = instant, lastError = ?1", null);
  }

  boolean isDestroyed(ThreadKey thread, long fence, String reason) {
    return move(thread, fence, Status.DESTROYED, "destroyedAt = instant, lastError = ?1", reason);
  }

  boolean failed(ThreadKey thread, long fence, String reason) {
    return move(
        thread,
        fence,
        Status.ERROR,
        "lastError = ?1, resumeFailCount = resumeFailCount + 1",
        reason);
  }

  /// A new sandbox under the next name, and in it a session that begins with what is known of another, if of any.
  boolean isReplaced(
      ThreadKey thread,
      long fence,
      Names names,
      Optional<Instant> filesOf,
      Optional<Integer> seed) {
    var isNews = filesOf.isPresent() || seed.isPresent();
    return 1
        == update(
            """
            update SessionRow s
            set s.status = ?1, s.sandboxId = null, s.bootId = null, s.journalOffset = 0,
                s.sandboxName = ?2, s.generation = ?3, s.sessionId = ?4, s.sessionNumber = ?5,
                s.seedFrom = ?6, s.untoldMemory = coalesce(?7, s.untoldMemory),
                s.untoldFilesOf = coalesce(s.untoldFilesOf, ?8), s.untoldCarried = false,
                s.fence = ?9, s.updatedAt = instant
            where s.threadId = ?10 and s.fence <= ?9 and function('holds' as Boolean, s.threadId, ?9) and s.status in ?11
            """,
            Status.CREATING.wire(),
            names.sandbox(),
            names.generation(),
            names.session(),
            names.sessionNumber(),
            seed.orElse(null),
            isNews ? memory(seed).wire() : null,
            filesOf.orElse(null),
            fence,
            thread.toString(),
            Status.CREATING.fromWire());
  }

  /// Another sandbox that has all the files, and in it a session that begins with what is known of another, if of any.
  boolean isCarriedOver(
      ThreadKey thread, long fence, Names names, SandboxId sandbox, Optional<Integer> seed) {
    return 1
        == update(
            """
            update SessionRow s
            set s.status = ?1, s.sandboxId = ?2, s.bootId = null, s.journalOffset = 0,
                s.sandboxName = ?3, s.generation = ?4, s.sessionId = ?5, s.sessionNumber = ?6,
                s.seedFrom = ?7, s.untoldMemory = ?8, s.untoldCarried = true,
                s.fence = ?9, s.updatedAt = instant
            where s.threadId = ?10 and s.fence <= ?9 and function('holds' as Boolean, s.threadId, ?9) and s.status in ?11
            """,
            Status.ACTIVE.wire(),
            sandbox.value(),
            names.sandbox(),
            names.generation(),
            names.session(),
            names.sessionNumber(),
            seed.orElse(null),
            memory(seed).wire(),
            fence,
            thread.toString(),
            Status.ACTIVE.fromWire());
  }

  /// Another session in the same sandbox.
  boolean isForgotten(ThreadKey thread, long fence, Names names, Optional<Integer> seed) {
    return 1
        == update(
            """
            update SessionRow s
            set s.sessionId = ?1, s.sessionNumber = ?2, s.seedFrom = ?3, s.untoldMemory = ?4,
                s.fence = ?5, s.updatedAt = instant
            where s.threadId = ?6 and s.fence <= ?5 and function('holds' as Boolean, s.threadId, ?5)
            """,
            names.session(),
            names.sessionNumber(),
            seed.orElse(null),
            memory(seed).wire(),
            fence,
            thread.toString());
  }

  /// Another session in the same sandbox, because somebody wanted it: there is nothing to restore, and of what was said
  /// nothing to tell.
  boolean isBegunAnew(ThreadKey thread, long fence, Names names) {
    return 1
        == update(
            """
            sessionId = ?1, sessionNumber = ?2, seedFrom = null,
            untoldMemory = case when untoldFilesOf is not null or untoldCarried then ?5 else null end,
            fence = ?3, updatedAt = instant
            where threadId = ?4 and fence <= ?3 and function('holds' as Boolean, threadId, ?3)
            """,
            names.session(),
            names.sessionNumber(),
            fence,
            thread.toString(),
            Memory.LOST.wire());
  }

  private static Memory memory(Optional<Integer> seed) {
    return seed.isPresent() ? Memory.RESTORED : Memory.LOST;
  }

  /// The session has what it was to begin with, or never will.
  boolean isSeeded(ThreadKey thread, long fence, Memory memory) {
    return 1
        == update(
            "seedFrom = null, untoldMemory = ?1, updatedAt = instant where threadId = ?2 and fence <= ?3 and "
                + HOLDS
                + "?3)",
            memory.wire(),
            thread.toString(),
            fence);
  }

  boolean isTold(ThreadKey thread, long fence) {
    return 1
        == update(
            "untoldMemory = null, untoldFilesOf = null, untoldCarried = false where threadId = ?1 and fence <= ?2 and "
                + HOLDS
                + "?2)",
            thread.toString(),
            fence);
  }

  void isTold(ThreadKey thread, SandboxId machine) {
    update(
        "untoldMemory = null, untoldFilesOf = null, untoldCarried = false where threadId = ?1 and sandboxId = ?2",
        thread.toString(),
        machine.value());
  }

  boolean rest(ThreadKey thread, long fence, long journalOffset) {
    return 1
        == update(
            """
            update SessionRow s
            set s.journalOffset = ?1, s.lastActivityAt = instant, s.fence = ?2, s.updatedAt = instant
            where s.threadId = ?3 and s.fence <= ?2 and function('holds' as Boolean, s.threadId, ?2)
            """,
            journalOffset,
            fence,
            thread.toString());
  }

  private boolean move(
      ThreadKey thread, long fence, Status status, String changes, @Nullable Object value) {
    return 1
        == update(
            "update SessionRow s set "
                + changes
                + ", status = ?2, fence = ?3, updatedAt = instant"
                + " where s.threadId = ?4 and s.fence <= ?3 and "
                + HOLDS
                + "?3) and s.status in ?5",
            value,
            status.wire(),
            fence,
            thread.toString(),
            status.fromWire());
  }
}
