package dev.gorkie.ingress;

import com.amazonaws.services.lambda.runtime.Context;
import dev.gorkie.ThreadKey;
import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.logbook.Trail;
import dev.gorkie.logbook.Trail.Mark;
import dev.gorkie.settings.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// The second function's door. Only an invocation comes through it: in a server it does not exist.
///
/// The answer goes out when the work is done, since a function is frozen from its answer on.
@Path("/internal")
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
class WorkDoor {

  private final Work work;
  private final Role role;
  private final Instance<Context> invocation;
  private final Sweep sweep;
  private final Handoff handoff;

  @Inject
  WorkDoor(Work work, Sweep sweep, Handoff handoff, Role role, Instance<Context> invocation) {
    this.handoff = handoff;
    this.work = work;
    this.sweep = sweep;
    this.role = role;
    this.invocation = invocation;
  }

  @POST
  @Path("/deliveries")
  public void delivery(byte[] body) throws InterruptedException {
    mustBeWorker();
    try (var _ = begin()) {
      var thread = accepted(body);
      if (thread.isPresent()) {
        sweep.somethingIsOpen();
        work.workFor(thread.get(), left());
      }
      work.say();
    }
  }

  private Optional<ThreadKey> accepted(byte[] body) throws InterruptedException {
    try {
      return work.accept(new Delivery(body));
    } catch (RuntimeException e) {
      sweep.somethingComesAgain();
      throw e;
    }
  }

  @POST
  @Path("/wakes")
  public void wake(byte[] body) throws InterruptedException {
    mustBeWorker();
    try (var _ = begin()) {
      work.workFor(ThreadKey.parse(new String(body, StandardCharsets.UTF_8)), left());
    }
  }

  @POST
  @Path("/operations")
  public void operation(byte[] body) throws InterruptedException {
    mustBeWorker();
    try (var _ = begin()) {
      sweep.somethingIsOpen();
      var id = new String(body, StandardCharsets.UTF_8);
      if (!work.carryOutFor(id, left())) {
        handoff.carryOut(id);
      }
    }
  }

  @POST
  @Path("/sweeps")
  public void sweep(byte[] by) throws InterruptedException {
    mustBeWorker();
    try (var _ = begin()) {
      sweep.alarmed(left(), by.length == 0 ? Sweep.Caller.CLOCK : Sweep.Caller.WORKER);
    }
  }

  private void mustBeWorker() {
    if (role != Role.WORKER) {
      throw new NotFoundException();
    }
  }

  /// By Lambda's own number the line that it writes of an invocation is found, too.
  private Trail begin() {
    var trail = Trail.begin();
    Trail.mark(Mark.REQUEST, invocation.get().getAwsRequestId());
    return trail;
  }

  private Duration left() {
    return Duration.ofMillis(invocation.get().getRemainingTimeInMillis());
  }
}
