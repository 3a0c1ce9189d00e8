package dev.gorkie.pi;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;

/// The keeper's attach program at the other end of a terminal.
final class TerminalLink implements Link {

  // A login shell with all its profiles and the start of the attach program; some seconds on a busy
  // machine.
  private static final Duration ATTACHED_WITHIN = Duration.ofSeconds(20);

  // What a shell may say before it hears us: banners, prompts, the echo of the line itself.
  private static final int NOISE_BYTES_MAX = 64 * 1024;

  // A terminal takes a large line at some megabytes a second, while nothing else comes through;
  // larger commands go as files.
  private static final int COMMAND_BYTES_MAX = 256 * 1024;

  private final Sandbox sandbox;
  private final long fence;
  private final Terminal terminal;
  private byte[] early;

  private TerminalLink(Sandbox sandbox, long fence, Terminal terminal, byte[] early) {
    this.sandbox = sandbox;
    this.fence = fence;
    this.terminal = terminal;
    this.early = early;
  }

  static TerminalLink open(Sandbox sandbox, long fence, long offset, Deadline deadline)
      throws IOException, InterruptedException {
    var terminal = terminal(sandbox, deadline);
    try {
      var nonce = UUID.randomUUID().toString();
      terminal.write(launchLine(nonce, fence, offset).getBytes(StandardCharsets.US_ASCII));
      var early = afterMarker(terminal, nonce, deadline.within(ATTACHED_WITHIN));
      return new TerminalLink(sandbox, fence, terminal, early);
    } catch (IOException | InterruptedException | RuntimeException e) {
      terminal.close();
      throw e;
    }
  }

  /// A terminal that can't be had is one that broke early: there is another way.
  private static Terminal terminal(Sandbox sandbox, Deadline deadline)
      throws IOException, InterruptedException {
    try {
      return sandbox.openTerminal(deadline);
    } catch (Failure failure) {
      throw new IOException("No terminal: " + failure.getMessage(), failure);
    }
  }

  /// In line mode a terminal silently drops all but 4,095 bytes of a line, takes control characters for signals and
  /// DEL for an eraser, hence `raw`. The marker is printed from two halves, so that the echo of this line does not
  /// contain it. A failed `exec` would leave a shell that takes JSON for commands, hence `exit`. Errors are printed into
  /// the same terminal and would count as bytes of the journal, hence `2>`.
  private static String launchLine(String nonce, long fence, long offset) {
    return "stty raw -echo; printf '%%s%%s\\n' '%s' '%s'; exec %s attach --fence %d --offset %d 2>/dev/null || exit 127\n"
        .formatted(nonce.substring(0, 18), nonce.substring(18), Keeper.PROGRAM, fence, offset);
  }

  private static byte[] afterMarker(Terminal terminal, String nonce, Deadline deadline)
      throws IOException, InterruptedException {
    var marker = (nonce + "\n").getBytes(StandardCharsets.US_ASCII);
    var seen = new ByteArrayOutputStream();
    while (true) {
      var bytes = terminal.read(deadline);
      if (bytes.length == 0) {
        throw new IOException("The shell did not start the attach program in time");
      }
      seen.writeBytes(bytes);
      var all = seen.toByteArray();
      var end = endOf(marker, all);
      if (end >= 0) {
        return Arrays.copyOfRange(all, end, all.length);
      }
      if (all.length > NOISE_BYTES_MAX) {
        throw new IOException("The shell says too much before it starts the attach program");
      }
    }
  }

  private static int endOf(byte[] marker, byte[] bytes) {
    for (var start = 0; start + marker.length <= bytes.length; start++) {
      if (Arrays.equals(marker, 0, marker.length, bytes, start, start + marker.length)) {
        return start + marker.length;
      }
    }
    return -1;
  }

  /// The attach program begins with a note; what begins otherwise is the shell, which could not start it.
  @Override
  public void awaitGreeting(Deadline deadline) throws IOException, InterruptedException {
    if (early.length == 0) {
      early = terminal.read(deadline.within(ATTACHED_WITHIN));
    }
    if (early.length == 0 || early[0] != Journal.NOTE) {
      throw new IOException("The shell did not start the attach program");
    }
  }

  @Override
  public byte[] read(Deadline deadline) throws IOException, InterruptedException {
    if (early.length > 0) {
      var bytes = early;
      early = new byte[0];
      return bytes;
    }
    return terminal.read(deadline);
  }

  @Override
  public void start(Launch launch, Beginning beginning) throws IOException {
    send(launch.line(beginning));
  }

  @Override
  public void give(String id, String command) throws IOException {
    if (command.length() > COMMAND_BYTES_MAX) {
      drop(id, command);
    } else {
      // The command is JSON already; wrapping it by hand spares parsing it once more.
      send("{\"give\":{\"id\":" + Fold.line(id) + ",\"command\":" + command + "}}");
    }
  }

  private void drop(String id, String command) throws IOException {
    try {
      Keeper.drop(sandbox, fence, id, command);
    } catch (Failure failure) {
      throw new IOException("A command could not be put into the keeper's folder", failure);
    }
  }

  private void send(String line) throws IOException {
    terminal.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    terminal.close();
  }
}
