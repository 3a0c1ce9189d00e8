package dev.gorkie.inbox;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.slack.FollowUp;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.SlackEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Takes each message in once, and gives what waits in a thread to one turn at a time.
@ApplicationScoped
public class Inbox {

  private static final int FOLLOW_UP_TRIES = 100;
  private static final long NO_TURN = 0;

  private final Database database;
  private final InboxRows rows;
  private final ThreadRows threads;
  private final Lease lease;
  // In a server a message and the turn it concerns are in one process; then nobody has to wait for
  // the next look.
  private final Mailboxes mailboxes;
  // Who stands in line here for which thread: whoever else is woken for it need not.
  private final Map<ThreadKey, Object> coming = new ConcurrentHashMap<>();

  @Inject
  Inbox(Database database, InboxRows rows, ThreadRows threads, Lease lease) {
    this.database = database;
    this.rows = rows;
    this.threads = threads;
    this.lease = lease;
    this.mailboxes =
        new Mailboxes(
            turns -> database.transaction(() -> rows.waiting(turns)), lease.lookedEvery());
  }

  /// A turn that has not come to its end by now looks into no tables any more: they may be those of an application that comes after, where
  /// one is loaded anew.
  @PreDestroy
  void end() {
    mailboxes.end();
  }

  boolean hasEnded() {
    return mailboxes.haveEnded();
  }

  /// Once this returns the delivery is durable. However often and in whatever form it comes, it counts once. What changes
  /// or takes back a message that nobody works on yet is applied here and now.
  public Accepted accept(SlackEvent event, byte[] payload) {
    var accepted =
        database.transaction(
            () ->
                switch (event) {
                  case SlackEvent.Said(var said) -> said(said, payload);
                  case SlackEvent.Edited(var edited, var at) -> edited(edited, at, payload);
                  case SlackEvent.Deleted(var team, var channel, var ts, var was) ->
                      takenBack(team, channel, ts, was);
                  case SlackEvent.Decided _,
                      SlackEvent.Chosen _,
                      SlackEvent.Stopping _,
                      SlackEvent.Slashed _,
                      SlackEvent.Visited _,
                      SlackEvent.Looking _,
                      SlackEvent.Joining _,
                      SlackEvent.UrlVerification _,
                      SlackEvent.Ignored _,
                      SlackEvent.Unknown _,
                      SlackEvent.Malformed _ ->
                      Accepted.NOT_FOR_US;
                });
    event.thread().ifPresent(mailboxes::nudge);
    return accepted;
  }

  /// A command is taken in to be obeyed by the caller, once and for all. Only inside a transaction of the caller's.
  public Accepted takeIn(MessageEvent command) {
    if (!isAddressed(command)) {
      return Accepted.NOT_FOR_US;
    }
    return rows.insertObeyed(command.threadKey(), command) ? Accepted.OBEYED : Accepted.KNOWN;
  }

  /// Something that nobody wrote waits for a turn of its own. Only inside a transaction of the caller's; false when it is known.
  public boolean followUp(FollowUp followUp) {
    var at = Instant.now();
    // Another message may have been written in this very microsecond.
    for (var tries = 0; tries < FOLLOW_UP_TRIES; tries++) {
      var payload = followUp.delivery(at.plus(tries, ChronoUnit.MICROS));
      var event = SlackEvent.read(payload).written().orElseThrow();
      if (rows.insert(event.threadKey(), event, payload)) {
        return true;
      }
      if (rows.knowsEvent(event)) {
        return false;
      }
    }
    throw new IllegalStateException("There is no moment for " + followUp.id());
  }

  /// It needs no turn any more, unless it has begun one. Only inside a transaction of the caller's.
  public void forgetFollowUp(ThreadKey thread, String id) {
    rows.forgetFollowUp(thread, id);
  }

  /// From now on we are spoken to here by name or not at all. Only inside a transaction of the caller's.
  public void leave(ThreadKey thread) {
    threads.unfollow(thread);
  }

