package dev.gorkie.local.daytona;

import java.time.Instant;
import org.jboss.logging.Logger;

/// The jobs that end what nobody uses. They go by what was written down of its use and never look at what runs.
final class Timers implements Runnable {

  private static final Logger LOG = Logger.getLogger(Timers.class);

  private final Fleet fleet;
  private final Lifecycle lifecycle;
  private final Presence presence;
  private final Delays delays;

  Timers(Fleet fleet, Lifecycle lifecycle, Presence presence, Delays delays) {
    this.fleet = fleet;
    this.lifecycle = lifecycle;
    this.presence = presence;
    this.delays = delays;
  }

  @Override
  public void run() {
    presence.touch();
    for (var machine : fleet.all()) {
      try {
        look(machine);
        // Only after the look: what was used just now may be stopped all the same.
        machine.flushActivity();
      } catch (Refused refused) {
        LOG.debugf("sandbox %s: %s", machine.id(), refused.text());
      } catch (RuntimeException failure) {
        LOG.errorf(failure, "sandbox %s", machine.id());
      }
    }
  }

  private void look(Machine machine) {
    var state = machine.state();
    if (machine.instant("autoDestroyAt").filter(Instant.now()::isAfter).isPresent()
        && !state.isGone()) {
      lifecycle.destroy(machine);
    } else if (state == State.STARTED && isIdle(machine, "autoStopInterval")) {
      lifecycle.stop(machine);
    } else if (state == State.STOPPED && isIdle(machine, "autoDeleteInterval")) {
      lifecycle.destroy(machine); // an archived one has no runner and is never found here
    } else if (state == State.STOPPED && isIdle(machine, "autoArchiveInterval")) {
      lifecycle.archive(machine);
    } else if (state.minutesMax() > 0
        && machine.inStateFor().compareTo(delays.minutes(state.minutesMax())) > 0) {
      var recoverable = "Completed".equals(machine.facts().path("backupState").asText());
      lifecycle.fail(machine, "Timeout while " + state.wire(), recoverable);
    }
  }

  private boolean isIdle(Machine machine, String interval) {
    var minutes = machine.number(interval);
    return minutes > 0
        && machine
            .instant("lastActivityAt")
            .map(at -> at.plus(delays.minutes(minutes)))
            .filter(Instant.now()::isAfter)
            .isPresent();
  }
}
