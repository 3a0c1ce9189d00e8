package dev.gorkie.slack;

import dev.gorkie.slack.AttachmentRefused.Reason;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/// A stream that is trusted in nothing: not more bytes than allowed, and exactly as many as were announced.
final class Measured extends FilterInputStream {

  private final OptionalLong announced;
  private final long bytesMax;
  private long bytes;

  Measured(InputStream content, OptionalLong announced, long bytesMax) {
    super(content);
    this.announced = announced;
    this.bytesMax = bytesMax;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    var read = in.read(into, offset, length);
    if (read > 0) {
      bytes += read;
    }
    if (bytes > bytesMax) {
      throw new AttachmentRefused(Reason.TOO_LARGE, "more than " + bytesMax + " bytes");
    }
    var whole = announced.orElse(bytes);
    if (bytes > whole || read < 0 && bytes < whole) {
      throw new AttachmentRefused(Reason.NOT_WHOLE, bytes + " of " + whole + " bytes");
    }
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    var skipped = 0L;
    while (skipped < count && read() >= 0) {
      skipped++;
    }
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
