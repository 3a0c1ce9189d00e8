package dev.gorkie.pi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks through bytes eight at a time.
final class Words {

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH = 0x0101010101010101L;
  private static final long HIGHEST = 0x8080808080808080L;
  private static final byte SPACE = ' ';

  private Words() {}

  /// Where this byte is next, from there on; behind the end when it is not there.
  static int find(byte[] bytes, int from, byte wanted) {
    var at = from;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      var found = zeros(word(bytes, at) ^ EACH * wanted) & HIGHEST;
      if (found != 0) {
        return at + lowest(found);
      }
    }
    while (at < bytes.length && bytes[at] != wanted) {
      at++;
    }
    return at;
  }

  /// Where in a string of JSON the next byte is that does not stand for itself: a quotation mark, a backslash or a control
  /// character; behind the end when there is none.
  static int special(byte[] bytes, int from) {
    var at = from;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      var word = word(bytes, at);
      var controls = (word - EACH * SPACE) & ~word;
      var found = (controls | zeros(word ^ EACH * '"') | zeros(word ^ EACH * '\\')) & HIGHEST;
      if (found != 0) {
        return at + lowest(found);
      }
    }
    while (at < bytes.length && !isSpecial(bytes[at])) {
      at++;
    }
    return at;
  }

  static boolean isAscii(byte[] bytes) {
    var at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      if ((word(bytes, at) & HIGHEST) != 0) {
        return false;
      }
    }
    while (at < bytes.length && bytes[at] >= 0) {
      at++;
    }
    return at == bytes.length;
  }

  private static boolean isSpecial(byte value) {
    return value == '"' || value == '\\' || value >= 0 && value < SPACE;
  }

  private static long word(byte[] bytes, int at) {
    return (long) WORDS.get(bytes, at);
  }

  /// Sets the highest bit of a byte that is zero. What is borrowed for it may set that of a byte above, never of one below.
  private static long zeros(long word) {
    return (word - EACH) & ~word;
  }

  private static int lowest(long found) {
    return Long.numberOfTrailingZeros(found) / Byte.SIZE;
  }
}
