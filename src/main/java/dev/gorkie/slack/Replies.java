package dev.gorkie.slack;

import dev.gorkie.Deadline;
import dev.gorkie.Happening;
import dev.gorkie.HoldLost;
import dev.gorkie.ThreadKey;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.logbook.Took;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/// Opens the reply of a turn, and looks after what replies left open.
@ApplicationScoped
public class Replies {

  private static final Logger LOG = Logger.getLogger(Replies.class);

  private static final String NOTICE = "notice";
  private static final int NOTICE_TRIES = 3;

  private final SlackApi api;
  private final Outbox outbox;
  private final Budgets budgets;
  private final Logbook logbook;
  private final LiveCard.Pace pace;
  private final LiveAnswer.Pace words;
  private final Status.Pace signs;
  private final Duration settling;
  private final Duration callMax;
  private final Duration resolveAgain;
  private final AtomicBoolean plansRefused = new AtomicBoolean();
  private final AtomicBoolean streamsRefused = new AtomicBoolean();

  Replies(SlackApi api, Outbox outbox, Budgets budgets, Logbook logbook, SlackSettings settings) {
    this.api = api;
    this.outbox = outbox;
    this.budgets = budgets;
    this.logbook = logbook;
    this.pace =
        new LiveCard.Pace(
            settings.cardInterval(),
            settings.cardShare(),
            settings.cardDelay(),
            settings.cardTick());
    this.words =
        new LiveAnswer.Pace(
            settings.streamCharacters(),
            settings.streamDelay(),
            settings.streamInterval(),
            settings.cardInterval().multipliedBy(2),
            settings.streamLife());
    this.signs = new Status.Pace(settings.sessionRenewedEvery(), settings.statusRenewedEvery());
    this.settling = settings.readBackPause();
    this.callMax = settings.callTimeout();
    this.resolveAgain = settings.resolveAgain();
  }

  /// Nobody who spoke for a subject before changes anything of it any more. Whether somebody did. Only inside a transaction of the
  /// caller's.
  public boolean takeOver(String subject, Hold hold) {
    return outbox.takeOver(subject, hold.fence()) || hold.lapsed().isPresent();
  }

  /// For a subject that begins or goes on, with what was said of it before. Whatever waits for Slack waits no longer
  /// than until the deadline.
  ///
  /// @param begun when the work began, whoever did it first
  /// @param isSuccessor whether it was taken over from somebody
  public Reply open(
      Address address,
      String subject,
      Instant begun,
      Hold hold,
      boolean isSuccessor,
      Deadline deadline) {
    var line = line(address, hold);
    var ledger = outbox.ledger(address, subject, hold.fence());
    var posts = new Posts(line, address);
    var speaker = new Speaker(ledger, posts, settling);
    var streams = new Streams(ledger, posts, speaker, settling);
    var uploads = new Uploads(line, address, ledger, settling);
    var card = new LiveCard(ledger, posts, speaker, line, pace, begun, deadline, plansRefused);
    var answer = new LiveAnswer(ledger, streams, card, words, streamsRefused);
    return new Reply(
        ledger,
        line,
        new Delivery(ledger, posts, speaker, streams, uploads),
        uploads,
        LiveCard.start(card),
        isSuccessor ? LiveAnswer.takenOver(answer) : answer,
        new Status(line, address, signs, isSuccessor ? _ -> {} : this::showed),
        deadline,
        address.isDirect(),
        isSuccessor);
  }

  private void showed(Address address) {
    logbook.took(Took.FIRST_SIGN, Duration.between(address.written(), Instant.now()));
  }

  /// A question beside what a turn says, for whoever has the thread.
  public Question question(Address address, Question.Asked asked, Hold hold, Deadline deadline) {
    var line = line(address, hold);
    var ledger = outbox.ledger(address, asked.id(), hold.fence());
    var posts = new Posts(line, address);
    var speaker = new Speaker(ledger, posts, settling);
    var streams = new Streams(ledger, posts, speaker, settling);
    var uploads = new Uploads(line, address, ledger, settling);
    return new Question(
        ledger,
        line,
        new Delivery(ledger, posts, speaker, streams, uploads),
        speaker,
        deadline,
        asked);
  }

  /// The thread of a message of ours.
  public Optional<String> rootOf(String team, String channel, String ts) {
    return outbox.rootOf(team, channel, ts);
  }

  /// What was said in the thread, or was to be, is forgotten; what stands in Slack is Slack's. Only inside a transaction of the
  /// caller's.
  public void forget(ThreadKey thread) {
    outbox.forget(thread);
  }

  /// What was to be said in a thread and what became of it, for whoever looks into it; not what it was.
  public List<Happening> story(ThreadKey thread) {
    return outbox.story(thread);
  }

  /// The thread of a message of ours, by its key.
  public Optional<ThreadKey> threadOf(String channel, String ts) {
    return outbox.threadOf(channel, ts);
  }

