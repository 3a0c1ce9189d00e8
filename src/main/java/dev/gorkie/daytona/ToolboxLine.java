package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.daytona.ControlPlane.Machine;
import dev.gorkie.daytona.State.Step;
import dev.gorkie.sandbox.SandboxFailure;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Function;

/// The line to one machine's toolbox: what comes back is the toolbox's own answer, or a failure.
///
/// While a machine is in transition somebody on the way answers in the toolbox's place. Such an answer is not believed: the
/// machine's state is read again, and only one that runs is asked again.
final class ToolboxLine {

  private static final Duration LOOK_MOST = Duration.ofSeconds(10);
  private static final int TRIES_MAX = 3;

  private final Daytona daytona;
  private final String id;
  private volatile String address;

  ToolboxLine(Daytona daytona, Machine machine) {
    this.daytona = daytona;
    this.id = machine.id();
    this.address = Daytona.addressOf(machine);
  }

  String address() {
    return address;
  }

  /// For what may be done twice.
  <T> Answer<T> repeatable(Function<String, Uni<T>> call, Duration timeout, Deadline deadline)
      throws InterruptedException {
    return repeatableAttempt(Calls.of(() -> call.apply(address)), timeout, deadline);
  }

  <T> Answer<T> repeatableAttempt(Calls.Attempt<T> attempt, Duration timeout, Deadline deadline)
      throws InterruptedException {
    for (var tries = 1; ; tries++) {
      var answer = daytona.calls().repeatable(attempt, timeout, deadline);
      if (!isDoubtful(answer)) {
        return answer;
      }
      lookAgain(deadline);
      if (tries == TRIES_MAX) {
        throw unanswered();
      }
    }
  }

  /// For what must not be done twice: a gateway's error leaves open whether it was done.
  <T> Answer<T> once(Function<String, Uni<T>> call, Duration timeout, Deadline deadline)
      throws InterruptedException {
    for (var tries = 1; ; tries++) {
      var answer = daytona.calls().once(Calls.of(() -> call.apply(address)), timeout, deadline);
      if (!isDoubtful(answer)) {
        return answer;
      }
      lookAgain(deadline);
      if (tries == TRIES_MAX || answer instanceof Refused<T>(var refusal) && refusal.isGateway()) {
        throw unanswered();
      }
    }
  }

  private Failure unanswered() {
    return new Failure(SandboxFailure.UNREACHABLE, id + " runs and its toolbox does not answer");
  }

  private static boolean isDoubtful(Answer<?> answer) {
    return answer instanceof Refused<?>(var refusal) && refusal.isAboutTheMachine();
  }

  private void lookAgain(Deadline deadline) throws InterruptedException {
    var machine = daytona.look(id, LOOK_MOST, deadline).orThrow("look at " + id);
    if (machine.nextStep() != Step.USE) {
      throw new Failure(
          SandboxFailure.UNREACHABLE, id + " does not run: " + machine.stateOrUnknown());
    }
    address = Daytona.addressOf(machine);
    Thread.sleep(deadline.within(daytona.settings().pollLast()).left());
  }
}
