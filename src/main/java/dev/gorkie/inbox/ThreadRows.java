package dev.gorkie.inbox;

import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The table of threads: which we follow, and who holds one. Every time in it is the database's own.
@ApplicationScoped
class ThreadRows {

  private final Database database;
  private final Statements statements;

  @Inject
  ThreadRows(Database database, Statements statements) {
    this.database = database;
    this.statements = statements;
  }

  void open(ThreadKey thread, boolean follow) {
    statements
        .of(
            """
            insert into threads (thread_id, team, channel, root_ts, follows)
            values (:thread, :team, :channel, :root, :follow)
            on conflict (thread_id) do update
              set follows = threads.follows or excluded.follows, updated_at = now()
            """)
        .setParameter("thread", thread.toString())
        .setParameter("team", thread.team())
        .setParameter("channel", thread.channel())
        .setParameter("root", thread.root())
        .setParameter("follow", follow)
        .executeUpdate();
  }

  void unfollow(ThreadKey thread) {
    statements
        .of("update threads set follows = false, updated_at = now() where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  boolean unfollow(ThreadKey thread, long fence) {
    return 1
        == statements
            .of(
                "update threads set follows = false, updated_at = now() where thread_id = :thread and fence <= :fence")
            .setParameter("thread", thread.toString())
            .setParameter("fence", fence)
            .executeUpdate();
  }

  void unfollowAll(String team, String channel) {
    statements
        .of(
            "update threads set follows = false, updated_at = now() where team = :team and channel = :channel and follows")
        .setParameter("team", team)
        .setParameter("channel", channel)
        .executeUpdate();
  }

  boolean follows(ThreadKey thread) {
    return exists("select 1 from threads where thread_id = :thread and follows", thread);
  }

  boolean isThere(ThreadKey thread) {
    return exists("select 1 from threads where thread_id = :thread", thread);
  }

  boolean isAtRest(ThreadKey thread) {
    return exists(
        """
        select 1 from threads t
        where t.thread_id = :thread and (t.lease_until is null or t.lease_until < clock_timestamp())
          and not exists (select 1 from inbox i where i.thread_id = t.thread_id and i.settled_at is null)
        """,
        thread);
  }

  private boolean exists(String sql, ThreadKey thread) {
    return !statements.of(sql).setParameter("thread", thread.toString()).getResultList().isEmpty();
  }

  boolean knows(ThreadKey thread) {
    return !statements
        .of("select 1 from threads where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .getResultList()
        .isEmpty();
  }

  /// Held to the end of this transaction: claiming looks first and takes then.
  void lock(ThreadKey thread) {
    statements
        .of("select pg_advisory_xact_lock(hashtextextended(:thread, 0))")
        .setParameter("thread", thread.toString())
        .getResultList();
  }

  /// A new holder's number, and for how long the one before had the thread no more without having given it back.
  ///
  /// @param unread behind which message nothing was read yet, where not every message came to us; empty text when all is new
  /// @param turns how many threads of the workspace are being worked on, this one among them
  record Taken(long fence, Optional<Duration> lapsedFor, Optional<String> unread, int turns) {}

  /// Whether something waits that the turn which the thread has under way could take up.
  private static final String HAS_MAIL =
      """
      exists
        (select 1 from inbox o join inbox f on f.id = o.turn_id join inbox n on n.thread_id = o.thread_id
         where o.thread_id = t.thread_id and o.settled_at is null
           and n.turn_id is null and n.settled_at is null and n.kind <> 'FOLLOW_UP'
           and (n.answer_ts = f.answer_ts or n.kind = 'STOP' and n.answer_ts = n.ts)
           and (n.kind = 'STOP' or not t.only_stop_resumes)
           and (n.kind = 'STOP' or not exists
             (select 1 from inbox c
              where c.thread_id = f.thread_id and c.answer_ts = f.answer_ts and c.kind in ('NEW', 'COMPACT')
                and c.turn_id is null and c.settled_at is null and c.ts <= n.ts)))
      """;

  /// Asked where something else is asked anyway, so that nobody has to ask for it alone.
  private static final String TURNS =
      """
      (select 1 + count(*) from threads o
       where o.team = t.team and o.thread_id <> t.thread_id and o.lease_until > clock_timestamp())
      """;

  private static final String RENEW =
      """
      update threads t set lease_until = clock_timestamp() + ? * interval '1 millisecond', updated_at = now()
      where t.thread_id = ? and t.lease_owner = ? and t.fence = ?
      returning\s"""
          + TURNS;

  /// A turn that nobody has in hand any more: its worker's lease has lapsed, or he gave the thread back and was not done, some time
  /// ago. An hour later Slack has taken away by itself what shows a session at work.
  private static final String LEFT =
      """
      t.turn_in_hand is not null
        and (t.lease_until < clock_timestamp()
          or t.lease_until is null and t.updated_at < clock_timestamp() - :again * interval '1 millisecond')
        and exists
          (select 1 from inbox l
           where l.turn_id = t.turn_in_hand
             and (l.settled_at is null or l.settled_at > clock_timestamp() - interval '1 hour'))
      """;

  /// Nothing is to be done in a thread that waits for a person, unless something came in meanwhile.
  private static final String NOT_SUSPENDED =
      "(t.suspended_until is null or t.suspended_until < clock_timestamp() or " + HAS_MAIL + ")\n";

  /// Empty while another one's lease lasts. The fence rises also where the table was restored from a backup, since the
  /// clock has gone on.
  ///
  /// @param turn that it is taken for, if for any
  Optional<Taken> takeLease(ThreadKey thread, String owner, Duration lasts, Optional<Long> turn) {
    var taken =
        statements
            .of(
                """
                update threads t
                set lease_owner = :owner,
                    lease_until = clock_timestamp() + :millis * interval '1 millisecond',
                    fence = greatest(t.fence + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint),
                    suspended_until = null,
                    turn_in_hand = coalesce(cast(:turn as bigint), turn_in_hand),
                    updated_at = now()
                from (select thread_id, lease_until from threads where thread_id = :thread) before
                where t.thread_id = before.thread_id
                  and (t.lease_until is null or t.lease_until < clock_timestamp())
                  and %s
                returning t.fence, (extract(epoch from clock_timestamp() - before.lease_until) * 1000)::bigint,
                  (select case when not t.follows or max(r.ts) is null then coalesce(max(r.ts), '') end from inbox r
                   where r.thread_id = t.thread_id and r.given_at is not null and r.settled_at is not null), %s
                """
                    .formatted(NOT_SUSPENDED, TURNS),
                Object[].class)
            .setParameter("owner", owner)
            .setParameter("turn", turn.orElse(null))
            .setParameter("millis", lasts.toMillis())
            .setParameter("thread", thread.toString())
            .getResultList();
    return taken.stream().findFirst().map(row -> taken((Object[]) row));
  }

  private static Taken taken(Object[] row) {
    return new Taken(
        ((Number) row[0]).longValue(),
        Optional.ofNullable((Number) row[1]).map(millis -> Duration.ofMillis(millis.longValue())),
        Optional.ofNullable((String) row[2]),
        ((Number) row[3]).intValue());
  }

  /// @param onlyStop whether nothing but a stop is for the turn that waits
  boolean suspend(ThreadKey thread, long fence, Instant until, boolean onlyStop) {
    statements
        .of(
            "update threads set only_stop_resumes = :only where thread_id = :thread and fence ="
                + " :fence")
        .setParameter("only", onlyStop)
        .setParameter("thread", thread.toString())
        .setParameter("fence", fence)
        .executeUpdate();
    return 1
        == statements
            .of(
                "update threads t set suspended_until = :until where t.thread_id = :thread and"
                    + " t.fence = :fence and not "
                    + HAS_MAIL)
            .setParameter("until", until)
            .setParameter("thread", thread.toString())
            .setParameter("fence", fence)
            .executeUpdate();
  }

  /// Whether a person is waited for in the thread and nothing that has come in changes that.
  boolean waitsForPerson(ThreadKey thread) {
    return exists(
        "select 1 from threads t where t.thread_id = :thread and t.suspended_until >"
            + " clock_timestamp() and not "
            + HAS_MAIL,
        thread);
  }

  void resume(ThreadKey thread) {
    statements
        .of("update threads set suspended_until = null where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }

  List<ThreadKey> suspended(int most) {
    return keys(
        statements
            .of(
                "select thread_id from threads where suspended_until > clock_timestamp() limit"
                    + " :most",
                String.class)
            .setParameter("most", most));
  }

  private static List<ThreadKey> keys(Query query) {
    var keys = new ArrayList<ThreadKey>();
    query.getResultList().forEach(key -> keys.add(ThreadKey.parse((String) key)));
    return List.copyOf(keys);
  }

  /// How many threads of a workspace are being worked on.
  int held(String team) {
    var count =
        statements
            .of(
                "select count(*) from threads where team = :team and lease_until >"
                    + " clock_timestamp()")
            .setParameter("team", team)
            .getSingleResult();
    return ((Number) count).intValue();
  }

  /// How many threads of the workspace are being worked on, this one among them; empty when it is another worker's.
  OptionalInt renewLease(ThreadKey thread, String owner, long fence, Duration lasts) {
    return database
        .askAtOnce(RENEW, row -> row.getInt(1), lasts.toMillis(), thread.toString(), owner, fence)
        .stream()
        .mapToInt(Integer::intValue)
        .findFirst();
  }

  /// @param done whether nobody has to come back to what was in hand
  boolean releaseLease(ThreadKey thread, String owner, long fence, boolean done) {
    return 1
        == statements
            .of(
                """
                update threads
                set lease_owner = null, lease_until = null, updated_at = now(),
                    turn_in_hand = case when :done then null else turn_in_hand end
                where thread_id = :thread and lease_owner = :owner and fence = :fence
                """)
            .setParameter("done", done)
            .setParameter("thread", thread.toString())
            .setParameter("owner", owner)
            .setParameter("fence", fence)
            .executeUpdate();
  }

  boolean anyHeld() {
    return !statements
        .of("select 1 from threads where lease_until > clock_timestamp() limit 1")
        .getResultList()
        .isEmpty();
  }

  Duration oldestAbandoned() {
    var millis =
        statements
            .of(
                """
                select coalesce(max(extract(epoch from clock_timestamp() - i.accepted_at) * 1000), 0)
                from inbox i join threads t on t.thread_id = i.thread_id
                where i.settled_at is null and (t.lease_until is null or t.lease_until < clock_timestamp())
                  and %s
                """
                    .formatted(NOT_SUSPENDED))
            .getSingleResult();
    return Duration.ofMillis(((Number) millis).longValue());
  }

  /// The turn that nobody has in hand any more, though it was not brought to its end.
  ///
  /// @param again after how long somebody comes back to what could not be done at once
  Optional<Long> turnLeft(ThreadKey thread, Duration again) {
    return statements
        .of(
            "select t.turn_in_hand from threads t where t.thread_id = :thread and " + LEFT,
            Long.class)
        .setParameter("thread", thread.toString())
        .setParameter("again", again.toMillis())
        .getResultList()
        .stream()
        .findFirst()
        .map(Long.class::cast);
  }

  /// What was taken in only now has somebody on the way to it; a lease that lapsed has nobody any more.
  ///
  /// @param again after how long somebody comes back to what could not be done at once
  List<ThreadKey> abandoned(Duration onTheWay, Duration again, int most) {
    return keys(
        statements
            .of(
                """
                select thread_id from (
                  select t.thread_id, t.updated_at from threads t
                  where (t.lease_until is null or t.lease_until < clock_timestamp())
                    and exists (
                      select 1 from inbox i
                      where i.thread_id = t.thread_id and i.settled_at is null
                        and (t.lease_until is not null
                          or i.accepted_at <= clock_timestamp() - :millis * interval '1 millisecond'))
                    and %1$s
                  union
                  select t.thread_id, t.updated_at from threads t
                  where %2$s and %1$s
                ) abandoned
                order by updated_at
                limit :most
                """
                    .formatted(NOT_SUSPENDED, LEFT),
                String.class)
            .setParameter("millis", onTheWay.toMillis())
            .setParameter("again", again.toMillis())
            .setParameter("most", most));
  }

  List<ThreadKey> of(String team, int most) {
    return keys(
        statements
            .of(
                "select thread_id from threads where team = :team order by thread_id limit :most",
                String.class)
            .setParameter("team", team)
            .setParameter("most", most));
  }

  List<ThreadKey> with(String team, String user, int most) {
    return keys(
        statements
            .of(
                """
                select t.thread_id from threads t
                where t.team = :team
                  and (t.thread_id = :direct
                    or exists (select 1 from inbox i where i.team = :team and i.author = :user and i.thread_id = t.thread_id))
                order by t.thread_id limit :most
                """,
                String.class)
            .setParameter("team", team)
            .setParameter("user", user)
            .setParameter("direct", ThreadKey.direct(team, user).toString())
            .setParameter("most", most));
  }

  /// For how long the one before may believe that it has the thread.
  Optional<Duration> withhold(ThreadKey thread, Duration most) {
    List<?> before =
        statements
            .of(
                """
                update threads t
                set lease_owner = 'erasure', lease_until = clock_timestamp() + :millis * interval '1 millisecond',
                    fence = greatest(t.fence + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint),
                    suspended_until = null, turn_in_hand = null, updated_at = now()
                from (select thread_id, lease_owner, lease_until from threads where thread_id = :thread for update) before
                where t.thread_id = before.thread_id
                returning case when before.lease_owner = 'erasure' then 0
                  else greatest(0, extract(epoch from before.lease_until - clock_timestamp()) * 1000)::bigint end
                """,
                Long.class)
            .setParameter("millis", most.toMillis())
            .setParameter("thread", thread.toString())
            .getResultList();
    return before.stream()
        .findFirst()
        .map(Long.class::cast)
        .filter(millis -> millis > 0)
        .map(Duration::ofMillis);
  }

  void remove(ThreadKey thread) {
    statements
        .of("delete from threads where thread_id = :thread")
        .setParameter("thread", thread.toString())
        .executeUpdate();
  }
}
