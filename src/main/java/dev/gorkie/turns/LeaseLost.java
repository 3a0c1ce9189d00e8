package dev.gorkie.turns;

import dev.gorkie.inbox.Claim;

/// Another worker has this thread. There is nothing to say and nothing to write: all of it is theirs now.
final class LeaseLost extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LeaseLost(Claim claim) {
    super("Turn " + claim.turn() + ", fence " + claim.fence());
  }

  LeaseLost(Claim claim, RuntimeException cause) {
    super("Turn " + claim.turn() + ", fence " + claim.fence(), cause);
  }
}
