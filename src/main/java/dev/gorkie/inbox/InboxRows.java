package dev.gorkie.inbox;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.gorkie.ThreadKey;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.SlackEvent;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.Query;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The table of deliveries that count.
@ApplicationScoped
class InboxRows implements PanacheRepository<InboxRow> {

  private static final String WITHDRAWN = "WITHDRAWN";
  private static final String COMMAND = "COMMAND";

  /// False when the message is there already, by its event's id or by its own.
  boolean insert(ThreadKey thread, MessageEvent event, byte[] payload) {
    return insert(thread, event, payload, kind(event), null);
  }

  /// A message that is not to be answered if it comes; false when it has come.
  boolean insertWithdrawn(ThreadKey thread, MessageEvent event) {
    return insert(thread, event, new byte[0], kind(event), WITHDRAWN);
  }

  /// A command that is obeyed at once; false when it was before.
  boolean insertObeyed(ThreadKey thread, MessageEvent event) {
    return insert(thread, event, new byte[0], COMMAND, COMMAND);
  }

  private boolean insert(
      ThreadKey thread,
      MessageEvent event,
      byte[] payload,
      String kind,
      @Nullable String settledAs) {
    return 1
        == getEntityManager()
            .createNativeQuery(
                """
                insert into inbox
                  (thread_id, app, team, event_id, channel, ts, answer_ts, kind, author, program, files, payload,
                   settled_at, settled_as)
                values
                  (:thread, :app, :team, :event, :channel, :ts, :answer, :kind, :author, :program, :files, :payload,
                   case when cast(:settled as text) is not null then now() end, cast(:settled as text))
                on conflict do nothing
                """)
            .setParameter("settled", settledAs)
            .setParameter("thread", thread.toString())
            .setParameter("app", event.appId())
            .setParameter("team", event.team())
            .setParameter("event", event.eventId())
            .setParameter("channel", event.channel())
            .setParameter("ts", event.ts())
            .setParameter("answer", event.rootTs())
            .setParameter("kind", kind)
            .setParameter("author", event.user())
            .setParameter("program", event.isPrograms())
            .setParameter("files", event.files().size())
            .setParameter("payload", payload)
            .executeUpdate();
  }

  /// A mention is delivered as two events, and one of them may lack the files.
  void replaceIfFuller(MessageEvent event, byte[] payload) {
    update(
        """
        payload = ?1, files = ?2, kind = ?3
        where team = ?4 and channel = ?5 and ts = ?6 and turnId is null and settledAt is null and editedTs = '' and files < ?2
        """,
        payload,
        event.files().size(),
        kind(event),
        event.team(),
        event.channel(),
        event.ts());
  }

  /// A later edit of what nobody works on yet; false when there is no such message.
  boolean edit(MessageEvent event, String editedTs, byte[] payload) {
    return 1
        == update(
            """
            payload = ?1, files = ?2, editedTs = ?3
            where team = ?4 and channel = ?5 and ts = ?6 and givenAt is null and settledAt is null and editedTs < ?3
            """,
            payload,
            event.files().size(),
            editedTs,
            event.team(),
            event.channel(),
            event.ts());
  }

  Optional<String> rootOf(String team, String channel, String ts) {
    return find("team = ?1 and channel = ?2 and ts = ?3", team, channel, ts)
        .<InboxRow>firstResultOptional()
        .map(row -> row.answerTs);
  }

  /// What is not done with of what this person wrote, but for the message itself, which may come twice.
  UnderWay underWay(ThreadKey thread, String author, String channel, String ts) {
    var row =
        (Object[])
            getEntityManager()
                .createNativeQuery(
                    """
                    select coalesce(bool_or(thread_id = :thread), false),
                      count(distinct thread_id) filter (where thread_id <> :thread), count(*), coalesce(min(ts), '')
                    from inbox
                    where team = :team and author = :author and settled_at is null and kind <> 'FOLLOW_UP'
                      and (channel, ts) <> (:channel, :ts)
                    """,
                    Object[].class)
                .setParameter("thread", thread.toString())
                .setParameter("team", thread.team())
                .setParameter("author", author)
                .setParameter("channel", channel)
                .setParameter("ts", ts)
                .getSingleResult();
    return new UnderWay(
        (Boolean) row[0],
        ((Number) row[1]).intValue(),
        ((Number) row[2]).intValue(),
        (String) row[3]);
  }

  /// How often programs were heard in a thread before this message, since a person was last.
  Heard programs(ThreadKey thread, String ts) {
    return heard(
        getEntityManager()
            .createNativeQuery(
                """
                with here as (
                  select ts, program from inbox
                  where team = :team and channel = :channel and ts >= :root and ts < :ts and thread_id = :thread
                    and kind <> 'FOLLOW_UP'
                )
                select count(*), coalesce(max(ts), '') from here
                where program and ts > coalesce((select max(ts) from here where not program), '')
                """,
                Object[].class)
            .setParameter("team", thread.team())
            .setParameter("channel", thread.channel())
            .setParameter("root", thread.root())
            .setParameter("thread", thread.toString())
            .setParameter("ts", ts));
  }

