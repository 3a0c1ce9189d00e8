package dev.gorkie.pi;

import dev.gorkie.Deadline;
import dev.gorkie.sandbox.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;

/// A terminal in which the attach program says what it was recorded to say, until the line is cut.
final class CutTerminal implements Terminal {

  private static final Pattern LAUNCH =
      Pattern.compile(
          "stty raw -echo; printf '%s%s\\\\n' '([^']+)' '([^']+)';"
              + " exec \"\\$GORKIE/bin/keeper\" attach --fence \\d+ --offset (\\d+) 2>/dev/null \\|\\| exit 127\n");

  // As a kernel hands it out.
  private static final int PIECE_BYTES_MAX = 4_095;

  private final RecordedJournal journal;
  private final long cut;
  private final ByteArrayOutputStream marker = new ByteArrayOutputStream();
  private byte[] attached = new byte[0];
  private int end;
  private int read;

  /// Cut after so many bytes of the journal, which begin behind the first note.
  CutTerminal(RecordedJournal journal, long cut) {
    this.journal = journal;
    this.cut = cut;
  }

  @Override
  public void write(byte[] bytes) {
    var launch = LAUNCH.matcher(new String(bytes, StandardCharsets.UTF_8));
    if (launch.matches()) {
      launched(launch.group(1) + launch.group(2), Long.parseLong(launch.group(3)));
    }
  }

  private void launched(String nonce, long offset) {
    attached =
        Objects.requireNonNull(
            journal.attached().get(offset), offset + " is the beginning of no record");
    end = (int) Math.min(attached.length, attached.length - journal.end() + cut);
    marker.writeBytes((nonce + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public byte[] read(Deadline deadline) throws IOException {
    if (marker.size() > 0) {
      var first = marker.toByteArray();
      marker.reset();
      return first;
    }
    if (read == end) {
      throw new IOException("cut");
    }
    var from = read;
    read = Math.min(end, read + PIECE_BYTES_MAX);
    return Arrays.copyOfRange(attached, from, read);
  }

  @Override
  public void close() {}
}
