package dev.gorkie.tasks;

import dev.gorkie.ThreadKey;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of tasks.
@ApplicationScoped
class TaskRows implements PanacheRepositoryBase<TaskRow, String> {

  /// Held to the end of this transaction: whoever counts adds one then.
  void lock(String team, String owner) {
    getEntityManager()
        .createNativeQuery("select pg_advisory_xact_lock(hashtextextended(:tasks, 0))")
        .setParameter("tasks", "tasks of " + team + " " + owner)
        .getResultList();
  }

  Optional<TaskRow> askedAs(ThreadKey thread, String dialogue) {
    return find("threadId = ?1 and askedAs = ?2", thread.toString(), dialogue)
        .firstResultOptional();
  }

  int countOf(String team, String owner) {
    return (int) count("team = ?1 and owner = ?2 and state = ?3", team, owner, TaskRow.ACTIVE);
  }

  /// False when another worker has the thread.
  boolean insert(Tasks.Wish wish, TaskRow task) {
    return 1
        == getEntityManager()
            .createNativeQuery(
                """
                insert into tasks
                  (task_id, thread_id, asked_as, app, team, channel, root_ts, owner, what, plain, cron, zone, due_at)
                select :id, :thread, :asked, :app, :team, :channel, :root, :owner, :what, :plain, cast(:cron as text), :zone, :due
                where holds(:thread, :fence)
                """)
            .setParameter("id", task.taskId)
            .setParameter("thread", wish.thread().toString())
            .setParameter("asked", wish.dialogue())
            .setParameter("app", wish.asking().appId())
            .setParameter("team", wish.thread().team())
            .setParameter("channel", wish.asking().channel())
            .setParameter("root", wish.asking().rootTs())
            .setParameter("owner", wish.asking().user())
            .setParameter("what", task.what)
            .setParameter("plain", task.plain)
            .setParameter("cron", task.cron)
            .setParameter("zone", task.zone)
            .setParameter("due", task.dueAt)
            .setParameter("fence", wish.fence())
            .executeUpdate();
  }

  Optional<TaskRow> of(String id) {
    return findByIdOptional(id);
  }

  List<TaskRow> inThread(ThreadKey thread) {
    return list("threadId = ?1 and state = ?2 order by dueAt", thread.toString(), TaskRow.ACTIVE);
  }

  List<TaskRow> ofPerson(String team, String owner) {
    return list(
        "team = ?1 and owner = ?2 and state = ?3 order by dueAt", team, owner, TaskRow.ACTIVE);
  }

  /// What is due and was not tried just now; from now on it was.
  List<TaskRow> due(int most, Duration again) {
    return getEntityManager()
        .createNativeQuery(
            """
            update tasks set tried_at = clock_timestamp()
            where task_id in
              (select task_id from tasks
               where state = 'active' and due_at <= clock_timestamp()
                 and (tried_at is null or tried_at < due_at
                      or tried_at < clock_timestamp() - :millis * interval '1 millisecond')
               order by due_at limit :most
               for update skip locked)
            returning *
            """,
            TaskRow.class)
        .setParameter("most", most)
        .setParameter("millis", again.toMillis())
        .getResultList();
  }

  Optional<Instant> next() {
    return find("state = ?1 order by dueAt", TaskRow.ACTIVE)
        .<TaskRow>firstResultOptional()
        .map(task -> task.dueAt);
  }

  /// True for the one who does what was due then; when it is due again is written down with it.
  boolean isDone(TaskRow seen, Optional<Instant> next) {
    return 1
        == update(
            """
            update TaskRow t
            set t.times = t.times + 1, t.dueAt = ?1, t.state = ?2, t.endedAs = ?3, t.endedAt = ?4
            where t.taskId = ?5 and t.state = ?6 and t.dueAt = ?7
            """,
            next.orElse(seen.dueAt),
            next.isPresent() ? TaskRow.ACTIVE : TaskRow.ENDED,
            next.isPresent() ? null : TaskRow.DONE,
            endedAt(next.isEmpty()),
            seen.taskId,
            TaskRow.ACTIVE,
            seen.dueAt);
  }

  private static @Nullable Instant endedAt(boolean ended) {
    return ended ? Instant.now() : null;
  }

  boolean isEnded(String id, String how) {
    return 1
        == update(
            "state = ?1, endedAs = ?2, endedAt = instant where taskId = ?3 and state = ?4",
            TaskRow.ENDED,
            how,
            id,
            TaskRow.ACTIVE);
  }

  void forget(ThreadKey thread) {
    delete("threadId", thread.toString());
  }

  void forget(Duration after) {
    getEntityManager()
        .createNativeQuery(
            "delete from tasks where state = 'ended' and ended_at < clock_timestamp() - :millis * interval '1 millisecond'")
        .setParameter("millis", after.toMillis())
        .executeUpdate();
  }
}
