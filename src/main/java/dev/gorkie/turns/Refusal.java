package dev.gorkie.turns;

import dev.gorkie.inbox.Claim;
import dev.gorkie.pi.Agent;

/// What is done when a keeper refuses our commands since it knows a higher fence. Where the database does not, the keeper is wrong
/// and is started anew, once.
final class Refusal {

  private final Claim claim;
  private final Agent agent;
  private boolean restarted;

  Refusal(Claim claim, Agent agent) {
    this.claim = claim;
    this.agent = agent;
  }

  void heard() {
    if (restarted || !claim.isOurs()) {
      throw new LeaseLost(claim);
    }
    restarted = true;
    agent.restartKeeper();
  }
}
