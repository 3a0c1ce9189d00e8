package dev.gorkie.ingress;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Worker;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.slack.SlackEvent;
import dev.gorkie.turns.Turns;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/// What happens behind the second door, whichever way one came through it.
@ApplicationScoped
class Work implements Worker {

  private static final Logger LOG = Logger.getLogger(Work.class);

  // A server has no end of its own. This one is longer than any run, so that a turn without end is
  // noticed.
  private static final Duration SERVER_TURN_MAX = Duration.ofHours(6);

  private final Inbox inbox;
  private final Turns turns;

  @Inject
  Work(Inbox inbox, Turns turns) {
    this.inbox = inbox;
    this.turns = turns;
  }

  @Override
  public Optional<ThreadKey> accept(Delivery delivery) {
    var event = SlackEvent.read(delivery.body());
    var accepted = inbox.accept(event, delivery.body());
    LOG.infof("%s of thread %s: %s", event.getClass().getSimpleName(), event.thread(), accepted);
    return switch (accepted) {
      // A message that is known may be one whose wake was lost.
      case WAITING, KNOWN -> event.thread();
      case CHANGED, NOT_FOR_US -> Optional.empty();
    };
  }

  @Override
  public void work(ThreadKey thread) throws InterruptedException {
    work(thread, Deadline.in(SERVER_TURN_MAX));
  }

  void work(ThreadKey thread, Deadline deadline) throws InterruptedException {
    turns.run(thread, deadline);
  }
}
