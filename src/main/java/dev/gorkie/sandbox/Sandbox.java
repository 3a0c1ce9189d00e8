package dev.gorkie.sandbox;

import dev.gorkie.Deadline;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// One running machine: its files, its commands, its terminals.
public interface Sandbox {

  SandboxId id();

  String name();

  /// What it was made from, where that is known.
  Optional<String> image();

  /// What it is held to besides what all are: see `Sandboxes.NETWORK`. Empty where it is held to nothing more.
  Optional<String> network();

  /// Absolute, as the machine sees them.
  String homeDirectory();

  String workDirectory();

  Optional<FileInfo> info(String path);

  /// Creates it and its parents; nothing happens where it is already there.
  void createDirectory(String path);

  /// Streams; nobody sees the file under its name before it is whole. A file that was there is replaced, missing parents
  /// are created.
  void upload(String path, InputStream content);

  /// Streams; the caller closes it.
  InputStream download(String path);

  /// Where whoever has the address may download it for so long, without any other right. Empty where that can't be had.
  Optional<URI> address(String path, Duration lasts);

  /// A file that was at the destination is replaced.
  void move(String source, String destination);

  /// A file; nothing happens where there is none.
  void delete(String path);

  /// Runs a shell command in the work directory, its input empty, and waits for its end.
  Executed execute(String command, Duration timeout);

  /// One word to a shell, whatever is in it.
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  Terminal openTerminal(Deadline deadline) throws InterruptedException;

  record FileInfo(String name, long bytes, boolean directory) {}

  /// Bytes that are no UTF-8 are lost.
  ///
  /// @param errors what went to the error output; empty where a command became another program by `exec`
  record Executed(int exitCode, String output, String errors) {

    // What the program `timeout` says too.
    private static final int OUT_OF_TIME = 124;

    /// It was ended because it took too long; what it had written is lost.
    public static Executed outOfTime() {
      return new Executed(OUT_OF_TIME, "", "");
    }

    public boolean isOutOfTime() {
      return exitCode == OUT_OF_TIME;
    }
  }
}
