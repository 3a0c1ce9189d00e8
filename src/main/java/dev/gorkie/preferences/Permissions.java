package dev.gorkie.preferences;

import java.util.Locale;
import java.util.Optional;

/// What the agent may do by itself; from the loosest to the strictest.
public enum Permissions {
  /// Everything.
  BYPASS,
  /// Write files; each command is asked for.
  EDIT,
  /// Read; each command and each write is asked for.
  ASK;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Permissions> read(String word) {
    for (var one : values()) {
      if (one.word().equals(word.toLowerCase(Locale.ROOT))) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
