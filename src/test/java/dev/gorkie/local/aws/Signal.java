package dev.gorkie.local.aws;

import java.io.IOException;

/// What a process can be told that Java has no word for.
public enum Signal {
  /// Stand still, as a function between two invocations does.
  STOP,
  /// Go on.
  CONT,
  /// End without another word.
  KILL;

  public void send(long pid) throws InterruptedException {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name() + " " + pid + " 2>/dev/null")
          .start()
          .waitFor();
    } catch (IOException noShell) {
      throw new IllegalStateException(noShell);
    }
  }
}
