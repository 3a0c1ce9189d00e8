package dev.gorkie.local.daytona;

import java.nio.charset.StandardCharsets;

/// The last of what a terminal has written, for whoever looks over its shoulder.
final class Tail {

  private static final int BYTES_MAX = 16 * 1024;

  private final byte[] ring = new byte[BYTES_MAX];
  private long written;

  synchronized void add(byte[] bytes) {
    for (var one : bytes) {
      ring[(int) (written % BYTES_MAX)] = one;
      written++;
    }
  }

  /// What cannot be read as text is replaced, and so may be the first character.
  synchronized String text() {
    var length = (int) Math.min(written, BYTES_MAX);
    var bytes = new byte[length];
    for (var at = 0; at < length; at++) {
      bytes[at] = ring[(int) ((written - length + at) % BYTES_MAX)];
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
