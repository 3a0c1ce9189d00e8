package dev.gorkie.slack;

import java.util.Optional;
import java.util.function.Supplier;

/// What is written down before something is said: in one transaction with the price of the call, so that nothing counts as being said
/// for which there was no allowance.
final class Intent {

  private final Supplier<OutboxRow> write;
  private Optional<OutboxRow> row = Optional.empty();

  /// @param write the row that tells of it; only inside a transaction of the caller's
  Intent(Supplier<OutboxRow> write) {
    this.write = write;
  }

  /// Only inside a transaction of the caller's.
  void write() {
    row = Optional.of(write.get());
  }

  /// Empty while there was no allowance for it.
  Optional<OutboxRow> row() {
    return row;
  }
}
