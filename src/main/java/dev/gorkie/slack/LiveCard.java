package dev.gorkie.slack;

import dev.gorkie.Deadline;
import dev.gorkie.HoldLost;
import dev.gorkie.slack.Result.Later;
import dev.gorkie.slack.Result.Lost;
import dev.gorkie.slack.Result.Ok;
import dev.gorkie.slack.Result.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/// A card in a thread while it is worked on: one message, edited in the background so that it catches up with the
/// newest state, never faster than its pace. How it ends is told by whoever delivers the last word.
final class LiveCard {

  private static final Logger LOG = Logger.getLogger(LiveCard.class);
  private static final int TRIES_AT_THE_END_MAX = 3;

  private final Ledger ledger;
  private final Posts posts;
  private final Speaker speaker;
  private final Line line;
  private final Pace pace;
  private final Deadline deadline;
  // Shared by all cards: once a workspace has refused a plan, it is not offered another one.
  private final AtomicBoolean plansRefused;
  private final Thread writer;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  // Guarded by the lock:
  private final Card card;
  private boolean changed;
  private boolean resting;
  private boolean closing;
  private boolean givenUp;
  private boolean tried;
  private boolean stepsOnly;
  // The writer's own, in nanoseconds: no edit before the one, an edit even without news at the
  // other.
  private long earliest;
  private long latest;
  private Optional<String> ts = Optional.empty();
  private int failedInARow;

  /// How often the card may be edited, by one turn and by all together; when it appears at the latest; how old its
  /// elapsed time may get.
  record Pace(Duration interval, Duration share, Duration delay, Duration tick) {
    Duration between(int turns) {
      var fair = share.multipliedBy(turns);
      return fair.compareTo(interval) > 0 ? fair : interval;
    }
  }

  LiveCard(
      Ledger ledger,
      Posts posts,
      Speaker speaker,
      Line line,
      Pace pace,
      Instant begun,
      Deadline deadline,
      AtomicBoolean plansRefused) {
    this.ledger = ledger;
    this.posts = posts;
    this.speaker = speaker;
    this.line = line;
    this.pace = pace;
    this.deadline = deadline;
    this.plansRefused = plansRefused;
    this.card = new Card(begun);
    this.earliest = System.nanoTime();
    this.latest = earliest + pace.delay().toNanos();
    this.writer = Thread.ofVirtual().name("slack-card").unstarted(this::keepUp);
  }

  static LiveCard start(LiveCard card) {
    card.writer.start();
    return card;
  }