  /// From now on we follow no thread of this channel. Only inside a transaction of the caller's.
  public void leaveChannel(String team, String channel) {
    threads.unfollowAll(team, channel);
  }

  /// From now on we are spoken to here by name or not at all, if the thread is still this worker's.
  public boolean leaveNow(ThreadKey thread, long fence) {
    return database.transaction(() -> threads.unfollow(thread, fence));
  }

  /// Until then nobody need look after this thread unless something comes in. Only inside a transaction of the caller's;
  /// false when something has come in already, or the thread is another worker's.
  ///
  /// @param onlyStop whether of what comes in nothing but a stop counts
  public boolean suspend(ThreadKey thread, long fence, Instant until, boolean onlyStop) {
    return threads.suspend(thread, fence, until, onlyStop);
  }

  /// What the thread waited for has come. Only inside a transaction of the caller's.
  public void resume(ThreadKey thread) {
    threads.resume(thread);
  }

  /// Threads that wait for a person.
  public List<ThreadKey> suspended(int most) {
    return database.transaction(() -> threads.suspended(most));
  }

  /// Whether it would be taken in: it speaks to us, or is said in a thread that we follow.
  public boolean concerns(MessageEvent event) {
    return event.mentionsUs() || event.direct() || database.transaction(() -> isHeard(event));
  }

  private boolean isHeard(MessageEvent event) {
    var thread = event.threadKey();
    return event.isOrder() ? threads.knows(thread) : threads.follows(thread);
  }

  private boolean isAddressed(MessageEvent event) {
    var thread = event.threadKey();
    if (event.mentionsUs() || event.direct()) {
      // A mention that begins a thread invites us for good, one in the middle only this once.
      threads.open(thread, event.invites());
      return true;
    }
    return isHeard(event);
  }

  private Accepted said(MessageEvent event, byte[] payload) {
    var thread = event.threadKey();
    if (!isAddressed(event)) {
      return Accepted.NOT_FOR_US;
    }
    if (rows.insert(thread, event, payload)) {
      return threads.waitsForPerson(thread) ? Accepted.HELD_UP : Accepted.WAITING;
    }
    rows.replaceIfFuller(event, payload);
    return Accepted.KNOWN;
  }

  // An edit or a deletion may overtake its message, or meet it halfway: then what did not find it
  // waits for it at the unique key, and finds it the second time.

  private Accepted edited(MessageEvent event, String at, byte[] payload) {
    if (event.isAside()) {
      return takenBack(event.team(), event.channel(), event.ts(), Optional.of(event));
    }
    if (rows.edit(event, at, payload)) {
      return Accepted.CHANGED;
    }
    if (!rows.knows(event.team(), event.channel(), event.ts())) {
      // It may have been turned into a message for us just now.
      var accepted = said(event, payload);
      if (accepted != Accepted.KNOWN) {
        return accepted;
      }
    }
    return rows.edit(event, at, payload) ? Accepted.CHANGED : Accepted.KNOWN;
  }

  private Accepted takenBack(
      String team, String channel, String ts, Optional<MessageEvent> message) {
    if (rows.withdraw(team, channel, ts)) {
      return Accepted.CHANGED;
    }
    var was = message.filter(this::isForUs);
    var isMet = was.isPresent() && !rows.insertWithdrawn(was.get().threadKey(), was.get());
    return isMet && rows.withdraw(team, channel, ts) ? Accepted.CHANGED : Accepted.NOT_FOR_US;
  }

  private boolean isForUs(MessageEvent event) {
    var thread = event.threadKey();
    if (event.mentionsUs() || event.direct()) {
      threads.open(thread, false);
      return true;
    }
    return threads.follows(thread);
  }

