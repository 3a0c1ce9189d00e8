package dev.gorkie.database;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Lets in as many as there are connections, and all others stand in line.
///
/// A pool sends away who has waited for long, and who is sent away from the middle of a turn comes back with all of it to do again: a busy
/// machine then does nothing else any more. So whoever would begin something stands in a line of his own, from which nobody is let in before the
/// other is empty: as much is begun as can be brought to its end.
final class Turnstile {

  // Nobody lives to see it.
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final class Waiting {

    private final Condition letIn;
    private boolean isLetIn;

    private Waiting(Condition letIn) {
      this.letIn = letIn;
    }
  }

  private final Duration patience;
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
  private final ReentrantLock lock = new ReentrantLock();
  private final SequencedSet<Waiting> line = new LinkedHashSet<>();
  private final SequencedSet<Waiting> beginners = new LinkedHashSet<>();
  private int free;

  /// @param patience how long somebody stands in line who is in the middle of something
  Turnstile(int connections, Duration patience) {
    this.free = connections;
    this.patience = patience;
  }

  /// Whoever is inside already need not stand in line again.
  <T> T pass(Supplier<T> work) {
    return pass(work, line, patience);
  }

  /// The same for who would begin something, and has all the time in the world.
  <T> T passToBegin(Supplier<T> work) {
    return pass(work, beginners, FOR_EVER);
  }

  private <T> T pass(Supplier<T> work, SequencedSet<Waiting> where, Duration most) {
    if (inside.get()) {
      return work.get();
    }
    var told = enter(where, most);
    inside.set(true);
    try {
      return work.get();
    } finally {
      inside.remove();
      leave();
      if (told) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// How many stand in line.
  int waiting() {
    lock.lock();
    try {
      return line.size() + beginners.size();
    } finally {
      lock.unlock();
    }
  }

  /// Whoever is told to end may still do what can be done at once: to give back what he holds. He is not told meanwhile, since that
  /// closes the connection on which a virtual thread just waits.
  ///
  /// @return whether he was told to end
  private boolean enter(SequencedSet<Waiting> where, Duration most) {
    var told = Thread.interrupted();
    lock.lock();
    try {
      // Where there is a place, nobody stands in line.
      if (free > 0) {
        free--;
        return told;
      }
      var me = new Waiting(lock.newCondition());
      if (!told) {
        where.add(me);
        told = isToldWhileWaiting(me, most.toNanos());
        where.remove(me);
      }
      if (me.isLetIn) {
        return told;
      }
    } finally {
      lock.unlock();
    }
    if (told) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException(
        "The database was not reached",
        new SQLTransientConnectionException("No connection was free for whoever stood in line"));
  }

  private static boolean isToldWhileWaiting(Waiting me, long nanos) {
    try {
      for (var left = nanos; !me.isLetIn && left > 0; ) {
        left = me.letIn.awaitNanos(left);
      }
      return Thread.interrupted();
    } catch (InterruptedException _) {
      return true;
    }
  }

  private void leave() {
    lock.lock();
    try {
      var next = line.isEmpty() ? beginners : line;
      if (next.isEmpty()) {
        free++;
      } else {
        var first = next.removeFirst();
        first.isLetIn = true;
        first.letIn.signal();
      }
    } finally {
      lock.unlock();
    }
  }
}
