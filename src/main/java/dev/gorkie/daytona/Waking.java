package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Loss;
import dev.gorkie.daytona.Answer.Lost;
import dev.gorkie.daytona.Answer.Refusal;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.daytona.ControlPlane.Machine;
import dev.gorkie.logbook.Event;
import dev.gorkie.sandbox.SandboxFailure;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Brings one machine from whatever state it is in to where it runs and answers, and never races what somebody else began.
final class Waking {

  private static final Logger LOG = Logger.getLogger(Waking.class);

  private static final Duration LOOK_MOST = Duration.ofSeconds(10);
  // Daytona holds the answer to a start back for up to 30 s.
  private static final Duration START_MOST = Duration.ofSeconds(45);
  private static final Duration VERSION_MOST = Duration.ofSeconds(5);
  private static final Duration NO_ANSWER_MOST = Duration.ofSeconds(30);
  private static final int REFUSED_STARTS_MAX = 5;

  private final Daytona daytona;
  private final DaytonaSettings settings;
  private final String idOrName;
  private final Deadline deadline;

  private Duration pause;
  private Deadline unanswered;
  private boolean inTrouble;
  private Optional<Deadline> mute = Optional.empty();
  private Optional<String> lastSeen = Optional.empty();
  private boolean missedOnce;
  private boolean recovering;
  // Seen once, and not believed yet.
  private Optional<Machine> brokenBefore = Optional.empty();
  private boolean forced;
  private int refusedStarts;

  Waking(Daytona daytona, String idOrName, Deadline deadline) {
    this.daytona = daytona;
    this.settings = daytona.settings();
    this.idOrName = idOrName;
    this.deadline = deadline;
    this.pause = settings.pollFirst();
    this.unanswered = deadline.within(NO_ANSWER_MOST);
  }

  /// The machine, running; nothing when there is none, asked twice.
  Optional<Machine> untilItRuns() throws InterruptedException {
    while (true) {
      switch (look()) {
        case Given(var machine) -> {
          note(machine);
          switch (machine.nextStep()) {
            case USE -> {
              if (daytona.terms().lacksSecret(machine)) {
                stop(machine, false);
              } else if (answers(machine)) {
                return Optional.of(machine);
              }
            }
            case START -> start(machine);
            case RECOVER -> recover(machine);
            case REPLACE -> {
              if (brokenBefore.equals(Optional.of(machine))) {
                throw broken(machine);
              }
              brokenBefore = Optional.of(machine);
            }
            case FORGET -> {
              if (missedAgain()) {
                return Optional.empty();
              }
            }
            case WAIT -> {}
          }
        }
        case Refused(var refusal) when refusal.status() == 404 -> {
          if (missedAgain()) {
            return Optional.empty();
          }
        }
        case Refused(var refusal) when refusal.isGateway() || refusal.isTooMany() ->
            stillUnanswered(refusal.status() + " from Daytona");
        case Refused(var refusal) -> throw refusal.failure("look at " + idOrName);
        case Lost(var loss, _) when loss == Loss.NO_TIME -> {}
        case Lost(_, var reason) -> stillUnanswered(reason);
      }
      pause();
    }
  }

  private Answer<Machine> look() throws InterruptedException {
    return daytona.look(idOrName, LOOK_MOST, deadline);
  }

  private void note(Machine machine) {
    unanswered = deadline.within(NO_ANSWER_MOST);
    inTrouble = false;
    missedOnce = missedOnce && machine.nextStep() == State.Step.FORGET;
    var seen = Optional.of(machine.stateOrUnknown());
    if (!lastSeen.equals(seen)) {
      lastSeen = seen;
      LOG.infof("sandbox %s (%s) is %s", machine.id(), machine.name(), machine.stateOrUnknown());
    }
  }

  private boolean missedAgain() {
    var again = missedOnce;
    missedOnce = true;
    return again;
  }

  private void stillUnanswered(String reason) {
    if (!inTrouble) {
      healthRetry("%s: %s".formatted(idOrName, reason));
    }
    inTrouble = true;
    if (unanswered.isOver()) {
      throw unreachable(reason);
    }
  }

  /// What is said to run may be mute for a moment, or for good when its toolbox was killed for want of memory
  /// (daytonaio/daytona#5140): then only stopping it by force helps.
  private boolean answers(Machine machine) throws InterruptedException {
    var address = Daytona.addressOf(machine);
    var version =
        Calls.of(() -> daytona.toolbox().version(address)).make(deadline.within(VERSION_MOST));
    if (version instanceof Given) {
      return true;
    }
    if (mute.isEmpty()) {
      mute = Optional.of(deadline.within(settings.mutePatience()));
    } else if (mute.get().isOver() && !forced && !deadline.isOver()) {
      forced = true;
      healthRetry("%s runs and does not answer; it is stopped".formatted(machine.id()));
      stop(machine, true);
    }
    return false;
  }

  private void healthRetry(String detail) {
    daytona.logbook().note(Event.SANDBOX_HEALTH_RETRY, detail);
  }

  private void stop(Machine machine, boolean force) throws InterruptedException {
    drive(() -> daytona.controlPlane().stop(machine.id(), force), "stop " + machine.id());
  }

  private void start(Machine machine) throws InterruptedException {
    mute = Optional.empty();
    daytona.terms().apply(machine, deadline);
    drive(() -> daytona.controlPlane().start(machine.id()), "start " + machine.id());
  }

  /// One recovery that was taken is enough; it takes its time, in which the machine still says that it is in trouble.
  private void recover(Machine machine) throws InterruptedException {
    if (!recovering) {
      recovering =
          drive(() -> daytona.controlPlane().recover(machine.id()), "recover " + machine.id());
    }
  }

  /// Whether it was taken. A conflict means that somebody else is at it, and a lost answer nothing: both are looked into next.
  private boolean drive(Supplier<Uni<Void>> call, String asked) throws InterruptedException {
    return switch (daytona.calls().once(Calls.of(call), START_MOST, deadline)) {
      case Given _ -> true;
      case Lost _ -> false;
      case Refused(Refusal refusal)
          when refusal.status() == 409 || refusal.status() == 404 || refusal.isGateway() ->
          false;
      // Perhaps the state has changed since we looked; but not time and again.
      case Refused(Refusal refusal)
          when refusal.status() == 400 && !refusal.isAboutRoom() && refusedAgain() ->
          false;
      case Refused(Refusal refusal) -> {
        LOG.warnf("%s: %d %s", asked, refusal.status(), refusal.message());
        throw refusal.failure(asked);
      }
    };
  }

  private boolean refusedAgain() {
    refusedStarts++;
    return refusedStarts < REFUSED_STARTS_MAX;
  }

  private static Failure broken(Machine machine) {
    return new Failure(SandboxFailure.BROKEN, machine.id() + " is broken: " + machine.whyBroken());
  }

  private Failure unreachable(String reason) {
    return new Failure(SandboxFailure.UNREACHABLE, "look at " + idOrName + ": " + reason);
  }

  private Failure tooSlow() {
    return new Failure(
        SandboxFailure.TOO_SLOW, idOrName + " was last " + lastSeen.orElse("not to be seen"));
  }

  private void pause() throws InterruptedException {
    var left = deadline.left();
    Thread.sleep(pause.compareTo(left) < 0 ? pause : left);
    if (deadline.isOver()) {
      throw inTrouble ? unreachable("no answer") : tooSlow();
    }
    var longer = pause.plus(pause.dividedBy(2));
    pause = longer.compareTo(settings.pollLast()) < 0 ? longer : settings.pollLast();
  }
}
