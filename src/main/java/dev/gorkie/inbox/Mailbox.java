package dev.gorkie.inbox;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Looks again and again for what came in while a turn runs. It tells, and takes nothing.
final class Mailbox implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Mailbox.class);

  private final Supplier<Waiting> look;
  private final Duration every;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition nudged = lock.newCondition();
  // Guarded by the lock:
  private boolean nudge;
  private boolean closed;

  private volatile Waiting seen = Waiting.NOTHING;

  record Waiting(boolean anything, boolean stop) {

    static final Waiting NOTHING = new Waiting(false, false);
  }

  private Mailbox(Supplier<Waiting> look, Duration every) {
    this.look = look;
    this.every = every;
  }

  static Mailbox open(Supplier<Waiting> look, Duration every) {
    var mailbox = new Mailbox(look, every);
    Thread.ofVirtual().name("mailbox").start(mailbox::watch);
    return mailbox;
  }

  Waiting seen() {
    return seen;
  }

  /// What was seen is being taken out.
  void emptied() {
    seen = Waiting.NOTHING;
  }

  void nudge() {
    lock.lock();
    try {
      nudge = true;
      nudged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      nudged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    try {
      while (awaitNextLook()) {
        lookOnce();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitNextLook() throws InterruptedException {
    lock.lock();
    try {
      var left = every.toNanos();
      while (!closed && !nudge && left > 0) {
        left = nudged.awaitNanos(left);
      }
      nudge = false;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void lookOnce() {
    try {
      seen = look.get();
    } catch (RuntimeException e) {
      LOG.warnf(e, "The mailbox could not be looked into; it is tried again");
    }
  }
}
