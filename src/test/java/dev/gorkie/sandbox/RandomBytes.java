package dev.gorkie.sandbox;

import java.io.InputStream;
import java.util.SplittableRandom;

/// So many bytes, the same each time, and never in memory together.
public final class RandomBytes extends InputStream {

  private final SplittableRandom random = new SplittableRandom(1);
  private long left;

  public RandomBytes(long length) {
    this.left = length;
  }

  @Override
  public int read() {
    if (left == 0) {
      return -1;
    }
    left--;
    return random.nextInt(256);
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (left == 0) {
      return -1;
    }
    var bytes = new byte[(int) Math.min(length, left)];
    random.nextBytes(bytes);
    System.arraycopy(bytes, 0, into, offset, bytes.length);
    left -= bytes.length;
    return bytes.length;
  }
}
