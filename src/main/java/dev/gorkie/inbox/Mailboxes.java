package dev.gorkie.inbox;

import dev.gorkie.ThreadKey;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jboss.logging.Logger;

/// Looks again and again for what came in while turns run, for all turns of this process at once. It tells, and takes
/// nothing.
final class Mailboxes {

  private static final Logger LOG = Logger.getLogger(Mailboxes.class);

  private final Function<Collection<Long>, Map<Long, Mailbox.Waiting>> look;
  private final Duration every;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock:
  private final Map<ThreadKey, Mailbox> open = new HashMap<>();
  private final Set<Mailbox> nudged = new HashSet<>();
  private boolean watching;
  private boolean ended;

  /// @param look finds what waits for these turns; nothing does for one that is not told of
  Mailboxes(Function<Collection<Long>, Map<Long, Mailbox.Waiting>> look, Duration every) {
    this.look = look;
    this.every = every;
  }

  Mailbox open(ThreadKey thread, long turn) {
    var mailbox = new Mailbox(turn);
    lock.lock();
    try {
      if (ended) {
        return mailbox;
      }
      open.put(thread, mailbox);
      if (!watching) {
        watching = true;
        Thread.ofVirtual().name("mailboxes").start(this::watch);
      }
    } finally {
      lock.unlock();
    }
    return mailbox;
  }

  void close(ThreadKey thread, Mailbox mailbox) {
    lock.lock();
    try {
      open.remove(thread, mailbox);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Nobody looks any more, whatever still runs.
  void end() {
    lock.lock();
    try {
      ended = true;
      open.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean haveEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /// Something came in for this thread: its turn hears of it at once, if it runs here.
  void nudge(ThreadKey thread) {
    lock.lock();
    try {
      var mailbox = open.get(thread);
      if (mailbox != null) {
        nudged.add(mailbox);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    var next = System.nanoTime() + every.toNanos();
    try {
      while (awaitNextLook(next)) {
        var isDue = next - System.nanoTime() <= 0;
        lookInto(isDue);
        next = isDue ? System.nanoTime() + every.toNanos() : next;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// False when no turn runs any more; the next one has somebody look again.
  private boolean awaitNextLook(long next) throws InterruptedException {
    lock.lock();
    try {
      var left = next - System.nanoTime();
      while (!open.isEmpty() && nudged.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
      watching = !open.isEmpty();
      return watching;
    } finally {
      lock.unlock();
    }
  }

  private void lookInto(boolean all) {
    List<Mailbox> mailboxes;
    lock.lock();
    try {
      mailboxes = List.copyOf(all ? open.values() : nudged);
      nudged.clear();
    } finally {
      lock.unlock();
    }
    try {
      var waiting = look.apply(mailboxes.stream().map(Mailbox::turn).toList());
      mailboxes.forEach(
          mailbox -> mailbox.sees(waiting.getOrDefault(mailbox.turn(), Mailbox.Waiting.NOTHING)));
    } catch (RuntimeException e) {
      LOG.warnf(e, "The mailboxes could not be looked into; it is tried again");
    }
  }
}
