package dev.gorkie.campaign;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/// A frame of a WebSocket.
///
/// @param bytes as it travels
/// @param text what it carries, unmasked
record Frame(byte[] bytes, String text, boolean isData) {

  private static final Pattern RECORD = Pattern.compile("[{#]\\{?\"(?:type\":\")?(\\w+)\"");
  private static final int LONG = 126;
  private static final int VERY_LONG = 127;
  private static final int CONTROL = 8;

  /// Empty at the end of the connection.
  static Optional<Frame> read(InputStream from) throws IOException {
    var in = new DataInputStream(from);
    var first = in.read();
    if (first < 0) {
      return Optional.empty();
    }
    var second = in.readUnsignedByte();
    var short7 = second & 0x7f;
    var length =
        switch (short7) {
          case LONG -> in.readUnsignedShort();
          case VERY_LONG -> Math.toIntExact(in.readLong());
          default -> short7;
        };
    var isMasked = (second & 0x80) != 0;
    var mask = in.readNBytes(isMasked ? 4 : 0);
    var payload = in.readNBytes(length);
    if (payload.length < length) {
      throw new EOFException("a frame broke off");
    }
    var bytes = ByteBuffer.allocate(14 + length);
    bytes.put((byte) first).put((byte) second);
    if (short7 == LONG) {
      bytes.putShort((short) length);
    } else if (short7 == VERY_LONG) {
      bytes.putLong(length);
    }
    bytes.put(mask).put(payload).flip();
    var whole = new byte[bytes.remaining()];
    bytes.get(whole);
    for (var at = 0; at < payload.length && isMasked; at++) {
      payload[at] ^= mask[at % mask.length];
    }
    return Optional.of(
        new Frame(whole, new String(payload, StandardCharsets.UTF_8), (first & 0x0f) < CONTROL));
  }

  /// What it is called: the first record or note in it.
  String name() {
    if (text.startsWith("stty")) {
      return "launch";
    }
    var found = RECORD.matcher(text);
    return found.find() ? found.group(1) : "bytes";
  }
}
