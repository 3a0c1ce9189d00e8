package dev.gorkie.local.slack;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The one lock over everything the workspace holds, and the bell that rings whenever something in it changed.
final class Changes {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long count;

  <T> T read(Supplier<T> reading) {
    lock.lock();
    try {
      return reading.get();
    } finally {
      lock.unlock();
    }
  }

  <T> T change(Supplier<T> change) {
    lock.lock();
    try {
      return change.get();
    } finally {
      count++;
      changed.signalAll();
      lock.unlock();
    }
  }

  void change(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      count++;
      changed.signalAll();
      lock.unlock();
    }
  }

  /// How often something has changed.
  long count() {
    return read(() -> count);
  }

  /// Waits until something changes after so many changes, or for so long.
  void awaitAfter(long seen, Duration atMost) throws InterruptedException {
    var left = atMost.toNanos();
    lock.lock();
    try {
      while (count == seen && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /// What is wanted, as soon as it is there; empty when it was not there in time.
  <T> Optional<T> await(Supplier<Optional<T>> wanted, Duration atMost) throws InterruptedException {
    var left = atMost.toNanos();
    lock.lock();
    try {
      var found = wanted.get();
      while (found.isEmpty() && left > 0) {
        // Some things end by time alone and ring no bell, so the wait is never longer than this.
        left -= waited(Math.min(left, TimeUnit.MILLISECONDS.toNanos(200)));
        found = wanted.get();
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private long waited(long atMostNanos) throws InterruptedException {
    return atMostNanos - changed.awaitNanos(atMostNanos);
  }
}
