package dev.gorkie.workbench;

import java.security.SecureRandom;
import java.util.stream.Collectors;

/// What operations and artifacts are called.
final class Ids {

  private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";
  // 100 bits: found by nobody.
  private static final int LENGTH = 20;

  private Ids() {}

  static String of(String kind) {
    return kind
        + "-"
        + new SecureRandom()
            .ints(LENGTH, 0, CHARACTERS.length())
            .mapToObj(at -> CHARACTERS.substring(at, at + 1))
            .collect(Collectors.joining());
  }
}
