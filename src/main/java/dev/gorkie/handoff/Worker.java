package dev.gorkie.handoff;

import dev.gorkie.ThreadKey;
import java.util.Optional;

/// Whoever does the work that is handed over.
public interface Worker {

  /// Takes the delivery into the inbox; the thread to wake, unless there is nothing new for one.
  Optional<ThreadKey> accept(Delivery delivery);

  /// Works on what a program wants until that is done or time is up.
  void carryOut(String operation) throws InterruptedException;

  /// Works on a thread until nothing waits there or time is up.
  void work(ThreadKey thread) throws InterruptedException;
}
