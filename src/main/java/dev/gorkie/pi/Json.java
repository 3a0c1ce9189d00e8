package dev.gorkie.pi;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BiConsumer;

/// A value of JSON, read where it stands: the bytes are checked as a whole, once, and nothing is copied out of them before
/// somebody asks for it. Of several members with one name the last counts.
final class Json implements Iterable<Json> {

  private static final byte[] HALF_A_PAIR = "\uFFFD".getBytes(StandardCharsets.UTF_8);
  private static final Json MISSING = new Json(new byte[0], new int[0], 0);

  private final byte[] bytes;
  // Two numbers for each value, in the order of the text; a member's name comes before its value.
  // First where it begins. Then, of an object or a list, the place behind all that is in it; of
  // anything else where it ends, made negative for a string with escapes.
  private final int[] places;
  private final int at;

  private Json(byte[] bytes, int[] places, int at) {
    this.bytes = bytes;
    this.places = places;
    this.at = at;
  }

  /// Empty when this is no JSON, or beyond what there can be of it.
  static Optional<Json> read(byte[] bytes) {
    var scan = new Scan(bytes);
    return scan.isWhole() && isUtf8(bytes)
        ? Optional.of(new Json(bytes, scan.places, 0))
        : Optional.empty();
  }

  private static boolean isUtf8(byte[] bytes) {
    if (Words.isAscii(bytes)) {
      return true;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }

  static Optional<Json> read(String text) {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The member of this name, which is ASCII as all of Pi's and the keeper's are; else a value that is nothing.
  Json path(String name) {
    if (!isObject()) {
      return MISSING;
    }
    var found = -1;
    for (var key = at + 2; key < places[at + 1]; key = after(key + 2)) {
      if (isNamed(key, name)) {
        found = key + 2;
      }
    }
    return found < 0 ? MISSING : new Json(bytes, places, found);
  }

  /// Each member's name and value.
  void members(BiConsumer<String, Json> each) {
    if (isObject()) {
      for (var key = at + 2; key < places[at + 1]; key = after(key + 2)) {
        each.accept(string(key), new Json(bytes, places, key + 2));
      }
    }
  }

  /// What is in a list; of anything else nothing.
  @Override
  public Iterator<Json> iterator() {
    return new Iterator<>() {
      private int next = first() == '[' ? at + 2 : Integer.MAX_VALUE;

      @Override
      public boolean hasNext() {
        return next != Integer.MAX_VALUE && next < places[at + 1];
      }

      @Override
      public Json next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        var element = new Json(bytes, places, next);
        next = after(next);
        return element;
      }
    };
  }

  boolean isObject() {
    return first() == '{';
  }

  boolean isText() {
    return first() == '"';
  }

  /// Whether it is neither an object nor a list, nor nothing.
  boolean isScalar() {
    return places.length > 0 && !isObject() && first() != '[';
  }

  /// A string's content, or what a number or word looks like; of anything else nothing.
  String text() {
    if (isText()) {
      return string(at);
    }
    return isScalar()
        ? new String(bytes, places[at], places[at + 1] - places[at], StandardCharsets.US_ASCII)
        : "";
  }

  boolean isTrue(boolean otherwise) {
    return switch (first()) {
      case 't' -> true;
      case 'f' -> false;
      default -> otherwise;
    };
  }

  /// A number without what comes behind its point; of anything else zero.
  long number() {
    return number(0);
  }

  long number(long otherwise) {
    if (!isNumber()) {
      return otherwise;
    }
    var text = text();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      return (long) Double.parseDouble(text);
    }
  }

  /// A number; of anything else, or of one that is too large to count with, zero.
  double decimal() {
    var value = isNumber() ? Double.parseDouble(text()) : 0;
    return Double.isFinite(value) ? value : 0;
  }

  private boolean isNumber() {
    return first() == '-' || first() >= '0' && first() <= '9';
  }

  private byte first() {
    return places.length == 0 ? 0 : bytes[places[at]];
  }

  /// The place behind a value and all that is in it.
  private int after(int value) {
    var first = bytes[places[value]];
    return first == '{' || first == '[' ? places[value + 1] : value + 2;
  }

