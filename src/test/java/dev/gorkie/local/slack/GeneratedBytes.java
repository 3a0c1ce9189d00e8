package dev.gorkie.local.slack;

import java.io.InputStream;
import java.util.Random;

/// A stream of so many bytes that look like noise and are the same ones each time.
final class GeneratedBytes extends InputStream {
  private final Random noise = new Random(20);
  private final byte[] block = new byte[64 * 1024];
  private long left;
  private int at = block.length;

  GeneratedBytes(long bytes) {
    left = bytes;
  }

  @Override
  public int read() {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (left == 0) {
      return -1;
    }
    if (at == block.length) {
      noise.nextBytes(block);
      at = 0;
    }
    var some = (int) Math.min(Math.min(length, block.length - at), left);
    System.arraycopy(block, at, into, offset, some);
    at += some;
    left -= some;
    return some;
  }
}
