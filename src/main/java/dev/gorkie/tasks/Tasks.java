package dev.gorkie.tasks;

import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.policy.Policy;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.FollowUp;
import dev.gorkie.slack.Listing;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.People;
import dev.gorkie.slack.Pressed;
import dev.gorkie.slack.Replies;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// Plans, lists and cancels tasks, and does what is due: once, and late rather than not at all.
@ApplicationScoped
public class Tasks {

  /// So many may one person have.
  public static final int OF_PERSON_MAX = 20;

  /// More often than this nobody reads it.
  static final Duration SHORTEST = Duration.ofMinutes(30);

  /// From then on people want to know why they hear of it only now.
  static final Duration LATE = Duration.ofMinutes(10);

  private static final Logger LOG = Logger.getLogger(Tasks.class);

  private static final Duration FARTHEST = Duration.ofDays(366);
  private static final int WHAT_CHARACTERS_MAX = 1_000;
  private static final String ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int ID_LENGTH = 10;
  // As many as one look may do; the next one does the rest.
  private static final int DUE_MAX = 50;
  // Where Slack could not be asked whether somebody is still there.
  private static final Duration TRIED_AGAIN = Duration.ofMinutes(1);
  private static final Duration KEPT = Duration.ofDays(30);

  private final Database database;
  private final TaskRows rows;
  private final Inbox inbox;
  private final Replies replies;
  private final People people;
  private final Conversations conversations;
  private final Policy policy;
  private final SecureRandom random = new SecureRandom();

  @Inject
  Tasks(
      Database database,
      TaskRows rows,
      Inbox inbox,
      Replies replies,
      People people,
      Conversations conversations,
      Policy policy) {
    this.database = database;
    this.rows = rows;
    this.inbox = inbox;
    this.replies = replies;
    this.people = people;
    this.conversations = conversations;
    this.policy = policy;
  }

  /// What the agent wants to have planned.
  ///
  /// @param dialogue in which it asked; asked twice, it is the same task
  /// @param asking the message for which it does it, by whose author it is wanted
  /// @param plain whether it is only said, and nothing is done
  /// @param at by the clocks of that zone, or with an offset of its own; or `cron`
  public record Wish(
      ThreadKey thread,
      long fence,
      String dialogue,
      MessageEvent asking,
      String what,
      boolean plain,
      Optional<String> at,
      Optional<String> cron,
      Optional<String> zone) {}

  /// What becomes of a wish, in a sentence.
  public record Answer(boolean planned, String sentence) {

    private static Answer no(String sentence) {
      return new Answer(false, sentence);
    }
  }

  public Answer plan(Wish wish) {
    if (wish.asking().isPrograms()) {
      return Answer.no("A program has asked for this, and only people may plan something.");
    }
    var zone = zone(wish);
    if (zone.isEmpty()) {
      return Answer.no("I know no time zone of this name; one is called like Europe/Berlin.");
    }
    if (wish.what().length() > WHAT_CHARACTERS_MAX) {
      return Answer.no("What is to be done takes at most 1,000 characters.");
    }
    if (wish.at().isPresent() == wish.cron().isPresent()) {
      return Answer.no("Say either when (at) or how it comes round (cron).");
    }
    var now = Instant.now();
    var due =
        wish.at().isPresent()
            ? at(wish.at().get(), zone.get())
            : Round.read(wish.cron().orElseThrow(), zone.get()).flatMap(round -> round.next(now));
    if (due.isEmpty()) {
      return Answer.no(
          wish.at().isPresent()
              ? "That is no time. One looks like 2026-01-31T09:00."
              : "That comes never, or is not cron's five fields: minute, hour, day, month, weekday.");
    }
    if (!due.get().isAfter(now) || due.get().isAfter(now.plus(FARTHEST))) {
      return Answer.no("That time is over, or more than a year away.");
    }
    if (wish.cron().isPresent()
        && Round.read(wish.cron().get(), zone.get())
            .filter(round -> round.shortest(now).compareTo(SHORTEST) < 0)
            .isPresent()) {
      return Answer.no("That comes round too often: at most every 30 minutes.");
    }
    return plan(wish, zone.get(), due.get());
  }

  private Answer plan(Wish wish, ZoneId zone, Instant due) {
    return database.transaction(
        () -> {
          rows.lock(wish.thread().team(), wish.asking().user());
          var known = rows.askedAs(wish.thread(), wish.dialogue());
          if (known.isPresent()) {
            return new Answer(true, Words.planned(known.get()));
          }
          if (rows.countOf(wish.thread().team(), wish.asking().user()) >= OF_PERSON_MAX) {
            return Answer.no(
                "This person has %d things planned already, and no more may be. Cancel one first."
                    .formatted(OF_PERSON_MAX));
          }
          var task = new TaskRow();
          task.taskId = newId();
          task.owner = wish.asking().user();
          task.what = wish.what().replace('\0', '\ufffd');
          task.plain = wish.plain();
          task.cron = wish.cron().orElse(null);
          task.zone = zone.getId();
          task.dueAt = due;
          if (!rows.insert(wish, task)) {
            return Answer.no("Somebody else goes on with this conversation.");
          }
          LOG.infof("Thread %s: %s is planned for %s", wish.thread(), task.taskId, due);
          return new Answer(true, Words.planned(task));
        });
  }

