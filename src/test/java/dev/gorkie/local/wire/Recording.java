package dev.gorkie.local.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// What happened so far, in order; whoever waits for something sees it whether it comes or has come.
public final class Recording<T> {

  private final List<T> events = new ArrayList<>();

  public synchronized void add(T event) {
    events.add(event);
    notifyAll();
  }

  public synchronized List<T> all() {
    return List.copyOf(events);
  }

  public synchronized List<T> all(Predicate<? super T> wanted) {
    return events.stream().filter(wanted).toList();
  }

  /// The first event that is wanted.
  public T await(Predicate<? super T> wanted, Duration most) throws InterruptedException {
    return await(1, wanted, most).getFirst();
  }

  /// The first so many events that are wanted.
  public synchronized List<T> await(int count, Predicate<? super T> wanted, Duration most)
      throws InterruptedException {
    var end = System.nanoTime() + most.toNanos();
    while (true) {
      var found = all(wanted);
      if (found.size() >= count) {
        return found.subList(0, count);
      }
      var left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        throw new AssertionError(
            "Within " + most + " came " + found.size() + " of " + count + ". Recorded: " + events);
      }
      wait(Math.max(1, left.toMillis()));
    }
  }
}
