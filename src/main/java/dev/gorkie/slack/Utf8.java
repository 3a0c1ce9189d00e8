package dev.gorkie.slack;

/// Sizes as they are on the wire.
final class Utf8 {

  private Utf8() {}

  static int bytes(CharSequence text) {
    var bytes = 0;
    for (var at = 0; at < text.length(); ) {
      var codePoint = Character.codePointAt(text, at);
      bytes += bytes(codePoint);
      at += Character.charCount(codePoint);
    }
    return bytes;
  }

  /// The index up to which the text fits in so many bytes; never inside a surrogate pair.
  static int fitting(CharSequence text, int bytesMax) {
    var bytes = 0;
    var at = 0;
    while (at < text.length()) {
      var codePoint = Character.codePointAt(text, at);
      bytes += bytes(codePoint);
      if (bytes > bytesMax) {
        return at;
      }
      at += Character.charCount(codePoint);
    }
    return at;
  }

  private static int bytes(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