  /// A turn whose worker died before he was done with it, else what waits in the thread longest, with all that waits under the same
  /// root, for this worker alone. Empty when nothing waits, another worker has the thread, or somebody in this process stands in line for
  /// it; or when time is up.
  public Optional<Claim> claim(ThreadKey thread, Deadline deadline) {
    var me = new Object();
    if (coming.putIfAbsent(thread, me) != null) {
      return Optional.empty();
    }
    try {
      return database
          .transactionToBegin(
              deadline,
              () -> {
                // Whoever comes from here on may have brought what the tables do not show yet.
                coming.remove(thread, me);
                return deadline.isOver() || hasEnded()
                    ? Optional.<Claimed>empty()
                    : claimed(thread);
              })
          .map(claimed -> Claim.of(thread, claimed, this));
    } finally {
      coming.remove(thread, me);
    }
  }

  private Optional<Claimed> claimed(ThreadKey thread) {
    threads.lock(thread);
    // What was left goes first: it is done in a moment, and what comes next would hide it.
    var turn = threads.turnLeft(thread, lease.lasts()).or(() -> rows.nextTurn(thread));
    if (turn.isEmpty()) {
      return Optional.empty();
    }
    var owner = lease.newOwner();
    var term = Term.of(lease.lasts());
    return threads
        .takeLease(thread, owner, lease.lasts(), turn)
        .map(taken -> claimed(owner, term, turn.get(), taken));
  }

  private Claimed claimed(String owner, Term term, long turn, ThreadRows.Taken taken) {
    var open = rows.claim(turn, taken.fence());
    return new Claimed(
        owner,
        term,
        taken.fence(),
        turn,
        open.isEmpty() ? rows.of(turn) : open,
        open.isEmpty(),
        taken.lapsedFor(),
        taken.unread(),
        taken.turns());
  }

  /// From now on there is such a thread, whether or not anything waits in it. Only inside a transaction of the caller's.
  public void open(ThreadKey thread) {
    threads.open(thread, false);
  }

  /// The thread for something that no message asks for. Empty while another worker has it, and where there is none.
  public Optional<Tenure> hold(ThreadKey thread) {
    return database
        .transaction(
            () -> {
              threads.lock(thread);
              var owner = lease.newOwner();
              var term = Term.of(lease.lasts());
              return threads
                  .takeLease(thread, owner, lease.lasts(), Optional.empty())
                  .map(
                      taken ->
                          new Claimed(
                              owner,
                              term,
                              taken.fence(),
                              NO_TURN,
                              List.of(),
                              false,
                              taken.lapsedFor(),
                              taken.unread(),
                              taken.turns()));
            })
        .map(claimed -> Tenure.of(thread, claimed, this));
  }

  Mailbox openMailbox(ThreadKey thread, Claimed claimed) {
    return mailboxes.open(thread, claimed.turn());
  }

  void close(ThreadKey thread, Mailbox mailbox) {
    mailboxes.close(thread, mailbox);
  }

  Set<String> known(String team, String channel, List<String> all) {
    return all.isEmpty() ? Set.of() : database.transaction(() -> rows.known(team, channel, all));
  }

  List<Message> take(Claimed claimed) {
    return database.transaction(() -> rows.take(claimed.turn(), claimed.fence()));
  }

  List<Message> give(ThreadKey thread, Claimed claimed) {
    return database.transaction(() -> rows.give(claimed.turn(), thread, claimed.fence()));
  }

  /// Threads where something waits, or was left in the middle, and nobody works or stands in line here.
  ///
  /// @param onTheWay for how long somebody may be on the way to what was taken in
  public List<ThreadKey> abandoned(Duration onTheWay, int most) {
    var stoodFor = Set.copyOf(coming.keySet());
    var all = most + stoodFor.size();
    return database.transaction(() -> threads.abandoned(onTheWay, lease.lasts(), all)).stream()
        .filter(thread -> !stoodFor.contains(thread))
        .limit(most)
        .toList();
  }

  /// For how long the message that waits longest has waited, of those in threads where nobody works; nothing when none waits.
  public Duration oldestWaiting() {
    return database.transaction(threads::oldestAbandoned);
  }

  /// Whether somebody works on a thread, or should.
  public boolean isAnyUnderWay() {
    return database.transaction(
        () -> threads.anyHeld() || !threads.abandoned(Duration.ZERO, lease.lasts(), 1).isEmpty());
  }