  /// How often this program was heard in the hour before this message, wherever.
  Heard program(String team, String author, String ts) {
    return heard(
        getEntityManager()
            .createNativeQuery(
                """
                select count(*), coalesce(max(ts), '') from inbox
                where team = :team and author = :author and program and ts < :ts
                  and ts::numeric > cast(:ts as numeric) - 3600
                """,
                Object[].class)
            .setParameter("team", team)
            .setParameter("author", author)
            .setParameter("ts", ts));
  }

  private static Heard heard(Query query) {
    var row = (Object[]) query.getSingleResult();
    return new Heard(((Number) row[0]).intValue(), (String) row[1]);
  }

  int countWaiting(ThreadKey thread) {
    return (int) count("threadId = ?1 and turnId is null and settledAt is null", thread.toString());
  }

  /// Which of these messages came to us.
  Set<String> known(String team, String channel, List<String> all) {
    return find("team = ?1 and channel = ?2 and ts in ?3", team, channel, all).stream()
        .map(row -> row.ts)
        .collect(toSet());
  }

  boolean knows(String team, String channel, String ts) {
    return 0 < count("team = ?1 and channel = ?2 and ts = ?3", team, channel, ts);
  }

  boolean knowsEvent(MessageEvent event) {
    return 0
        < count(
            "app = ?1 and team = ?2 and eventId = ?3",
            event.appId(),
            event.team(),
            event.eventId());
  }

  void forgetFollowUp(ThreadKey thread, String id) {
    update(
        "settledAt = instant, settledAs = ?1 where threadId = ?2 and eventId = ?3 and kind = ?4 and turnId is null and settledAt is null",
        WITHDRAWN,
        thread.toString(),
        id,
        MessageEvent.Kind.FOLLOW_UP.name());
  }

  /// Its author has taken it back before anybody worked on it.
  boolean withdraw(String team, String channel, String ts) {
    return 1
        == update(
            """
            settledAt = instant, settledAs = ?1
            where team = ?2 and channel = ?3 and ts = ?4 and givenAt is null and settledAt is null
            """,
            WITHDRAWN,
            team,
            channel,
            ts);
  }

  /// The turn that comes next: one that was begun and not ended, else a new one, called after its first message.
  Optional<Long> nextTurn(ThreadKey thread) {
    return find(
            "threadId = ?1 and settledAt is null order by case when turnId is null then 1 else 0"
                + " end, ts",
            thread.toString())
        .<InboxRow>firstResultOptional()
        .map(row -> row.turnId == null ? row.id : row.turnId);
  }

  /// All messages of the turn that have no outcome. One that begins takes along what waits under the same root.
  List<Message> claim(long turn, long fence) {
    take(turn, fence, false);
    update("attempts = attempts + 1 where turnId = ?1 and settledAt is null", turn);
    return open(turn);
  }

  /// All messages of the turn, whatever became of them.
  List<Message> of(long turn) {
    return messages("turnId = ?1 order by steers, ts", turn);
  }

  /// Takes back that the turn was begun once more. A trouble that lasts for longer than an afternoon is told to people as what it is.
  void forgive(long turn, ThreadKey thread, long fence) {
    update(
        """
        attempts = attempts - 1
        where turnId = ?1 and settledAt is null and attempts > 0 and acceptedAt > instant - 4 hour
          and threadId = ?2 and function('holds' as Boolean, threadId, ?3)
        """,
        turn,
        thread.toString(),
        fence);
  }

  /// What waits under the root of a turn that runs, as messages of this turn; nothing when a higher fence was here.
  List<Message> take(long turn, long fence) {
    var taken = take(turn, fence, true);
    return taken.isEmpty() ? List.of() : messages("id in ?1 order by ts", taken);
  }

  /// Up to the first stop: what was written after it is not meant by it. A stop that is no reply ends whatever runs.
  /// And up to the first command that waits for its turn, which has the turn for itself. What nobody wrote is said to nobody
  /// who is in the middle of something.
  private List<Long> take(long turn, long fence, boolean running) {
    var taken =
        getEntityManager()
            .createNativeQuery(
                """
                update inbox m
                set turn_id = :turn, steers = :running, given_at = case when :running then now() end
                from inbox f
                where f.id = :turn and (f.turn_id is not null) = :running
                  and m.thread_id = f.thread_id
                  and (m.answer_ts = f.answer_ts or m.kind = 'STOP' and m.answer_ts = m.ts)
                  and m.turn_id is null and m.settled_at is null
                  and not (:running and m.kind = 'FOLLOW_UP')
                  and m.ts <= coalesce(
                    (select min(s.ts) from inbox s
                     where s.thread_id = f.thread_id and s.kind = 'STOP' and s.answer_ts in (f.answer_ts, s.ts)
                       and s.turn_id is null and s.settled_at is null),
                    m.ts)
                  and (m.id = f.id or m.kind = 'STOP' or not exists
                    (select 1 from inbox c
                     where c.thread_id = f.thread_id and c.answer_ts = f.answer_ts and c.kind in ('NEW', 'COMPACT')
                       and c.settled_at is null and c.ts <= m.ts and (c.turn_id is null or c.id = f.id)))
                  and holds(f.thread_id, :fence)
                returning m.id
                """,
                Long.class)
            .setParameter("turn", turn)
            .setParameter("fence", fence)
            .setParameter("running", running)
            .getResultList();
    getEntityManager().clear();
    return taken.stream().map(id -> (Long) id).toList();
  }

