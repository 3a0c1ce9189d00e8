package dev.gorkie.campaign;

import java.time.Duration;
import java.util.Optional;

/// What is to go wrong in a history.
interface Plan {

  /// Asked once for each boundary, in the order in which they are reached.
  Optional<Fault> at(String boundary);

  /// Where, for who wants the same once more; empty where the history's seed says it.
  default Optional<String> boundary() {
    return Optional.empty();
  }

  /// How late in its part's weather the history began, for who wants the same once more.
  default Optional<Duration> begunAt() {
    return Optional.empty();
  }

  /// Whether the history is about nothing else.
  default boolean isAwaited() {
    return boundary().isPresent();
  }

  static Plan none() {
    return _ -> Optional.empty();
  }

  /// One fault, once.
  static Plan of(Fault fault) {
    return new Once(fault);
  }

  /// A fault at a boundary that comes once.
  record Once(Fault fault) implements Plan {

    @Override
    public Optional<Fault> at(String boundary) {
      return Optional.of(fault).filter(it -> it.boundary().equals(boundary));
    }

    @Override
    public Optional<String> boundary() {
      return Optional.of(fault.boundary());
    }

    @Override
    public String toString() {
      return fault.toString();
    }
  }
}
