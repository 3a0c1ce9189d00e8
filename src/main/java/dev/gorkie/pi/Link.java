package dev.gorkie.pi;

import dev.gorkie.Deadline;
import java.io.IOException;

/// A way to the keeper: lines of notes and records come, commands go. It may break at any byte.
interface Link extends AutoCloseable {

  /// The next bytes of what the keeper's attach program writes; none when the deadline is over.
  byte[] read(Deadline deadline) throws IOException, InterruptedException;

  /// Has the keeper started with this.
  void start(Launch launch, Beginning beginning) throws IOException;

  /// Waits for the first word from the other side. Commands may be on their way to it by then.
  void awaitGreeting(Deadline deadline) throws IOException, InterruptedException;

  /// Puts a command where the keeper finds it. The keeper takes each id once, so this may be repeated.
  void give(String id, String command) throws IOException;

  @Override
  void close();
}
