package dev.gorkie.workbench;

import java.util.Locale;

/// What may be done in a sandbox.
public enum Kind {
  EXECUTE(false),
  READ(true),
  READ_BINARY(true),
  GREP(true),
  GLOB(true),
  WRITE(true),
  COPY(true);

  private final boolean repeatable;

  Kind(boolean repeatable) {
    this.repeatable = repeatable;
  }

  /// As the sandbox knows it.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether it comes to the same when it is done a second time, on another machine even.
  boolean isRepeatable() {
    return repeatable;
  }
}
