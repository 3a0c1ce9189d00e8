package dev.gorkie.ingress;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.commands.Commands;
import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Worker;
import dev.gorkie.inbox.Accepted;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.SlackEvent;
import dev.gorkie.turns.Turns;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// What happens behind the second door, whichever way one came through it.
@ApplicationScoped
class Work implements Worker {

  private static final Logger LOG = Logger.getLogger(Work.class);

  // A server has no end of its own. This one is longer than any run, so that a turn without end is
  // noticed.
  private static final Duration SERVER_TURN_MAX = Duration.ofHours(6);

  private final Inbox inbox;
  private final Commands commands;
  private final Turns turns;
  private final Replies replies;
  private final Settings settings;
  // One party for each thread that is worked on, and one for being open at all.
  private final Phaser atWork = new Phaser(1);
  private final Queue<String> toSay = new ConcurrentLinkedQueue<>();
  private volatile boolean leaving;

  @ConfigMapping(prefix = "gorkie.work")
  interface Settings {

    /// What it takes to leave a turn in order: note where we are, finish what is being said, close the terminal, wake the
    /// next worker.
    @WithDefault("60s")
    Duration leavesBefore();
  }

  @Inject
  Work(Inbox inbox, Commands commands, Turns turns, Replies replies, Settings settings) {
    this.inbox = inbox;
    this.commands = commands;
    this.turns = turns;
    this.replies = replies;
    this.settings = settings;
  }

  @Override
  public Optional<ThreadKey> accept(Delivery delivery) {
    var event = SlackEvent.read(delivery.body());
    var accepted = accept(event, delivery.body());
    LOG.infof("%s of thread %s: %s", event.getClass().getSimpleName(), event.thread(), accepted);
    return switch (accepted) {
      // A message that is known may be one whose wake was lost.
      case WAITING, KNOWN, OBEYED -> event.thread();
      case CHANGED, NOT_FOR_US -> Optional.empty();
    };
  }

  private Accepted accept(SlackEvent event, byte[] body) {
    if (event instanceof SlackEvent.Said(var said)
        && said.command().filter(command -> !command.word().waitsItsTurn()).isPresent()) {
      var accepted = commands.obey(said);
      // Also where it was obeyed before: whoever did may have got no further.
      if (accepted != Accepted.NOT_FOR_US) {
        toSay.add(Commands.subject(said));
      }
      return accepted;
    }
    return inbox.accept(event, body);
  }

  /// What was decided when it was accepted is said before anything else is done.
  private void say() throws InterruptedException {
    for (var subject = toSay.poll(); subject != null; subject = toSay.poll()) {
      replies.say(subject);
    }
  }

  @Override
  public void work(ThreadKey thread) throws InterruptedException {
    work(thread, Deadline.in(SERVER_TURN_MAX));
  }

  /// Until there is just enough time left to leave in order.
  void workFor(ThreadKey thread, Duration left) throws InterruptedException {
    var toLeave = settings.leavesBefore();
    work(thread, Deadline.in(left.compareTo(toLeave) > 0 ? left.minus(toLeave) : left));
  }

  private void work(ThreadKey thread, Deadline deadline) throws InterruptedException {
    if (leaving || atWork.register() < 0) {
      return;
    }
    try {
      say();
      turns.run(thread, deadline.unless(() -> leaving));
    } finally {
      atWork.arriveAndDeregister();
    }
  }

  /// Leaves every turn where it is. Pi goes on; whoever starts next finds what is not settled.
  void leave(@Observes ShutdownEvent end) throws InterruptedException {
    leaving = true;
    try {
      atWork.awaitAdvanceInterruptibly(
          atWork.arriveAndDeregister(), settings.leavesBefore().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      LOG.warnf("%d turns were not left in order", atWork.getRegisteredParties());
    }
  }
}
