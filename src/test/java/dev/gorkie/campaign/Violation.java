package dev.gorkie.campaign;

/// A promise that a history broke.
///
/// @param promise its number, such as `I1`
record Violation(String promise, String seen) {

  @Override
  public String toString() {
    return promise + ": " + seen;
  }
}