  /// Whoever names none means the clock at which the person looks.
  private Optional<ZoneId> zone(Wish wish) {
    var name =
        wish.zone()
            .or(
                () ->
                    people
                        .profile(wish.thread().team(), wish.asking().user())
                        .map(People.Profile::timeZone)
                        .filter(zone -> !zone.isEmpty()))
            .orElse("UTC");
    try {
      return Optional.of(ZoneId.of(name));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> at(String at, ZoneId zone) {
    try {
      return Optional.of(LocalDateTime.parse(at).atZone(zone).toInstant());
    } catch (DateTimeParseException _) {
      return withOffset(at);
    }
  }

  private static Optional<Instant> withOffset(String at) {
    try {
      return Optional.of(OffsetDateTime.parse(at).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private String newId() {
    return "task-"
        + random
            .ints(ID_LENGTH, 0, ID_CHARACTERS.length())
            .mapToObj(at -> ID_CHARACTERS.substring(at, at + 1))
            .collect(Collectors.joining());
  }

  /// For the agent: what is planned in this conversation.
  public String list(ThreadKey thread) {
    return Words.list(database.transaction(() -> rows.inThread(thread)));
  }

  /// For people: what is planned in this conversation, and in a direct one all that is the person's.
  public Listing listing(ThreadKey thread, String user) {
    return Words.listing(
        database.transaction(
            () -> thread.isDirect() ? rows.ofPerson(thread.team(), user) : rows.inThread(thread)));
  }

  /// For the person alone.
  public List<Listing.Line> ofPerson(String team, String user) {
    return Words.lines(database.transaction(() -> rows.ofPerson(team, user)));
  }

  /// For the agent, which reaches what is planned in its own conversation.
  public boolean cancel(ThreadKey thread, String id) {
    return database.transaction(
        () ->
            rows.of(id).filter(task -> task.threadId.equals(thread.toString())).isPresent()
                && rows.isEnded(id, TaskRow.CANCELLED));
  }

  /// By a button: whose it is may cancel it anywhere, and whoever reads along where it is done. In that place it is said.
  ///
  /// @return under what it is to be said, where it was not cancelled before
  public Optional<String> cancel(Pressed pressed) {
    return database.transaction(
        () -> {
          var task = rows.of(pressed.id()).filter(it -> mayCancel(it, pressed));
          if (task.isEmpty() || !rows.isEnded(pressed.id(), TaskRow.CANCELLED)) {
            return Optional.empty();
          }
          var subject = "cancel-" + pressed.id();
          replies.note(task.get().address(), subject, Words.cancelled(task.get()));
          return Optional.of(subject);
        });
  }

  private static boolean mayCancel(TaskRow task, Pressed pressed) {
    return task.team.equals(pressed.team())
        && (task.owner.equals(pressed.user())
            || task.channel.equals(pressed.channel()) && task.rootTs.equals(pressed.threadTs()));
  }

  /// Nothing is kept of the thread's. Only inside a transaction of the caller's.
  public void forget(ThreadKey thread) {
    rows.forget(thread);
  }

  /// When the next one is due, if there is one.
  public Optional<Instant> next() {
    return database.transaction(rows::next);
  }

  /// The threads to wake, and under what something is to be said.
  public record Done(List<ThreadKey> woken, List<String> subjects) {}

  /// Does what is due now.
  public Done fire() {
    var woken = new ArrayList<ThreadKey>();
    var subjects = new ArrayList<String>();
    var due =
        database.transaction(
            () -> {
              rows.forget(KEPT);
              return rows.due(DUE_MAX, TRIED_AGAIN);
            });
    for (var task : due) {
      try {
        fire(task, woken, subjects);
      } catch (Failure failure) {
        LOG.warnf("%s waits: %s", task.taskId, failure.getMessage());
      }
    }
    return new Done(woken, subjects);
  }

  private void fire(TaskRow task, List<ThreadKey> woken, List<String> subjects) {
    var isThere = isOwnerThere(task);
    var name = isThere ? "" : people.displayName(task.team, task.owner);
    var now = Instant.now();
    database.transaction(
        () -> {
          // From now on: what was missed meanwhile is done once and not as often as it was missed.
          var next =
              isThere ? task.round().flatMap(round -> round.next(now)) : Optional.<Instant>empty();
          if (!isThere) {
            if (rows.isEnded(task.taskId, TaskRow.NO_ACCESS)) {
              subjects.add(note(task, "gone", "", Words.withoutAccess(task, name)));
            }
          } else if (rows.isDone(task, next)) {
            if (task.plain) {
              subjects.add(
                  note(
                      task,
                      Long.toString(task.dueAt.getEpochSecond()),
                      task.owner,
                      Words.reminder(task, now)));
            } else {
              inbox.followUp(followUp(task, now));
              woken.add(task.thread());
            }
          }
          return true;
        });
  }

  private String note(TaskRow task, String part, String named, String text) {
    var subject = task.taskId + "-" + part;
    replies.note(task.address(), subject, named, text);
    return subject;
  }

  private static FollowUp followUp(TaskRow task, Instant now) {
    return new FollowUp(
        task.app,
        task.team,
        task.channel,
        task.rootTs,
        task.owner,
        task.taskId.replace("-", "") + "at" + task.dueAt.getEpochSecond(),
        Words.due(task, now));
  }

  /// Whether the person is in the workspace and, where not everybody is, in the channel; so are we, and we may work for the person
  /// there.
  private boolean isOwnerThere(TaskRow task) {
    var direct = task.thread().isDirect();
    return policy.mayGoOn(task.team, task.owner, task.channel, direct)
        && (direct || conversations.isReadBy(task.team, task.channel, task.owner));
  }
}
