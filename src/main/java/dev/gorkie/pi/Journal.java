package dev.gorkie.pi;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;

/// Cuts the bytes of the attach channel into lines and counts the journal's offset.
///
/// Bytes first, lines second, characters last: pieces arrive cut anywhere, in the middle of a character too, and only
/// LF ends a line.
final class Journal {

  // The keeper writes no record above 300 KiB. What is longer is no record of the keeper's and is
  // skipped, counted.
  static final int LINE_BYTES_MAX = 1024 * 1024;

  /// What a line begins with that is no record.
  static final byte NOTE = '#';

  private static final byte LF = '\n';

  private final Queue<Line> lines = new ArrayDeque<>();
  private final ByteArrayOutputStream open = new ByteArrayOutputStream();
  private long openBytes;
  private boolean openIsNote;
  private long offset;

  Journal(long offset) {
    this.offset = offset;
  }

  /// One line without its LF. A record says the offset after it; a note has none.
  sealed interface Line {
    record Record(byte[] json, long nextOffset) implements Line {}

    record Note(byte[] json) implements Line {}

    record Oversize(long bytes, long nextOffset) implements Line {}
  }

  void feed(byte[] bytes) {
    var start = 0;
    for (var end = Words.find(bytes, 0, LF);
        end < bytes.length;
        end = Words.find(bytes, start, LF)) {
      if (openBytes == 0 && end - start <= LINE_BYTES_MAX) {
        whole(bytes, start, end);
      } else {
        append(bytes, start, end - start);
        end();
      }
      start = end + 1;
    }
    append(bytes, start, bytes.length - start);
  }

  Optional<Line> next() {
    return Optional.ofNullable(lines.poll());
  }

  /// Where to go on after a connection was lost: what had no LF yet comes again as a whole.
  void moveTo(long confirmed) {
    lines.clear();
    open.reset();
    openBytes = 0;
    offset = confirmed;
  }

  private void append(byte[] bytes, int from, int length) {
    if (length == 0) {
      return;
    }
    if (openBytes == 0) {
      openIsNote = bytes[from] == NOTE;
    }
    openBytes += length;
    if (openBytes <= LINE_BYTES_MAX) {
      open.write(bytes, from, length);
    } else {
      open.reset();
    }
  }

  private void end() {
    if (openBytes <= LINE_BYTES_MAX) {
      whole(open.toByteArray(), 0, open.size());
    } else if (!openIsNote) {
      offset += openBytes + 1;
      lines.add(new Line.Oversize(openBytes, offset));
    }
    open.reset();
    openBytes = 0;
  }

  private void whole(byte[] bytes, int from, int to) {
    if (from < to && bytes[from] == NOTE) {
      lines.add(new Line.Note(Arrays.copyOfRange(bytes, from + 1, to)));
    } else {
      offset += to - from + 1;
      lines.add(new Line.Record(Arrays.copyOfRange(bytes, from, to), offset));
    }
  }
}