  /// For one person's eyes, as the answer to a slash command.
  public void respond(Slash command, String markdown) {
    api.respond(command.answerTo(), answer(markdown));
  }

  static String answer(String markdown) {
    return SafeText.escape(Links.addresses(SafeText.disarm(markdown)))
        .replace("![", "[")
        .replace("**", "*");
  }

  /// For one person's eyes, and lost where it does not arrive: it is about something the person has just tried.
  public void whisper(String team, String channel, String threadTs, String user, String text) {
    var form =
        Map.of(
            "channel", channel, "thread_ts", threadTs, "user", user, "text", Content.notice(text));
    var result = api.call(team, "chat.postEphemeral", form, Wire.Answer.class);
    LOG.debugf("Told %s in %s: %s", user, channel, result);
  }

  /// Writes down one thing to be said that is part of no turn. Only inside a transaction of the caller's: from its end on
  /// it will be said, by `say` or, when that never comes, by whoever looks after what was left over.
  public void note(Address address, String subject, String markdown) {
    outbox.note(address, subject, Delivery.text(NOTICE, Markdown.neutralise(markdown)));
  }

  /// The same for a person, who is named ahead of it where others read along.
  public void note(Address address, String subject, String named, String markdown) {
    var ahead = named.isEmpty() || address.isDirect() ? "" : Mention.of(named);
    outbox.note(address, subject, Delivery.text(NOTICE, ahead + Markdown.neutralise(markdown)));
  }

  /// The same of a list with buttons.
  public void note(Address address, String subject, Listing listing) {
    var body = listing.content().written();
    outbox.note(
        address,
        subject,
        new OutboxRows.Thing(NOTICE, OutboxRow.LIST, "", Optional.of(body), Hash.of(body)));
  }

  /// The same in a transaction of its own.
  public void noteNow(Address address, String subject, String markdown) {
    outbox.noteNow(address, subject, Delivery.text(NOTICE, Markdown.neutralise(markdown)));
  }

  /// The same, and says it.
  public void tell(Address address, String subject, String markdown) throws InterruptedException {
    noteNow(address, subject, markdown);
    say(subject);
  }

  /// Says what was noted, unless it was said.
  public void say(String subject) throws InterruptedException {
    // Whoever takes the thread over meanwhile takes this row's fence past us; what is there is
    // found again.
    for (var tries = 0; tries < NOTICE_TRIES; tries++) {
      var noted =
          outbox
              .find(subject, NOTICE)
              .filter(row -> row.is(OutboxRow.PENDING) || row.is(OutboxRow.SENT));
      if (noted.isEmpty()) {
        return;
      }
      var adopted = outbox.adopt(noted.get());
      if (adopted.isPresent()) {
        resolve(adopted.get());
      }
    }
  }

  /// Looks after what is left over: what nobody could tell of, what Slack did not take then, a card that was not brought
  /// to its end. What was looked at is left alone for some minutes.
  public void resolve(int most) throws InterruptedException {
    for (var forgotten : outbox.forgotten(most, resolveAgain)) {
      var adopted = outbox.adopt(forgotten);
      if (adopted.isPresent()) {
        resolve(adopted.get());
      }
    }
  }

  /// Whether there is anything to look after.
  public boolean haveLeftovers() {
    return outbox.isAnythingLeft();
  }

  private void resolve(OutboxRow row) throws InterruptedException {
    var address = row.address();
    // Nobody waits for it, and the next look is not far.
    var deadline = Deadline.in(settling.multipliedBy(10));
    var line = line(address, new Adopted(row.fence, Instant.now().plus(resolveAgain)));
    var ledger = outbox.ledger(address, row.subject, row.fence);
    var posts = new Posts(line, address);
    var speaker = new Speaker(ledger, posts, settling);
    var delivery =
        new Delivery(
            ledger,
            posts,
            speaker,
            new Streams(ledger, posts, speaker, settling),
            new Uploads(line, address, ledger, settling));
    var patience = new Patience(deadline, line);
    try {
      if (row.kind.equals(OutboxRow.CARD)) {
        delivery.finishCard(Optional.empty(), patience);
      } else {
        delivery.one(row, patience);
      }
      var now = ledger.find(row.part).map(it -> it.state).orElse("gone");
      LOG.infof("%s of %s was %s and is %s", row.part, row.subject, row.state, now);
    } catch (HoldLost lost) {
      LOG.infof("%s of %s took too long: %s", row.part, row.subject, lost.getMessage());
    }
  }

  private Line line(Address address, Hold hold) {
    return new Line(api, budgets, address.team(), hold, callMax);
  }

  /// One row in the hands of whoever looks after it, until the next one may.
  private record Adopted(long fence, Instant until) implements Hold {

    @Override
    public boolean lasts(Duration atLeast) {
      return Instant.now().plus(atLeast).isBefore(until);
    }

    @Override
    public Optional<Instant> lapsed() {
      return Optional.empty();
    }

    @Override
    public int turns() {
      return 1;
    }
  }
}
