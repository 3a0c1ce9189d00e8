package dev.gorkie.inbox;

import dev.gorkie.ThreadKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// A thread's waiting messages in one worker's hands. A heartbeat holds it; whoever comes after has a higher fence.
public final class Claim implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Claim.class);

  // What failed once is tried again sooner than what went well.
  private static final int TRIES_BETWEEN_RENEWALS = 10;

  private final ThreadKey thread;
  private final Inbox.Claimed claimed;
  private final Inbox inbox;
  private final Mailbox mailbox;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Instant begun = Instant.now();
  private volatile Term term;
  private volatile int turns;
  private volatile boolean forgiven;
  private volatile boolean done;
  private volatile boolean stopHeard;

  private Claim(ThreadKey thread, Inbox.Claimed claimed, Inbox inbox) {
    this.thread = thread;
    this.claimed = claimed;
    this.inbox = inbox;
    this.mailbox = inbox.openMailbox(thread, claimed);
    this.term = claimed.term();
    this.turns = claimed.turns();
  }

  static Claim of(ThreadKey thread, Inbox.Claimed claimed, Inbox inbox) {
    var claim = new Claim(thread, claimed, inbox);
    Thread.ofVirtual().name("heartbeat " + thread).start(claim::renewUntilClosed);
    return claim;
  }

  public ThreadKey thread() {
    return thread;
  }

  /// The same for every worker that takes this work over.
  public long turn() {
    return claimed.turn();
  }

  public long fence() {
    return claimed.fence();
  }

  /// What began the turn, and then what steers it; each in the order in which it was written.
  public List<Message> messages() {
    return claimed.messages();
  }

  /// Behind which message what was written in the thread is news to us; all of it is where this is empty text. Not there where every
  /// message comes to us anyway.
  public Optional<String> unread() {
    return claimed.unread();
  }

  /// Which of these messages came to us, whatever became of them.
  public Set<String> known(String channel, List<String> all) {
    return inbox.known(thread.team(), channel, all);
  }

  /// Whether all of it has its outcome, and only what its worker left is to be brought to an end.
  public boolean isOver() {
    return claimed.over();
  }

  /// The stop that a worker before us took, and died with.
  public Optional<Message> stopTaken() {
    return isOver()
        ? Optional.empty()
        : messages().stream().filter(message -> message.isStop() && message.steers()).findFirst();
  }

  /// Nothing of the turn is left to do. Until then somebody comes back to it, whatever breaks off.
  public void finish() {
    done = true;
  }

  /// What broke off is nothing that the messages could be blamed for: it is not among the times that this work was begun.
  public void forgive() {
    forgiven = true;
  }

  /// How often this work was begun, this time included.
  public int attempts() {
    return claimed.messages().stream().mapToInt(Message::attempts).max().orElse(1);
  }

  /// Whether this worker still has the thread, as far as it can know without asking.
  public boolean isHeld() {
    return isHeldFor(Duration.ZERO);
  }

  /// Whether this worker has the thread for so long at least, even if the lease is not renewed any more.
  public boolean isHeldFor(Duration atLeast) {
    return term.lasts(atLeast);
  }

  /// When the lease of the worker before lapsed; empty when it was given back.
  public Optional<Instant> lapsed() {
    return claimed.lapsedFor().map(begun::minus);
  }

  /// How many turns were at work in this workspace when the lease was last taken or renewed, this one among them.
  public int turns() {
    return turns;
  }

  /// Whether the thread is this worker's by the database's word; if so, the lease is renewed by it.
  public boolean isOurs() {
    var atWork = inbox.renew(thread, claimed);
    atWork.ifPresent(count -> turns = count);
    return atWork.isPresent();
  }

  /// What Pi is to be given first, as it reads by now: from here on it can be neither changed nor taken back. None when all of
  /// it was taken back, or another worker has taken over.
  public List<Message> give() {
    return inbox.give(thread, claimed).stream().filter(message -> !message.steers()).toList();
  }

  /// What came in for this turn since it began, in the order in which it was written.
  public List<Message> mail() {
    if (!mailbox.seen().anything()) {
      return List.of();
    }
    // Emptied first: what comes in meanwhile is seen at the next look.
    mailbox.emptied();
    var taken = inbox.take(claimed);
    if (taken.stream().anyMatch(Message::isStop)) {
      stopHeard = true;
    }
    return taken;
  }

  /// Whether something waits that this turn could take up.
  public boolean hasMail() {
    return mailbox.seen().anything();
  }

  /// Whether somebody wants this turn to end.
  public boolean isStopWanted() {
    return stopHeard || mailbox.seen().stop() || stopTaken().isPresent();
  }

  /// Whether everything that was written has been taken back, as far as somebody has looked.
  public boolean isTakenBack() {
    return mailbox.seen().nothingLeft();
  }

  /// The messages have their outcome; false when another worker has taken over and says so itself.
  public boolean settle(String outcome) {
    return inbox.settle(thread, claimed, outcome);
  }

  /// Gives the thread back; what was not settled waits again.
  @Override
  public void close() {
    closed.countDown();
    inbox.close(thread, mailbox);
    try {
      // Whoever was let down by the database may be again, and is forgiven while he has the thread.
      while (!isGivenBack() && forgiven && isHeld()) {
        Thread.sleep(inbox.lease().renewedEvery().dividedBy(TRIES_BETWEEN_RENEWALS));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isGivenBack() {
    try {
      if (forgiven) {
        inbox.releaseForgiven(thread, claimed, done);
      } else {
        inbox.release(thread, claimed, done);
      }
      return true;
    } catch (RuntimeException e) {
      LOG.warnf(e, "The lease on thread %s was not given back", thread);
      return false;
    }
  }

  private void renewUntilClosed() {
    var next = inbox.lease().renewedEvery();
    try {
      while (!closed.await(next.toMillis(), TimeUnit.MILLISECONDS) && !inbox.hasEnded()) {
        var renewal = Term.of(inbox.lease().lasts());
        if (renewed()) {
          term = renewal;
          next = inbox.lease().renewedEvery();
        } else {
          next = inbox.lease().renewedEvery().dividedBy(TRIES_BETWEEN_RENEWALS);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean renewed() {
    try {
      if (isOurs()) {
        return true;
      }
      LOG.warnf("Thread %s was taken over from fence %d", thread, claimed.fence());
      term = Term.of(Duration.ZERO);
      closed.countDown();
    } catch (RuntimeException e) {
      LOG.warnf(e, "The lease on thread %s could not be renewed", thread);
    }
    return false;
  }
}
