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
/// machine then does nothing else any more. So whoever would begin something stands in a line of his own, out of which one is let in when the other
/// is empty: what has begun goes first.
final class Turnstile {

  private static final class Waiting {

    private final Condition letIn;
    private final long since = System.nanoTime();
    private boolean isLetIn;

    private Waiting(Condition letIn) {
      this.letIn = letIn;
    }
  }

  private final Duration patience;
  private final Duration beginsAfter;
  private final Duration beginsEvery;
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
  private final ReentrantLock lock = new ReentrantLock();
  private final SequencedSet<Waiting> line = new LinkedHashSet<>();
  private final SequencedSet<Waiting> beginners = new LinkedHashSet<>();
  private int free;
  private long lastBegan;

  /// @param patience how long somebody stands in line who is in the middle of something
  /// @param beginsAfter after how long whoever would begin something goes before all others
  /// @param beginsEvery how often one of these does
  Turnstile(int connections, Duration patience, Duration beginsAfter, Duration beginsEvery) {
    this.free = connections;
    this.patience = patience;
    this.beginsAfter = beginsAfter;
    this.beginsEvery = beginsEvery;
    this.lastBegan = System.nanoTime() - beginsEvery.toNanos();
  }

  /// Whoever is inside already need not stand in line again.
  <T> T pass(Supplier<T> work) {
    return pass(work, line, patience);
  }

  /// The same for who would begin something.
  ///
  /// @param most how long he stands in line
  <T> T passToBegin(Duration most, Supplier<T> work) {
    return pass(work, beginners, most);
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
        told = standInLine(me, most.toNanos());
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

  /// @return whether he was told to end
  private static boolean standInLine(Waiting me, long nanos) {
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
      var next = next();
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

  /// The line whose first one is let in.
  private SequencedSet<Waiting> next() {
    if (line.isEmpty()) {
      return beginners;
    }
    var now = System.nanoTime();
    if (beginners.isEmpty()
        || now - beginners.getFirst().since < beginsAfter.toNanos()
        || now - lastBegan < beginsEvery.toNanos()) {
      return line;
    }
    lastBegan = now;
    return beginners;
  }
}
