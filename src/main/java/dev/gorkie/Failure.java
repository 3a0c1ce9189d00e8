package dev.gorkie;

import org.jspecify.annotations.Nullable;

/// What ends a turn: a code somebody can act on. What cannot happen is a bug and no `Failure`.
public final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient FailureCode code;

  public Failure(FailureCode code, String detail) {
    this(code, detail, null);
  }

  /// The detail is for the log only and holds neither a secret nor what a person wrote.
  public Failure(FailureCode code, String detail, @Nullable Throwable cause) {
    super(code.name() + ": " + detail, cause);
    this.code = code;
  }

  public FailureCode code() {
    return code;
  }
}
