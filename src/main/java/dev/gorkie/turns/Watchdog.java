package dev.gorkie.turns;

import dev.gorkie.inbox.Claim;
import dev.gorkie.pi.Agent;
import java.time.Duration;
import java.time.Instant;
import org.jboss.logging.Logger;

/// Ends a run from which nothing is heard any more although no tool works: asks Pi first whether it is still there.
final class Watchdog {

  private static final Logger LOG = Logger.getLogger(Watchdog.class);

  private final Claim claim;
  private final Agent agent;
  private final Duration silenceMax;
  private final Duration answersWithin;
  private Instant asked = Instant.MAX;
  private boolean ended;

  Watchdog(Claim claim, Agent agent, TurnSettings settings) {
    this.claim = claim;
    this.agent = agent;
    this.silenceMax = settings.silenceMax();
    this.answersWithin = settings.answersWithin();
  }

  /// To be called now and then. The end of the run comes as an event like any other.
  void look() throws InterruptedException {
    if (agent.silence().compareTo(silenceMax) < 0) {
      asked = Instant.MAX;
    } else if (asked.equals(Instant.MAX)) {
      LOG.warnf("Turn %d: nothing was heard for %s", claim.turn(), agent.silence());
      asked = Instant.now();
      agent.probe(Commands.probe(claim.turn(), claim.fence()));
    } else if (!ended && Instant.now().isAfter(asked.plus(answersWithin))) {
      ended = true;
      agent.stop(Commands.watchdog(claim.turn(), agent.isProbeAnswered()));
    }
  }
}
