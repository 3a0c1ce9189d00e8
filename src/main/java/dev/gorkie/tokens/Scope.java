package dev.gorkie.tokens;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What a token may be used for.
public enum Scope {
  /// To run code.
  EXECUTE,
  /// To look at files, and to fetch what was made.
  READ,
  /// To change files.
  WRITE,
  /// To look after the sessions and policies of all tenants; nothing else.
  ADMIN;

  /// All that have something done: whoever may ask for it may ask what came of it.
  public static final Set<Scope> OF_PROGRAMS = Set.of(EXECUTE, READ, WRITE);

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Scope> of(String wire) {
    for (var scope : values()) {
      if (scope.wire().equals(wire)) {
        return Optional.of(scope);
      }
    }
    return Optional.empty();
  }
}
