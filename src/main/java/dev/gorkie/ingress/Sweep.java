package dev.gorkie.ingress;

import dev.gorkie.handoff.Alarm;
import dev.gorkie.handoff.Failures;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.inbox.Vigil;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.settings.Role;
import dev.gorkie.slack.Replies;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Looks for what nobody is working on: a wake that was lost, a worker that died, a delivery that Lambda gave up, a sandbox
/// that runs for nobody, words of which nobody knows whether they arrived.
///
/// It repairs and deletes nothing; two that look at once do no harm.
@ApplicationScoped
class Sweep {

  private static final Logger LOG = Logger.getLogger(Sweep.class);

  // As many as one look may wake; the next one finds the rest.
  private static final int THREADS_MAX = 100;
  // Each is some calls to Slack, one after the other.
  private static final int WORDS_MAX = 5;

  private final Inbox inbox;
  private final Vigil vigil;
  private final Handoff handoff;
  private final Alarm alarm;
  private final Failures failures;
  private final Work work;
  private final Sessions sessions;
  private final Replies replies;
  private final Role role;
  private final Duration quietAfter;

  @Inject
  Sweep(
      Inbox inbox,
      Vigil vigil,
      Handoff handoff,
      Alarm alarm,
      Failures failures,
      Work work,
      Sessions sessions,
      Replies replies,
      Role role,
      @ConfigProperty(name = "gorkie.sweep.quiet-after") Duration quietAfter) {
    this.inbox = inbox;
    this.vigil = vigil;
    this.handoff = handoff;
    this.alarm = alarm;
    this.failures = failures;
    this.work = work;
    this.sessions = sessions;
    this.replies = replies;
    this.role = role;
    this.quietAfter = quietAfter;
  }

  /// In a server always, in a function while it works on something.
  // The scheduler starts before everything else, so that the first look could come before the
  // tables.
  @Scheduled(
      every = "${gorkie.sweep.every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void look() {
    if (role.works()) {
      inbox.abandoned(THREADS_MAX).forEach(handoff::wake);
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.pause-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void pauseSilent() {
    if (role == Role.SERVER) {
      sessions.pauseSilent(inbox::isAtRest);
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.reconcile-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void reconcile() throws InterruptedException {
    if (role == Role.SERVER) {
      sessions.reconcile(inbox::knows);
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.words-every}",
      delayed = "30s",
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void lookForWords() throws InterruptedException {
    if (role.works()) {
      replies.resolve(WORDS_MAX);
    }
  }

  /// Something waits now: from here on the clock has to run.
  void somethingIsOpen() {
    if (vigil.begin()) {
      try {
        alarm.switchOn();
      } catch (IOException e) {
        LOG.warn("The sweep's clock could not be switched on; the next message tries again", e);
        vigil.giveUp();
      }
    }
  }

  /// By the clock.
  void alarmed() throws InterruptedException {
    look();
    driveBackIn();
    sessions.pauseSilent(inbox::isAtRest);
    lookForWords();
    restIfQuiet();
  }

  private void driveBackIn() {
    try {
      for (var failed : failures.look()) {
        if (failed.delivery().body().length > 0) {
          work.accept(failed.delivery()).ifPresent(handoff::wake);
        }
        failures.remove(failed);
      }
    } catch (IOException e) {
      LOG.warn("The failure queue could not be looked into", e);
    }
  }

  /// Off first and written down after: a message that comes in between finds the clock on and is found to be open.
  private void restIfQuiet() {
    try {
      if (!inbox.isQuiet(quietAfter) || replies.haveLeftovers()) {
        return;
      }
      alarm.switchOff();
      if (!vigil.end(quietAfter)) {
        alarm.switchOn();
      }
    } catch (IOException e) {
      LOG.warn("The sweep's clock could not be switched; it looks again in a minute", e);
    }
  }
}
