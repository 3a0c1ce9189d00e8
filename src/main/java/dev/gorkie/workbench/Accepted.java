package dev.gorkie.workbench;

/// What becomes of an order.
public sealed interface Accepted {

  /// It is written down, just now or when it was first asked for.
  record Operation(String id) implements Accepted {}

  /// Something else was asked for under this key.
  record KeyTaken() implements Accepted {}

  /// There is no such policy, or another one holds in the session.
  record WrongPolicy(boolean isThere) implements Accepted {}

  /// The tenant has so many of those already.
  record TooMany(String of, int most) implements Accepted {}
}