  void change(Consumer<Card> how) {
    lock.lock();
    try {
      how.accept(card);
      changed = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Something that is to be seen with the next change.
  void quietly(Consumer<Card> how) {
    lock.lock();
    try {
      how.accept(card);
    } finally {
      lock.unlock();
    }
  }

  /// Writes nothing more that is not due already, and returns what the card is to become.
  Content end(Card.Ending how) {
    lock.lock();
    try {
      card.end(how, deadline.clock().instant());
      return content();
    } finally {
      lock.unlock();
      rest();
    }
  }

  /// Writes nothing more, but for a card with steps that has not appeared yet.
  void rest() {
    lock.lock();
    try {
      resting = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Until the card has appeared, if it is to, or has not in spite of a try; at most for the time between two edits.
  void awaitFirst() throws InterruptedException {
    var most = pace.interval().toNanos();
    lock.lock();
    try {
      while (isFirstDue() && most > 0) {
        most = news.awaitNanos(most);
      }
    } finally {
      lock.unlock();
    }
  }

  /// From now on a card that has not appeared is only worth it for steps.
  void tellStepsOnly() {
    lock.lock();
    try {
      stepsOnly = true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isNeedless() {
    return stepsOnly && !tried && !card.hasSteps();
  }

  private boolean isFirstDue() {
    return card.hasSteps() && !tried && !givenUp;
  }

  /// What the card is to become, once its turn has ended here.
  Optional<Content> last() {
    lock.lock();
    try {
      return card.isEnded() ? Optional.of(content()) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private Content content() {
    var shown = card.shown(deadline.clock().instant());
    return plansRefused.get() ? CardBlocks.plain(shown) : CardBlocks.plan(shown);
  }

  /// Writes what is left to be written, as far as there is time.
  void close(Duration most) {
    lock.lock();
    try {
      closing = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      if (!writer.join(most)) {
        writer.interrupt();
        // A call that has begun is not broken off by this; it ends by itself.
        writer.join();
      }
    } catch (InterruptedException _) {
      writer.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void keepUp() {
    try {
      while (awaitNews()) {
        write();
      }
    } catch (InterruptedException _) {
      LOG.debugf("The card of %s was not finished in time", ledger.subject());
    } catch (HoldLost lost) {
      LOG.debugf("The card of %s is another worker's: %s", ledger.subject(), lost.getMessage());
    } finally {
      giveUp();
    }
  }

  private void giveUp() {
    lock.lock();
    try {
      givenUp = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there is something to write and it may be written; false when there will be nothing more.
  private boolean awaitNews() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        if (givenUp || resting && !isFirstDue() || closing && (!changed || isNeedless())) {
          return false;
        }
        var due = changed ? earliest : Math.max(earliest, latest);
        var wait = isNeedless() ? Long.MAX_VALUE : due - System.nanoTime();
        if (wait <= 0) {
          return true;
        }
        news.awaitNanos(wait);
      }
    } finally {
      lock.unlock();
    }
  }

  private void write() throws InterruptedException {
    var wasPlan = !plansRefused.get();
    Step step;
    Duration interval;
    try {
      step = send(take());
      interval = pace.between(line.turns());
    } catch (HoldLost lost) {
      throw lost;
    } catch (RuntimeException e) {
      // The database is away. The turn will notice, and perhaps it comes back before that.
      LOG.warnf(e, "The card of %s was not written", ledger.subject());
      step = new Step.NotNow(pace.tick());
      interval = pace.interval();
    }
    lock.lock();
    try {
      heard(step, wasPlan, interval);
    } finally {
      lock.unlock();
    }
  }

  private Content take() {
    lock.lock();
    try {
      changed = false;
      return content();
    } finally {
      lock.unlock();
    }
  }

  private Step send(Content content) throws InterruptedException {
    if (ts.isEmpty()) {
      var row = ledger.put(Delivery.CARD_THING);
      // One that may be there, by an earlier worker or by a lost answer, is edited when it is.
      if (row.is(OutboxRow.SENT) || row.is(OutboxRow.AMBIGUOUS)) {
        var found = speaker.find(row, Urgency.PROGRESS);
        if (found.isPresent() && !(found.get() instanceof Step.There)) {
          return found.get();
        }
        row = ledger.put(Delivery.CARD_THING);
      }
      if (!row.is(OutboxRow.CONFIRMED)) {
        return speaker.say(row, content, content, Urgency.PROGRESS);
      }
      ts = row.ts();
    }
    var message = ts.orElseThrow();
    return switch (posts.edit(
        message, content, new Mark(ledger.subject(), Delivery.CARD), Urgency.PROGRESS)) {
      case Ok<String> _ -> new Step.There(message);
      case Refused<String>(var error) -> new Step.Refused(error);
      case Later<String>(var pause) -> new Step.NotNow(pause);
      // Said again, it is the same.
      case Lost<String> _ -> new Step.NotNow(Duration.ZERO);
    };
  }

  private void heard(Step step, boolean wasPlan, Duration interval) {
    var now = System.nanoTime();
    earliest = now + interval.toNanos();
    latest = now + Math.max(interval.toNanos(), pace.tick().toNanos());
    tried = true;
    switch (step) {
      case Step.There(var message) -> {
        ts = Optional.of(message);
        failedInARow = 0;
      }
      case Step.Refused(var error) -> {
        if (wasPlan && Content.isAboutBlocks(error)) {
          plansRefused.set(true);
          changed = true;
          tried = false;
          earliest = now;
        } else {
          LOG.warnf("The card of %s is left as it is: %s", ledger.subject(), error);
          givenUp = true;
        }
      }
      case Step.NotNow(var pause) -> {
        failed();
        earliest = Math.max(earliest, now + pause.toNanos());
      }
      case Step.Unsure _ -> failed();
    }
    news.signalAll();
  }

  private void failed() {
    changed = true;
    failedInARow++;
    givenUp = closing && failedInARow >= TRIES_AT_THE_END_MAX;
  }
}
