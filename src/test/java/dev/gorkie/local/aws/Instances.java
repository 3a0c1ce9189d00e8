package dev.gorkie.local.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// A function's instances: started when they are needed, never more than its concurrency.
final class Instances implements AutoCloseable {

  private static final int FAILED_STARTS_MAX = 5;

  private final int most;
  private final int spare;
  private final IntFunction<Instance> start;
  private final List<Instance> alive = new ArrayList<>();
  // They have something in hand, and are given nothing more.
  private final Set<Instance> leaving = new HashSet<>();
  private int started;
  private int failedStarts;
  private boolean closed;

  /// @param spare how many are kept started beside those that work
  Instances(int most, int spare, IntFunction<Instance> start) {
    this.most = most;
    this.spare = spare;
    this.start = start;
  }

  /// Gives the invocation to an instance, and waits that long for one; empty when all stayed busy.
  synchronized Optional<Instance> give(Invocation invocation, Duration patience)
      throws InterruptedException {
    var end = System.nanoTime() + patience.toNanos();
    while (!closed) {
      var free = free();
      if (free.isPresent()) {
        free.get().take(invocation);
        provision();
        return free;
      }
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        return Optional.empty();
      }
      wait(Math.max(1, left.toMillis()));
    }
    return Optional.empty();
  }

  /// Waits until the instance is ready for the next, so that who invokes again finds it.
  synchronized void awaitFree(Instance instance, Duration most) throws InterruptedException {
    var end = System.nanoTime() + most.toNanos();
    while (!instance.isIdle() && !instance.isDead()) {
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        return;
      }
      wait(Math.max(1, left.toMillis()));
    }
  }

  /// Somebody became free, or ended.
  void changed() {
    List<Instance> left;
    synchronized (this) {
      for (var instance : alive) {
        if (instance.isWarm()) {
          failedStarts = 0;
        } else if (instance.isDead() && !instance.wasWarm()) {
          failedStarts++;
        }
      }
      left = left();
      provision();
      notifyAll();
    }
    left.forEach(Instance::close);
  }

  /// Others take the place of all there are: of the idle ones at once, of each other when it has done what it has in hand.
  void renew() {
    List<Instance> left;
    synchronized (this) {
      failedStarts = 0;
      leaving.addAll(alive);
      left = left();
      provision();
      notifyAll();
    }
    left.forEach(Instance::close);
  }

  /// Who is to go and has nothing more in hand; to be closed by whoever asks, and not while others wait for him.
  private List<Instance> left() {
    var left = leaving.stream().filter(it -> it.isIdle() || it.isDead()).toList();
    left.forEach(leaving::remove);
    alive.removeAll(left);
    return left;
  }

  /// Until as many are started as are kept ready, and one at least. False when that took longer.
  synchronized boolean awaitWarm(Duration within) throws InterruptedException {
    var end = System.nanoTime() + within.toNanos();
    while (staying().filter(Instance::isWarm).count() < Math.clamp(spare, 1, most)) {
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        return false;
      }
      wait(Math.max(1, left.toMillis()));
    }
    return true;
  }

  synchronized List<Instance> all() {
    alive.removeIf(Instance::isDead);
    return List.copyOf(alive);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    all().forEach(Instance::close);
  }

  /// Starts those that are kept ready; to be called once before anything is given.
  synchronized void provision() {
    alive.removeIf(Instance::isDead);
    if (failedStarts >= FAILED_STARTS_MAX) {
      return; // it would go on like that for ever
    }
    var idle = staying().filter(Instance::isIdle).count();
    while (!closed && idle < spare && alive.size() < most) {
      started();
      idle++;
    }
  }

  private Optional<Instance> free() {
    alive.removeIf(Instance::isDead);
    var warm = staying().filter(Instance::isWarm).findFirst();
    if (warm.isPresent()) {
      return warm;
    }
    var idle = staying().filter(Instance::isIdle).findFirst();
    if (idle.isPresent() || alive.size() == most) {
      return idle;
    }
    return Optional.of(started());
  }

  private Stream<Instance> staying() {
    return alive.stream().filter(it -> !leaving.contains(it));
  }

  private Instance started() {
    var fresh = start.apply(++started);
    alive.add(fresh);
    return fresh;
  }
}
