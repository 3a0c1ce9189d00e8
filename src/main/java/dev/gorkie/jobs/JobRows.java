package dev.gorkie.jobs;

import dev.gorkie.ThreadKey;
import dev.gorkie.pi.JobState;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The table of jobs.
@ApplicationScoped
class JobRows implements PanacheRepositoryBase<JobRow, String> {

  private static final String SOMEBODY = "somebody";

  /// Held to the end of this transaction: whoever counts begins one then.
  void lock(ThreadKey thread) {
    getEntityManager()
        .createNativeQuery("select pg_advisory_xact_lock(hashtextextended(:jobs, 0))")
        .setParameter("jobs", "jobs of " + thread)
        .getResultList();
  }

  Optional<JobRow> askedAs(ThreadKey thread, String dialogue) {
    return find("threadId = ?1 and askedAs = ?2", thread.toString(), dialogue)
        .firstResultOptional();
  }

  int countRunning(ThreadKey thread) {
    return (int) count("threadId = ?1 and state = ?2", thread.toString(), JobRow.RUNNING);
  }

  boolean anyRunning() {
    return find("state = ?1", JobRow.RUNNING).firstResultOptional().isPresent();
  }

  /// False when another worker has the thread.
  boolean insert(Jobs.Wish wish, String id, String command) {
    return 1
        == getEntityManager()
            .createNativeQuery(
                """
                insert into jobs
                  (job_id, thread_id, asked_as, sandbox_id, app, team, channel, root_ts, asked_by, command, limit_seconds)
                select :id, :thread, :asked, :sandbox, :app, :team, :channel, :root, :user, :command, :limit
                where holds(:thread, :fence)
                """)
            .setParameter("id", id)
            .setParameter("thread", wish.thread().toString())
            .setParameter("asked", wish.dialogue())
            .setParameter("sandbox", wish.sandbox().value())
            .setParameter("app", wish.asking().appId())
            .setParameter("team", wish.thread().team())
            .setParameter("channel", wish.asking().channel())
            .setParameter("root", wish.asking().rootTs())
            .setParameter("user", wish.asking().user())
            .setParameter("command", command)
            .setParameter("limit", wish.limit().toSeconds())
            .setParameter("fence", wish.fence())
            .executeUpdate();
  }

  Optional<JobRow> of(String id) {
    return findByIdOptional(id);
  }

  Optional<JobRow> of(ThreadKey thread, String id) {
    return find("jobId = ?1 and threadId = ?2", id, thread.toString()).firstResultOptional();
  }

  /// Those that run, and those that ended within this time, newest first.
  List<JobRow> latest(ThreadKey thread, Duration within, int most) {
    return getEntityManager()
        .createNativeQuery(
            """
            select * from jobs
            where thread_id = :thread
              and (state = 'running' or over_at > clock_timestamp() - :millis * interval '1 millisecond')
            order by state = 'over', begun_at desc
            limit :most
            """,
            JobRow.class)
        .setParameter("thread", thread.toString())
        .setParameter("millis", within.toMillis())
        .setParameter("most", most)
        .getResultList();
  }

  /// Those of the threads in which nobody has looked after one for longest; the next look takes others first.
  List<JobRow> toBeLookedAt(int most) {
    return getEntityManager()
        .createNativeQuery(
            """
            update jobs set looked_at = clock_timestamp()
            where job_id in (select job_id from jobs where state = 'running' order by looked_at limit :most)
            returning *
            """,
            JobRow.class)
        .setParameter("most", most)
        .getResultList();
  }

  /// True for the one who hears of it first.
  boolean isOver(JobState end) {
    return 1
        == getEntityManager()
            .createNativeQuery(
                """
                update jobs set state = 'over', over_at = clock_timestamp(), how = :how, code = :code
                where job_id = :id and state = 'running'
                """)
            .setParameter("how", end.standing().name().toLowerCase(Locale.ROOT))
            .setParameter("code", end.code().isPresent() ? end.code().getAsInt() : null)
            .setParameter("id", end.job())
            .executeUpdate();
  }

  boolean isTold(ThreadKey thread, String id) {
    return 1 == update("told = true where jobId = ?1 and threadId = ?2", id, thread.toString());
  }

  /// The first one who wants it is remembered.
  boolean isToStop(String id, String user) {
    return 1
        == update(
            "stopBy = coalesce(stopBy, ?1) where jobId = ?2 and state = ?3",
            user,
            id,
            JobRow.RUNNING);
  }

  void isMissed(String id) {
    update("missedAt = coalesce(missedAt, instant) where jobId = ?1", id);
  }

  void isThere(String id) {
    update("missedAt = null where jobId = ?1 and missedAt is not null", id);
  }

  void forget(ThreadKey thread) {
    delete("threadId", thread.toString());
  }

  void forgetWhoStopped(String team, String user) {
    update("stopBy = ?1 where team = ?2 and stopBy = ?3", SOMEBODY, team, user);
  }

  void forget(Duration after) {
    getEntityManager()
        .createNativeQuery(
            "delete from jobs where state = 'over' and over_at < clock_timestamp() - :millis * interval '1 millisecond'")
        .setParameter("millis", after.toMillis())
        .executeUpdate();
  }
}
