package dev.gorkie.database;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Lets in as many as there are connections, and all others stand in line.
///
/// A pool sends away who has waited for long, and who is sent away from the middle of a turn comes back with all of it to do again: a busy
/// machine then does nothing else any more.
final class Turnstile {

  private final Semaphore places;
  private final Duration patience;
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

  /// @param patience how long somebody stands in line
  Turnstile(int connections, Duration patience) {
    this.places = new Semaphore(connections, true);
    this.patience = patience;
  }

  /// Whoever is inside already need not stand in line again.
  <T> T pass(Supplier<T> work) {
    if (inside.get()) {
      return work.get();
    }
    var told = enter();
    inside.set(true);
    try {
      return work.get();
    } finally {
      inside.remove();
      places.release();
      if (told) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// How many stand in line.
  int waiting() {
    return places.getQueueLength();
  }

  /// Whoever is told to end may still do what can be done at once: to give back what he holds. He is not told meanwhile, since that
  /// closes the connection on which a virtual thread just waits.
  ///
  /// @return whether he was told to end
  private boolean enter() {
    var told = Thread.interrupted();
    var entered = false;
    try {
      entered = !told && places.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      told = true;
    }
    if (entered || told && places.tryAcquire()) {
      return told;
    }
    if (told) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException(
        "The database was not reached",
        new SQLTransientConnectionException("No connection was free for whoever stood in line"));
  }
}
