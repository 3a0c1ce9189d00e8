package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// What a terminal has said and nobody has read yet. It holds only so much: then whoever brings more has to wait.
final class TerminalOutput {

  private static final int BYTES_MAX = 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<byte[]> chunks = new ArrayDeque<>();
  private int bytes;
  private Optional<String> ended = Optional.empty();

  /// Nothing is kept any more once the output has ended.
  void put(byte[] chunk) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (ended.isEmpty() && bytes >= BYTES_MAX) {
        changed.await();
      }
      if (ended.isEmpty() && chunk.length > 0) {
        chunks.add(chunk);
        bytes += chunk.length;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  void end(String reason) {
    lock.lock();
    try {
      ended = ended.or(() -> Optional.of(reason));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  Optional<String> ended() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  byte[] take(Deadline deadline) throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (chunks.isEmpty() && ended.isEmpty() && !deadline.isOver()) {
        changed.await(Calls.millisToNextLook(deadline), TimeUnit.MILLISECONDS);
      }
      var chunk = chunks.poll();
      if (chunk != null) {
        bytes -= chunk.length;
        changed.signalAll();
        return chunk;
      }
      if (ended.isPresent()) {
        throw new IOException("The terminal is gone: " + ended.get());
      }
      return new byte[0];
    } finally {
      lock.unlock();
    }
  }
}
