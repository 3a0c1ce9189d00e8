package dev.gorkie.sandbox;

import dev.gorkie.Deadline;
import java.io.IOException;

/// A terminal on a machine: bytes in, bytes out, and nothing kept for whoever was not there.
public interface Terminal extends AutoCloseable {

  /// The next bytes, at least one; none when the deadline is over. What was read once does not come again.
  ///
  /// @throws IOException once the terminal is gone and all that arrived has been read; the message says why
  byte[] read(Deadline deadline) throws IOException, InterruptedException;

  /// Any number of bytes; they are cut for the wire here.
  void write(byte[] bytes) throws IOException;

  /// Ends what runs directly in it. What began a session of its own goes on.
  @Override
  void close();
}
