package dev.gorkie.local;

import java.util.ArrayDeque;
import java.util.Deque;

/// What has been started so far, to be closed the other way round, whatever goes wrong with one of them.
final class Started implements AutoCloseable {

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception failure) {
        System.err.println("While the world was ending: " + failure);
      }
    }
  }
}