  /// What is to be given to Pi now, as it reads now. From here on it can be neither changed nor taken back.
  List<Message> give(long turn, ThreadKey thread, long fence) {
    update(
        """
        givenAt = instant
        where turnId = ?1 and settledAt is null and givenAt is null
          and threadId = ?2 and function('holds' as Boolean, threadId, ?3)
        """,
        turn,
        thread.toString(),
        fence);
    return open(turn);
  }

  private List<Message> open(long turn) {
    getEntityManager().clear();
    return messages("turnId = ?1 and settledAt is null order by steers, ts", turn);
  }

  private List<Message> messages(String where, Object value) {
    return list(where, value).stream().map(InboxRows::message).toList();
  }

  /// What waits under the roots of turns that run, and whether anything is left of them.
  Map<Long, Mailbox.Waiting> waiting(Collection<Long> turns) {
    var found =
        getEntityManager()
            .createNativeQuery(
                """
                select f.id, count(m.id) > 0, coalesce(bool_or(m.kind = 'STOP'), false),
                  f.settled_at is not null
                    and not exists (select 1 from inbox o where o.turn_id = f.id and o.settled_at is null)
                from inbox f
                  left join inbox m on m.thread_id = f.thread_id
                    and (m.answer_ts = f.answer_ts or m.kind = 'STOP' and m.answer_ts = m.ts)
                    and m.turn_id is null and m.settled_at is null
                    and m.kind not in ('NEW', 'COMPACT', 'FOLLOW_UP')
                where f.id = any(cast(:turns as bigint[]))
                group by f.id
                """,
                Object[].class)
            // One parameter, however many there are: the statement stays the same.
            .setParameter(
                "turns", turns.stream().map(String::valueOf).collect(joining(",", "{", "}")))
            .getResultList();
    var waiting = new HashMap<Long, Mailbox.Waiting>();
    for (var one : found) {
      var row = (Object[]) one;
      waiting.put(
          ((Number) row[0]).longValue(),
          new Mailbox.Waiting((Boolean) row[1], (Boolean) row[2], (Boolean) row[3]));
    }
    return waiting;
  }

  boolean anyOpenSince(Duration since) {
    return !getEntityManager()
        .createNativeQuery(
            """
            select 1 from inbox
            where settled_at is null or settled_at > now() - :millis * interval '1 millisecond'
            limit 1
            """)
        .setParameter("millis", since.toMillis())
        .getResultList()
        .isEmpty();
  }

  boolean settle(long turn, String outcome, ThreadKey thread, long fence) {
    return 0
        < update(
            """
            settledAt = instant, settledAs = ?1
            where turnId = ?2 and settledAt is null
              and threadId = ?3 and function('holds' as Boolean, threadId, ?4)
            """,
            outcome,
            turn,
            thread.toString(),
            fence);
  }

  void remove(ThreadKey thread) {
    delete("threadId = ?1", thread.toString());
  }

  private static String kind(MessageEvent event) {
    if (event.isStop()) {
      return MessageEvent.Kind.STOP.name();
    }
    return event
        .command()
        .map(Command::word)
        .filter(Command.Word::waitsItsTurn)
        .map(Command.Word::name)
        .orElse(event.kind().taken());
  }

  private static Message message(InboxRow row) {
    var event =
        switch (SlackEvent.read(row.payload)) {
          case SlackEvent.Said(var said) -> said;
          case SlackEvent.Edited(var edited, _) -> edited;
          case SlackEvent other ->
              throw new IllegalStateException(
                  "Inbox " + row.id + " holds no message but " + other.getClass().getSimpleName());
        };
    return new Message(
        row.id, event, row.attempts, row.steers, row.givenAt != null, order(row), row.acceptedAt);
  }

  /// By what it was taken in as: an edit makes no command of a message.
  private static Optional<Command.Word> order(InboxRow row) {
    return switch (row.kind) {
      case "NEW" -> Optional.of(Command.Word.NEW);
      case "COMPACT" -> Optional.of(Command.Word.COMPACT);
      default -> Optional.empty();
    };
  }
}
