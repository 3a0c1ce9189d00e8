package dev.gorkie.files;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Gives files names that are safe in any directory and differ from each other, also where case does not count.
final class FileNames {

  // 255 bytes are the most a file system takes; some are left for a number and for the name while
  // it is uploaded.
  private static final int BYTES_MAX = 200;

  private final Set<String> taken = new HashSet<>();

  String distinct(String proposed) {
    var safe = safe(proposed);
    var name = safe;
    for (var number = 2; !taken.add(name.toLowerCase(Locale.ROOT)); number++) {
      name = numbered(safe, number);
    }
    return name;
  }

  static String safe(String proposed) {
    var safe = new StringBuilder();
    proposed
        .codePoints()
        .map(c -> isHarmless(c) ? c : '_')
        .takeWhile(c -> bytes(safe) + 4 <= BYTES_MAX)
        .forEach(safe::appendCodePoint);
    // A leading dot hides a file, and names of dots alone are directories.
    if (safe.isEmpty() || safe.charAt(0) == '.') {
      safe.insert(0, "file");
    }
    return safe.toString();
  }

  private static boolean isHarmless(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> "/\\:*?\"<>|".indexOf(c) < 0;
    };
  }

  private static String numbered(String name, int number) {
    var dot = name.lastIndexOf('.');
    return dot <= 0
        ? name + "-" + number
        : name.substring(0, dot) + "-" + number + name.substring(dot);
  }

  private static int bytes(StringBuilder text) {
    return text.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
