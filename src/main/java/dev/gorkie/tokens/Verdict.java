package dev.gorkie.tokens;

import java.time.Duration;
import java.util.Set;

/// Whether a call may be made.
public sealed interface Verdict {

  record Good(Bearer bearer) implements Verdict {}

  /// There is no such token, or not any more. Which of the two is nobody's business.
  record Unknown() implements Verdict {}

  /// It is good for other things.
  record NotForThis(Set<Scope> anyOf) implements Verdict {}

  /// It was used too often just now.
  record TooOften(Duration pause) implements Verdict {}
}
