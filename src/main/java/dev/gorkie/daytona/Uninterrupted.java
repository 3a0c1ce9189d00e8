package dev.gorkie.daytona;

import dev.gorkie.Failure;
import dev.gorkie.sandbox.SandboxFailure;

/// Waits on behalf of callers who are not told of an interruption: it stays set, and what was asked for fails.
final class Uninterrupted {

  @FunctionalInterface
  interface Waiting<T> {
    T run() throws InterruptedException;
  }

  @FunctionalInterface
  interface Work {
    void run() throws InterruptedException;
  }

  static <T> T get(Waiting<T> waiting) {
    try {
      return waiting.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure(SandboxFailure.UNREACHABLE, "interrupted", e);
    }
  }

  static void run(Work work) {
    get(
        () -> {
          work.run();
          return true;
        });
  }

  private Uninterrupted() {}
}
