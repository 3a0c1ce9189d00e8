package dev.gorkie.ingress;

import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.slack.SlackEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jboss.logging.Logger;

/// What becomes of a genuine delivery, by whichever way it came: what can matter is carried on, and what cannot ends here.
@ApplicationScoped
class Reception {

  private static final Logger LOG = Logger.getLogger(Reception.class);

  private final Handoff handoff;
  private final Leaving leaving;

  @Inject
  Reception(Handoff handoff, Leaving leaving) {
    this.handoff = handoff;
    this.leaving = leaving;
  }

  /// What Slack is to hear.
  sealed interface Reply {
    record Taken() implements Reply {}

    /// Nobody could take it; it is to come again.
    record Busy() implements Reply {}

    /// Slack wants this word back.
    record Challenge(String word) implements Reply {}

    record Malformed(String reason) implements Reply {}
  }

  Reply receive(SlackEvent event, byte[] body) {
    return switch (event) {
      case SlackEvent.UrlVerification(var challenge) -> new Reply.Challenge(challenge);
      case SlackEvent.Malformed(var reason) -> {
        LOG.warnf("Refused a genuine delivery: %s", reason);
        yield new Reply.Malformed(reason);
      }
      case SlackEvent.Ignored(var reason) -> {
        LOG.debugf("Ignored an event: %s", reason);
        yield new Reply.Taken();
      }
      case SlackEvent.Unknown(var type) -> {
        LOG.infof("Ignored an event of type %s", type);
        yield new Reply.Taken();
      }
      case SlackEvent.Said _,
          SlackEvent.Edited _,
          SlackEvent.Deleted _,
          SlackEvent.Decided _,
          SlackEvent.Chosen _,
          SlackEvent.Stopping _,
          SlackEvent.Slashed _,
          SlackEvent.Visited _,
          SlackEvent.Looking _,
          SlackEvent.Joining _ ->
          !leaving.hasBegun() && handoff.carry(new Delivery(body))
              ? new Reply.Taken()
              : new Reply.Busy();
    };
  }
}
