package dev.gorkie.turns;

import dev.gorkie.inbox.Claim;
import dev.gorkie.slack.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A claim, as far as it concerns whoever speaks in the thread.
record Holding(Claim claim) implements Hold {

  @Override
  public long fence() {
    return claim.fence();
  }

  @Override
  public boolean lasts(Duration atLeast) {
    return claim.isHeldFor(atLeast);
  }

  @Override
  public Optional<Instant> lapsed() {
    return claim.lapsed();
  }

  @Override
  public int turns() {
    return claim.turns();
  }
}
