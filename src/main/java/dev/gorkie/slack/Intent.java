package dev.gorkie.slack;

import java.util.Optional;
import java.util.function.Supplier;

/// What is written down before something is said, once there is an allowance for it: whoever has to wait has written nothing.
///
/// Not together with the price, though that would save a transaction: a workspace's turns share a row of the allowances, and each
/// would have it for as long as several statements take.
final class Intent {

  private final Supplier<OutboxRow> write;
  private Optional<OutboxRow> row = Optional.empty();

  /// @param write the row that tells of it
  Intent(Supplier<OutboxRow> write) {
    this.write = write;
  }

  void write() {
    row = Optional.of(write.get());
  }

  /// Empty while there was no allowance for it.
  Optional<OutboxRow> row() {
    return row;
  }
}
