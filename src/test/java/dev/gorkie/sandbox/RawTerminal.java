package dev.gorkie.sandbox;

import dev.gorkie.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/// A terminal in raw mode, past its shell's banner and prompt, read in exact amounts.
public final class RawTerminal implements AutoCloseable {

  private static final String MARKER = "raw-from-here";
  private static final Duration READ_MOST = Duration.ofSeconds(30);

  private final Terminal terminal;
  private byte[] rest = new byte[0];

  private RawTerminal(Terminal terminal) {
    this.terminal = terminal;
  }

  /// The command is what the shell becomes or does last: `exec cat`, or something that ends in `exit 7`.
  static RawTerminal open(Terminal terminal, String command)
      throws IOException, InterruptedException {
    var raw = new RawTerminal(terminal);
    // The shell echoes what is typed, so the marker must not stand in it as it will be printed.
    var line = "stty raw -echo; printf '%s%s' raw- from-here; " + command + "\n";
    raw.write(line);
    var seen = new StringBuilder();
    while (seen.indexOf(MARKER) < 0) {
      seen.append(new String(raw.more(), StandardCharsets.ISO_8859_1));
    }
    raw.rest =
        seen.substring(seen.indexOf(MARKER) + MARKER.length())
            .getBytes(StandardCharsets.ISO_8859_1);
    return raw;
  }

  public Terminal wrapped() {
    return terminal;
  }

  public void write(String text) throws IOException {
    terminal.write(text.getBytes(StandardCharsets.UTF_8));
  }

  public void write(byte[] bytes) throws IOException {
    terminal.write(bytes);
  }

  public byte[] read(int length) throws IOException, InterruptedException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(rest);
    while (bytes.size() < length) {
      bytes.writeBytes(more());
    }
    var all = bytes.toByteArray();
    rest = Arrays.copyOfRange(all, length, all.length);
    return Arrays.copyOf(all, length);
  }

  public String readText(int length) throws IOException, InterruptedException {
    return new String(read(length), StandardCharsets.UTF_8);
  }

  /// Reads on until the terminal is gone, and says why it is.
  public String awaitEnd() throws InterruptedException {
    while (true) {
      try {
        rest = more();
      } catch (IOException end) {
        return String.valueOf(end.getMessage());
      }
    }
  }

  private byte[] more() throws IOException, InterruptedException {
    var bytes = terminal.read(Deadline.in(READ_MOST));
    if (bytes.length == 0) {
      throw new AssertionError("The terminal said nothing for " + READ_MOST);
    }
    return bytes;
  }

  @Override
  public void close() {
    terminal.close();
  }
}
