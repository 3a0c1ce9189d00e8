package dev.gorkie.slack;

import static dev.gorkie.slack.OutboxRow.AMBIGUOUS;
import static dev.gorkie.slack.OutboxRow.CARD;
import static dev.gorkie.slack.OutboxRow.CONFIRMED;
import static dev.gorkie.slack.OutboxRow.PENDING;
import static dev.gorkie.slack.OutboxRow.REFUSED;
import static dev.gorkie.slack.OutboxRow.SENT;

import dev.gorkie.ThreadKey;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table of things to say. Each write names the fence it is made under and touches nothing when a higher one was
/// here.
@ApplicationScoped
class OutboxRows implements PanacheRepository<OutboxRow> {

  private static final List<String> OPEN = List.of(PENDING, SENT, AMBIGUOUS, REFUSED);

  /// A thread's rows are its holder's to write, from the moment on at which he took it.
  private static final String HOLDS = "function('holds' as Boolean, threadId, ";

  private static final String FORGOTTEN =
      """
      ((left_over and state <> 'confirmed') or (kind = 'card' and body is not null))
      and created_at > clock_timestamp() - interval '1 day'
      """;

  /// A thing to say, before it is a row.
  record Thing(String part, String kind, String title, Optional<String> body, String hash) {}

  /// Written once: whoever comes later finds what was decided first. False when a higher fence was here.
  boolean put(Address address, String subject, Thing thing, long fence) {
    return 1
        == getEntityManager()
            .createNativeQuery(
                """
                insert into outbox
                  (subject, part, thread_id, team, channel, thread_ts, since_ts, kind, title, body, hash, fence)
                select :subject, :part, :thread, :team, :channel, :root, :since, :kind, :title, :body, :hash, :fence
                where holds(:thread, :fence)
                on conflict (subject, part) do update set fence = excluded.fence
                  where outbox.fence <= excluded.fence
                """)
            .setParameter("subject", subject)
            .setParameter("part", thing.part())
            .setParameter("team", address.team())
            .setParameter("channel", address.channel())
            .setParameter("thread", address.thread().toString())
            .setParameter("root", address.rootTs())
            .setParameter("since", address.messageTs())
            .setParameter("kind", thing.kind())
            .setParameter("title", thing.title())
            .setParameter("body", thing.body().orElse(null))
            .setParameter("hash", thing.hash())
            .setParameter("fence", fence)
            .executeUpdate();
  }

  /// The least that a writer must have who does not hold the thread.
  long fenceOf(ThreadKey thread) {
    return ((Number)
            getEntityManager()
                .createNativeQuery("select fence_of(:thread)")
                .setParameter("thread", thread.toString())
                .getSingleResult())
        .longValue();
  }

  /// A text that is begun before anybody knows what it comes to. False when a higher fence was here.
  boolean begin(Address address, String subject, Thing thing, long fence) {
    return put(address, subject, thing, fence)
        && 1
            == update(
                """
                state = 'sent', streams = true, title = ?4, attempts = attempts + 1, updatedAt = instant
                where subject = ?1 and part = ?2 and fence = ?3 and state in ('pending', 'refused')
                """,
                subject,
                thing.part(),
                fence,
                thing.title());
  }

  boolean isBegun(OutboxRow row, long fence, String ts) {
    return 1
        == update(
            "ts = ?1, updatedAt = instant where id = ?2 and fence = ?3 and ts is null and "
                + HOLDS
                + "?3)",
            ts,
            row.id,
            fence);
  }

  /// What stands in its message now. It is there, until something else is decided.
  boolean shows(OutboxRow row, long fence, String ts, String hash) {
    return 1
        == update(
            """
            state = 'confirmed', ts = ?1, hash = ?2, body = null, updatedAt = instant, confirmedAt = instant
            where id = ?3 and fence = ?4 and
            """
                + HOLDS
                + "?4)",
            ts,
            hash,
            row.id,
            fence);
  }

  List<OutboxRow> begun(String subject) {
    return list("subject = ?1 and streams order by id", subject);
  }

  /// What a text that may have been begun is to become. False when a higher fence was here.
  boolean decide(Address address, String subject, Thing thing, long fence) {
    return put(address, subject, thing, fence)
        && update(
                """
                body = ?4, hash = ?5, state = case when state = 'confirmed' then 'sent' else state end
                where subject = ?1 and part = ?2 and fence = ?3 and streams
                  and (state <> 'confirmed' or hash <> ?5)
                """,
                subject,
                thing.part(),
                fence,
                thing.body().orElse(null),
                thing.hash())
            >= 0;
  }

  /// What was begun and is not among these is to be taken away.
  void letGo(String subject, List<String> kept, long fence) {
    update(
        """
        body = null, state = 'sent'
        where subject = ?1 and streams and fence = ?2 and part not in ?3 and
        """
            + HOLDS
            + "?2)",
        subject,
        fence,
        kept.isEmpty() ? List.of("") : kept);
  }

  /// What never was begun does not have to be taken away.
  void forgetUnbegun(String subject, List<String> kept, long fence) {
    delete(
        """
        subject = ?1 and streams and fence = ?2 and state = 'pending' and ts is null and part not in ?3 and
        """
            + HOLDS
            + "?2)",
        subject,
        fence,
        kept.isEmpty() ? List.of("") : kept);
  }

  /// Its message is gone, and it is to be said anew, as what it is then to become.
  boolean isAnew(OutboxRow row, long fence) {
    return 1
        == update(
            "state = 'pending', ts = null, updatedAt = instant where id = ?1 and fence = ?2 and "
                + HOLDS
                + "?2)",
            row.id,
            fence);
  }

