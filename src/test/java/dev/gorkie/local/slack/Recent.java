package dev.gorkie.local.slack;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/// What has happened, the oldest first: all of it, or the newest where somebody has said how much is enough.
final class Recent<E> {

  private final Deque<E> all = new ArrayDeque<>();
  private int most = Integer.MAX_VALUE;

  void add(E one) {
    all.addLast(one);
    forget();
  }

  void keep(int newMost) {
    most = newMost;
    forget();
  }

  List<E> list() {
    return List.copyOf(all);
  }

  Stream<E> stream() {
    return all.stream();
  }

  private void forget() {
    while (all.size() > most) {
      all.removeFirst();
    }
  }
}