  /// Whether nothing waits and nothing was settled for that long.
  public boolean isQuiet(Duration since) {
    return database.transaction(() -> !rows.anyOpenSince(since));
  }

  /// Whether nothing waits in the thread and nobody works on it.
  public boolean isAtRest(ThreadKey thread) {
    return database.transaction(() -> threads.isAtRest(thread));
  }

  /// How many threads of a workspace are being worked on.
  public int atWork(String team) {
    return database.transaction(() -> threads.held(team));
  }

  /// The thread of a message that came to us, if one did.
  public Optional<String> rootOf(String team, String channel, String ts) {
    return database.transaction(() -> rows.rootOf(team, channel, ts));
  }

  /// How often programs were heard in the message's thread before it, since a person was last.
  public Heard programsBefore(MessageEvent event) {
    return database.transaction(() -> rows.programs(event.threadKey(), event.ts()));
  }

  /// How often the message's author, a program, was heard in the hour before it.
  public Heard heardBefore(MessageEvent event) {
    return database.transaction(() -> rows.program(event.team(), event.user(), event.ts()));
  }

  /// What the message's author has us do just now.
  public UnderWay underWay(MessageEvent event) {
    return database.transaction(
        () -> rows.underWay(event.threadKey(), event.user(), event.channel(), event.ts()));
  }

  /// How many messages wait in the thread for a turn of their own or one that runs.
  public int waiting(ThreadKey thread) {
    return database.transaction(() -> rows.countWaiting(thread));
  }

  /// Some threads of a workspace.
  public List<ThreadKey> threadsOf(String team, int most) {
    return database.transaction(() -> threads.of(team, most));
  }

  /// Some of those in which this person wrote to us.
  public List<ThreadKey> threadsOf(String team, String user, int most) {
    return database.transaction(() -> threads.with(team, user, most));
  }

  /// Nobody works on this thread for so long, and whoever does is let go. How long that one may still believe that it has the
  /// thread, if anybody does.
  public Optional<Duration> withhold(ThreadKey thread, Duration most) {
    return database.transaction(() -> threads.withhold(thread, most));
  }

  /// Only inside a transaction of the caller's, and after all that belongs to the thread elsewhere.
  public void forget(ThreadKey thread) {
    rows.remove(thread);
    threads.remove(thread);
  }

  public boolean knows(ThreadKey thread) {
    return database.transaction(() -> threads.isThere(thread));
  }

  /// How many threads of the workspace are being worked on; empty when this one is another worker's.
  OptionalInt renew(ThreadKey thread, Claimed claimed) {
    return threads.renewLease(thread, claimed.owner(), claimed.fence(), lease.lasts());
  }

  Lease lease() {
    return lease;
  }

  boolean settle(ThreadKey thread, Claimed claimed, String outcome) {
    return database.transaction(
        () -> rows.settle(claimed.turn(), outcome, thread, claimed.fence()));
  }

  /// @param done whether nobody has to come back to what was in hand
  void release(ThreadKey thread, Claimed claimed, boolean done) {
    database.transaction(
        () -> threads.releaseLease(thread, claimed.owner(), claimed.fence(), done));
  }

  /// The same, and this was none of the times that the work was begun.
  void releaseForgiven(ThreadKey thread, Claimed claimed, boolean done) {
    database.transaction(
        () -> {
          // Once: whoever tries again may not have heard that it was done.
          var isOurs = threads.releaseLease(thread, claimed.owner(), claimed.fence(), done);
          if (isOurs) {
            rows.forgive(claimed.turn(), thread, claimed.fence());
          }
          return isOurs;
        });
  }

  /// A claim as the tables know it.
  ///
  /// @param over whether all messages have their outcome
  record Claimed(
      String owner,
      Term term,
      long fence,
      long turn,
      List<Message> messages,
      boolean over,
      Optional<Duration> lapsedFor,
      Optional<String> unread,
      int turns) {}
}