  private boolean isNamed(int key, String name) {
    var from = places[key] + 1;
    var end = places[key + 1] - 1;
    if (end < 0) {
      return string(key).equals(name);
    }
    if (end - from != name.length()) {
      return false;
    }
    for (var i = 0; i < name.length(); i++) {
      if (bytes[from + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String string(int value) {
    var from = places[value] + 1;
    var end = places[value + 1];
    return end > 0
        ? new String(bytes, from, end - 1 - from, StandardCharsets.UTF_8)
        : unescaped(from, -end - 1);
  }

  /// An escape is never shorter than the bytes that it stands for.
  private String unescaped(int from, int end) {
    var text = new byte[end - from];
    var length = 0;
    var at = from;
    while (at < end) {
      var plain = Words.special(bytes, at);
      System.arraycopy(bytes, at, text, length, plain - at);
      length += plain - at;
      at = plain;
      if (at < end) {
        var word = bytes[at + 1];
        if (word == 'u') {
          var character = (char) hex(at + 2);
          at += 6;
          if (Character.isHighSurrogate(character)
              && at + 6 <= end
              && bytes[at] == '\\'
              && bytes[at + 1] == 'u'
              && Character.isLowSurrogate((char) hex(at + 2))) {
            length += put(text, length, Character.toCodePoint(character, (char) hex(at + 2)));
            at += 6;
          } else {
            length += put(text, length, character);
          }
        } else {
          text[length++] = meaning(word);
          at += 2;
        }
      }
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  private int hex(int from) {
    var value = 0;
    for (var i = from; i < from + 4; i++) {
      value = value << 4 | Character.digit(bytes[i], 16);
    }
    return value;
  }

  /// Half of a pair is no character, and neither a database nor Slack takes it.
  private static int put(byte[] text, int at, int character) {
    var encoded =
        Character.isBmpCodePoint(character) && Character.isSurrogate((char) character)
            ? HALF_A_PAIR
            : Character.toString(character).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(encoded, 0, text, at, encoded.length);
    return encoded.length;
  }

  private static byte meaning(byte escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escape;
    };
  }

  /// The one walk over the bytes. It stops where they are no JSON.
  private static final class Scan {

    private static final int PLACES = 64;

    private final byte[] bytes;
    private int[] places = new int[PLACES];
    private int used;
    private int at;
    private int depth;

    Scan(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean isWhole() {
      skipSpace();
      if (!value()) {
        return false;
      }
      skipSpace();
      return at == bytes.length;
    }

    private boolean value() {
      return switch (here()) {
        case '{' -> container('}', true);
        case '[' -> container(']', false);
        case '"' -> string();
        case 't' -> word("true");
        case 'f' -> word("false");
        case 'n' -> word("null");
        default -> number();
      };
    }

    private boolean container(char end, boolean isObject) {
      var place = add(at, 0);
      at++;
      if (++depth > Bounds.DEPTH_MAX) {
        return false;
      }
      skipSpace();
      if (here() != end && !elements(end, isObject)) {
        return false;
      }
      depth--;
      at++;
      places[place + 1] = used;
      return true;
    }

    private boolean elements(char end, boolean isObject) {
      while (true) {
        if (isObject && !name() || !value()) {
          return false;
        }
        skipSpace();
        if (here() == end) {
          return true;
        }
        if (here() != ',') {
          return false;
        }
        at++;
        skipSpace();
      }
    }

    private boolean name() {
      if (here() != '"' || !string()) {
        return false;
      }
      skipSpace();
      if (here() != ':') {
        return false;
      }
      at++;
      skipSpace();
      return true;
    }

    private boolean string() {
      var from = at++;
      var isEscaped = false;
      while (true) {
        at = Words.special(bytes, at);
        if (here() == '"') {
          at++;
          add(from, isEscaped ? -at : at);
          return true;
        }
        if (here() != '\\' || !escape()) {
          return false;
        }
        isEscaped = true;
      }
    }

    private boolean escape() {
      at++;
      switch (here()) {
        case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at++;
        case 'u' -> {
          at++;
          for (var end = at + 4; at < end; at++) {
            if (Character.digit(here(), 16) < 0) {
              return false;
            }
          }
        }
        default -> {
          return false;
        }
      }
      return true;
    }

    private boolean word(String word) {
      var from = at;
      for (var i = 0; i < word.length(); i++, at++) {
        if (here() != word.charAt(i)) {
          return false;
        }
      }
      add(from, at);
      return true;
    }

    private boolean number() {
      var from = at;
      if (here() == '-') {
        at++;
      }
      if (here() == '0') {
        at++;
      } else if (!digits()) {
        return false;
      }
      if (here() == '.') {
        at++;
        if (!digits()) {
          return false;
        }
      }
      if (here() == 'e' || here() == 'E') {
        at++;
        if (here() == '+' || here() == '-') {
          at++;
        }
        if (!digits()) {
          return false;
        }
      }
      add(from, at);
      return at - from <= Bounds.DIGITS_MAX;
    }

    private boolean digits() {
      var from = at;
      while (here() >= '0' && here() <= '9') {
        at++;
      }
      return at > from;
    }

    private int add(int from, int end) {
      if (used == places.length) {
        places = Arrays.copyOf(places, 2 * used);
      }
      places[used] = from;
      places[used + 1] = end;
      used += 2;
      return used - 2;
    }

    private void skipSpace() {
      while (here() == ' ' || here() == '\t' || here() == '\r' || here() == '\n') {
        at++;
      }
    }

    /// Zero behind the end, which is nothing that JSON has a place for.
    private byte here() {
      return at < bytes.length ? bytes[at] : 0;
    }
  }
}
