package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.sandbox.SandboxFailure;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Daytona puts a snapshot aside that nobody used for two weeks. This brings it back.
record Activation(Daytona daytona, Deadline deadline) {

  private static final Logger LOG = Logger.getLogger(Activation.class);
  private static final Duration CALL_MOST = Duration.ofSeconds(10);

  void ofSnapshot(Optional<String> name) throws InterruptedException {
    var snapshot =
        name.orElseThrow(
            () -> new Failure(SandboxFailure.NO_IMAGE, "the default snapshot can't be used"));
    var asked = false;
    while (true) {
      var seen =
          daytona
              .calls()
              .repeatable(
                  Calls.of(() -> daytona.controlPlane().snapshot(snapshot)), CALL_MOST, deadline);
      if (seen instanceof Refused<?>(var refusal) && refusal.status() == 404) {
        throw new Failure(SandboxFailure.NO_IMAGE, "there is no snapshot " + snapshot);
      }
      var found = seen.orThrow("look at snapshot " + snapshot);
      switch (found.state()) {
        case "active" -> {
          return;
        }
        case "error", "build_failed", "removing" ->
            throw new Failure(
                SandboxFailure.NO_IMAGE, "snapshot " + snapshot + " is " + found.state());
        case "inactive" -> {
          if (!asked) {
            activate(found.id());
            asked = true;
          }
        }
        default -> {}
      }
      if (deadline.isOver()) {
        throw new Failure(SandboxFailure.TOO_SLOW, "snapshot " + snapshot + " is " + found.state());
      }
      Thread.sleep(deadline.within(daytona.settings().pollLast()).left());
    }
  }

  private void activate(String id) throws InterruptedException {
    LOG.infof("snapshot %s is being activated", id);
    var answer =
        daytona
            .calls()
            .repeatable(Calls.of(() -> daytona.controlPlane().activate(id)), CALL_MOST, deadline);
    // Refused with 400 when somebody else was faster, and shortly after it was put aside.
    if (!(answer instanceof Refused<?>(var refusal) && refusal.status() == 400)) {
      answer.orThrow("activate snapshot " + id);
    }
  }
}
