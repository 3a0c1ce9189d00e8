package dev.gorkie.inbox;

import dev.gorkie.ThreadKey;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// A thread in one worker's hands for something that no message asks for. A heartbeat holds it; whoever comes after has a higher
/// fence.
public final class Tenure implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Tenure.class);

  private final ThreadKey thread;
  private final Inbox.Claimed claimed;
  private final Inbox inbox;
  private final CountDownLatch closed = new CountDownLatch(1);

  private Tenure(ThreadKey thread, Inbox.Claimed claimed, Inbox inbox) {
    this.thread = thread;
    this.claimed = claimed;
    this.inbox = inbox;
  }

  static Tenure of(ThreadKey thread, Inbox.Claimed claimed, Inbox inbox) {
    var tenure = new Tenure(thread, claimed, inbox);
    Thread.ofVirtual().name("heartbeat " + thread).start(tenure::renewUntilClosed);
    return tenure;
  }

  public long fence() {
    return claimed.fence();
  }

  /// Gives the thread back.
  @Override
  public void close() {
    closed.countDown();
    try {
      inbox.release(thread, claimed, false);
    } catch (RuntimeException e) {
      LOG.warnf(e, "The lease on thread %s was not given back; it lapses", thread);
    }
  }

  private void renewUntilClosed() {
    try {
      while (!closed.await(inbox.lease().renewedEvery().toMillis(), TimeUnit.MILLISECONDS)
          && !inbox.hasEnded()) {
        if (!isRenewed()) {
          return;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// False where there is no use in trying again.
  private boolean isRenewed() {
    try {
      return inbox.renew(thread, claimed).isPresent();
    } catch (RuntimeException e) {
      LOG.warnf(e, "The lease on thread %s could not be renewed", thread);
      return true;
    }
  }
}
