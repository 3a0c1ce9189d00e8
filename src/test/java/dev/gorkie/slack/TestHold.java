package dev.gorkie.slack;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A hold that lasts until the test ends it.
final class TestHold implements Hold {

  private final long fence;
  private final Optional<Instant> lapsed;
  private volatile Duration left = Duration.ofHours(1);

  TestHold(long fence) {
    this(fence, Optional.empty());
  }

  TestHold(long fence, Optional<Instant> lapsed) {
    this.fence = fence;
    this.lapsed = lapsed;
  }

  void lose() {
    left = Duration.ofSeconds(-1);
  }

  /// From now on it has no more than this left, until it is renewed.
  void has(Duration left) {
    this.left = left;
  }

  @Override
  public long fence() {
    return fence;
  }

  @Override
  public boolean lasts(Duration atLeast) {
    return left.compareTo(atLeast) > 0;
  }

  @Override
  public Optional<Instant> lapsed() {
    return lapsed;
  }

  @Override
  public int turns() {
    return 1;
  }
}