  /// How many rows an earlier holder left.
  int takeOver(String subject, long fence) {
    return update(
        "fence = ?2 where subject = ?1 and fence < ?2 and " + HOLDS + "?2)", subject, fence);
  }

  Optional<OutboxRow> of(String subject, String part) {
    return find("subject = ?1 and part = ?2", subject, part).firstResultOptional();
  }

  /// A channel's id is one of a kind, whatever the workspace.
  Optional<OutboxRow> at(String channel, String ts) {
    return find("channel = ?1 and ts = ?2", channel, ts).firstResultOptional();
  }

  Optional<OutboxRow> at(String team, String channel, String ts) {
    return find("team = ?1 and channel = ?2 and ts = ?3", team, channel, ts).firstResultOptional();
  }

  List<OutboxRow> all(String subject) {
    return list("subject = ?1 order by id", subject);
  }

  boolean isSent(OutboxRow row, long fence) {
    return move(row, fence, SENT, "attempts = attempts + 1", List.of(PENDING, SENT, REFUSED));
  }

  /// The bytes are at Slack and the file waits to be shown.
  boolean isUploaded(OutboxRow row, long fence, String fileId) {
    return move(
        row,
        fence,
        SENT,
        "attempts = attempts + 1, fileId = ?1",
        List.of(PENDING, SENT, REFUSED),
        fileId);
  }

  boolean isNotSaid(OutboxRow row, long fence) {
    return move(row, fence, PENDING, "", List.of(SENT, AMBIGUOUS));
  }

  boolean isNotTried(OutboxRow row, long fence) {
    return move(row, fence, PENDING, "attempts = attempts - 1", List.of(SENT));
  }

  /// A card keeps its body, which is what it still has to become.
  boolean isThere(OutboxRow row, long fence, String ts) {
    var change = "confirmedAt = instant, ts = ?1" + (row.kind.equals(CARD) ? "" : ", body = null");
    return move(row, fence, CONFIRMED, change, OPEN, ts);
  }

  boolean isShown(OutboxRow row, long fence, String fileId) {
    var change = "confirmedAt = instant, fileId = ?1, body = null";
    return move(row, fence, CONFIRMED, change, OPEN, fileId);
  }

  boolean isAmbiguous(OutboxRow row, long fence) {
    return move(row, fence, AMBIGUOUS, "leftOver = true", List.of(SENT, AMBIGUOUS));
  }

  /// @param forGood whether it makes no sense to try the same again
  boolean isRefused(OutboxRow row, long fence, boolean forGood) {
    return move(
        row, fence, REFUSED, forGood ? "body = null, leftOver = false" : "leftOver = true", OPEN);
  }

  /// For a thing that comes after its turn has ended.
  void leave(String subject, String part, long fence) {
    update(
        "leftOver = true where subject = ?1 and part = ?2 and fence = ?3 and " + HOLDS + "?3)",
        subject,
        part,
        fence);
  }

  /// What the card is to be in the end.
  void endCard(String subject, long fence, String body) {
    update(
        "body = ?1 where subject = ?2 and kind = ?3 and fence = ?4 and " + HOLDS + "?4)",
        body,
        subject,
        CARD,
        fence);
  }

  boolean hasEnded(OutboxRow card, long fence) {
    return 1
        == update(
            "body = null, updatedAt = instant where id = ?1 and fence = ?2 and " + HOLDS + "?2)",
            card.id,
            fence);
  }

  boolean isNeedless(OutboxRow row, long fence) {
    return 1
        == delete(
            "id = ?1 and fence = ?2 and state <> ?3 and " + HOLDS + "?2)",
            row.id,
            fence,
            CONFIRMED);
  }

  /// What nobody's turn looks after any more, and was not looked at for some time: longer after each attempt, and no
  /// longer than a day.
  List<OutboxRow> forgotten(int most, Duration again) {
    return getEntityManager()
        .createNativeQuery(
            "select * from outbox where "
                + FORGOTTEN
                + """
                   and updated_at < clock_timestamp()
                                    - least(greatest(attempts, 1), 30) * :again * interval '1 millisecond'
                  order by updated_at
                  limit :most
                  """,
            OutboxRow.class)
        .setParameter("again", again.toMillis())
        .setParameter("most", most)
        .getResultList()
        .stream()
        .map(OutboxRow.class::cast)
        .toList();
  }

  boolean anyForgotten() {
    return !getEntityManager()
        .createNativeQuery("select 1 from outbox where " + FORGOTTEN + " limit 1")
        .getResultList()
        .isEmpty();
  }

  /// Of those who found it forgotten, one gets it; the rest, and whoever had it before, have a fence too low.
  boolean adopt(OutboxRow row) {
    return 1
        == update(
            """
            fence = greatest(fence + 1, function('fence_of' as Long, threadId)), attempts = attempts + 1,
            updatedAt = instant
            where id = ?1 and fence = ?2
            """,
            row.id,
            row.fence);
  }

  private boolean move(OutboxRow row, long fence, String state, String change, List<String> from) {
    return move(row, fence, state, change, from, null);
  }

  private boolean move(
      OutboxRow row,
      long fence,
      String state,
      String change,
      List<String> from,
      @Nullable String value) {
    var query =
        "update OutboxRow r set r.state = :state, r.updatedAt = instant"
            + (change.isEmpty() ? "" : ", " + change.replace("?1", ":value"))
            + " where r.id = :id and r.fence = :fence and r.state in :from and "
            + HOLDS
            + ":fence)";
    var update =
        getEntityManager()
            .createQuery(query)
            .setParameter("state", state)
            .setParameter("id", row.id)
            .setParameter("fence", fence)
            .setParameter("from", from);
    if (value != null) {
      update.setParameter("value", value);
    }
    return 1 == update.executeUpdate();
  }
}
