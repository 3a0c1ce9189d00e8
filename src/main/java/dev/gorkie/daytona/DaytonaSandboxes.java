package dev.gorkie.daytona;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.daytona.Answer.Given;
import dev.gorkie.daytona.Answer.Lost;
import dev.gorkie.daytona.Answer.Refusal;
import dev.gorkie.daytona.Answer.Refused;
import dev.gorkie.daytona.ControlPlane.Machine;
import dev.gorkie.daytona.ControlPlane.NewMachine;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Found.Asleep;
import dev.gorkie.sandbox.Found.Broken;
import dev.gorkie.sandbox.Found.Gone;
import dev.gorkie.sandbox.Found.Running;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Machines rented at Daytona.
@ApplicationScoped
class DaytonaSandboxes implements Sandboxes {

  private static final Logger LOG = Logger.getLogger(DaytonaSandboxes.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  // The most that Daytona gives at a time, and more pages than an installation has machines.
  private static final int PAGE_MAX = 200;
  private static final int PAGES_MAX = 50;

  // Daytona holds the answer to a create back for up to 30 s.
  private static final Duration CREATE_MOST = Duration.ofSeconds(45);
  private static final Duration CALL_MOST = Duration.ofSeconds(10);
  // For calls whose caller set no deadline: time for one that is lost and one that is not.
  private static final Duration ASKING_MOST = Duration.ofSeconds(25);

  private final Daytona daytona;

  DaytonaSandboxes(Daytona daytona) {
    this.daytona = daytona;
  }

  @Override
  public boolean isWithinReach(String network) {
    return Network.of(network).isWithin(daytona.terms().network());
  }

  @Override
  public void limit(SandboxId id, Optional<String> network, Deadline deadline)
      throws InterruptedException {
    daytona
        .terms()
        .limit(
            daytona.look(id.value(), CALL_MOST, deadline).orThrow("look at " + id),
            network,
            deadline);
  }

  @Override
  public Sandbox create(String name, Map<String, String> labels, Deadline deadline)
      throws InterruptedException {
    var asked = newMachine(name, labels);
    var activated = false;
    while (true) {
      var answer =
          daytona
              .calls()
              .once(Calls.of(() -> daytona.controlPlane().create(asked)), CREATE_MOST, deadline);
      if (answer instanceof Refused<Machine>(var refusal) && !mayExistNow(refusal)) {
        LOG.warnf("sandbox %s is not created: %d %s", name, refusal.status(), refusal.message());
        if (!refusal.isAboutTheSnapshot() || activated) {
          throw refusal.failure("create " + name);
        }
        new Activation(daytona, deadline).ofSnapshot(asked.snapshot());
        activated = true;
        continue;
      }
      // Whatever the answer, the name now belongs to a machine, perhaps to one that was there
      // before; and the state in the answer is older than the answer. Only when there is none after
      // all was the question lost, and is asked again.
      var machine = new Waking(daytona, name, deadline).untilItRuns();
      if (machine.isPresent()) {
        return new DaytonaSandbox(daytona, machine.get());
      }
    }
  }

  /// A conflict: the name is taken. A gateway: nobody knows. A failed start: it was made before it failed.
  private static boolean mayExistNow(Refusal refusal) {
    return refusal.status() == 409
        || refusal.isGateway()
        || refusal.message().startsWith("Sandbox failed to start");
  }

  private NewMachine newMachine(String name, Map<String, String> labels) {
    var settings = daytona.settings();
    var network = daytona.terms().network(labels);
    return new NewMachine(
        name,
        settings.snapshot(),
        settings.target(),
        daytona.terms().labels(labels),
        false,
        settings.autoStop().toMinutes(),
        settings.autoArchive().toMinutes(),
        settings.autoDelete().toMinutes(),
        settings.timeToLive().toMinutes(),
        network.isClosed(),
        network.addressList(),
        network.domainList(),
        daytona.terms().secrets());
  }

  @Override
  public Optional<String> image() {
    return daytona.settings().snapshot();
  }

  @Override
  public Found find(SandboxId id) throws InterruptedException {
    return find(id, Deadline.in(ASKING_MOST));
  }

  @Override
  public Found find(SandboxId id, Deadline deadline) throws InterruptedException {
    var found = look(id, deadline);
    if (found instanceof Gone || found instanceof Broken) {
      // One answer may be a lie of a moment, and believing it costs somebody's files.
      Thread.sleep(daytona.settings().pollLast());
      found = look(id, deadline);
    }
    LOG.infof("sandbox %s is found %s", id, found.getClass().getSimpleName());
    return found;
  }

  private Found look(SandboxId id, Deadline deadline) throws InterruptedException {
    return switch (daytona.look(id.value(), CALL_MOST, deadline.within(ASKING_MOST))) {
      case Given(var machine) ->
          switch (machine.nextStep()) {
            case USE ->
                daytona.terms().lacksSecret(machine)
                    ? new Asleep(id, "running without its secret")
                    : new Running(new DaytonaSandbox(daytona, machine));
            case WAIT, START, RECOVER -> new Asleep(id, machine.stateOrUnknown());
            case REPLACE -> new Broken(id, machine.whyBroken());
            case FORGET -> new Gone();
          };
      case Refused(var refusal) when refusal.status() == 404 -> new Gone();
      case Refused(var refusal) -> throw refusal.failure("find " + id);
      case Lost(_, var reason) ->
          throw new Failure(SandboxFailure.UNREACHABLE, "find " + id + ": " + reason);
    };
  }

  @Override
  public List<Listed> list(Map<String, String> labels) throws InterruptedException {
    var wanted = json(labels);
    var listed = new ArrayList<Listed>();
    Optional<String> cursor = Optional.empty();
    for (var page = 0; page < PAGES_MAX; page++) {
      var from = cursor;
      var answer =
          daytona
              .calls()
              .repeatable(
                  Calls.of(() -> daytona.controlPlane().list(wanted, PAGE_MAX, from)),
                  CALL_MOST,
                  Deadline.in(ASKING_MOST))
              .orThrow("list sandboxes");
      for (var item : answer.items()) {
        if (item.isUsable()) {
          listed.add(
              new Listed(new SandboxId(item.id()), item.name(), item.labels().orElse(Map.of())));
        }
      }
      cursor = answer.nextCursor();
      if (cursor.isEmpty()) {
        return listed;
      }
    }
    LOG.warnf("there are more than %d sandboxes; the rest is not listed", PAGES_MAX * PAGE_MAX);
    return listed;
  }

  private static String json(Map<String, String> labels) {
    try {
      return JSON.writeValueAsString(labels);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Maps of strings are always JSON", e);
    }
  }

  @Override
  public URI preview(SandboxId id, int port, Duration lasts) throws InterruptedException {
    var url =
        daytona
            .calls()
            .repeatable(
                Calls.of(() -> daytona.controlPlane().preview(id.value(), port, lasts.toSeconds())),
                CALL_MOST,
                Deadline.in(ASKING_MOST))
            .orThrow("open port " + port + " of " + id)
            .url();
    return URI.create(url);
  }

  @Override
  public Sandbox start(SandboxId id, Deadline deadline) throws InterruptedException {
    return new Waking(daytona, id.value(), deadline)
        .untilItRuns()
        .map(machine -> new DaytonaSandbox(daytona, machine))
        .orElseThrow(() -> new Failure(SandboxFailure.REFUSED, "start " + id + ": it is gone"));
  }

  @Override
  public void stop(SandboxId id) {
    unlessItIsElsewhere("stop " + id, () -> daytona.controlPlane().stop(id.value(), false));
  }

  @Override
  public void putAway(SandboxId id) {
    unlessItIsElsewhere("archive " + id, () -> daytona.controlPlane().archive(id.value()));
  }

  @Override
  public void destroy(String idOrName, Deadline deadline) throws InterruptedException {
    var missed = 0;
    while (true) {
      switch (daytona.look(idOrName, CALL_MOST, deadline.within(ASKING_MOST))) {
        case Given(var machine) when machine.nextStep() == State.Step.FORGET -> {
          return;
        }
        case Given(var machine) -> {
          missed = 0;
          LOG.infof("sandbox: delete %s", machine.id());
          if (request(() -> daytona.controlPlane().delete(machine.id()))
                  instanceof Refused<?>(var refusal)
              && !isForLater(refusal)) {
            throw refusal.failure("delete " + machine.id());
          }
        }
        case Refused(var refusal) when refusal.status() == 404 -> {
          // One answer may be a lie of a moment.
          if (++missed == 2) {
            return;
          }
        }
        case Refused(var refusal) -> throw refusal.failure("find " + idOrName);
        case Lost(_, var reason) ->
            throw new Failure(SandboxFailure.UNREACHABLE, "delete " + idOrName + ": " + reason);
      }
      if (deadline.isOver()) {
        throw new Failure(SandboxFailure.REFUSED, idOrName + " is there although it was deleted");
      }
      Thread.sleep(deadline.within(daytona.settings().pollLast()).left());
    }
  }

  /// Somebody else is changing it, or has deleted it just now.
  private static boolean isForLater(Refusal refusal) {
    return refusal.status() == 409 || refusal.status() == 404 || refusal.isGateway();
  }

  private void unlessItIsElsewhere(String asked, Supplier<Uni<Void>> call) {
    Uninterrupted.run(
        () -> {
          LOG.infof("sandbox: %s", asked);
          var answer = request(call);
          if (answer instanceof Refused<?>(var refusal)
              && (refusal.status() == 400 || refusal.status() == 404 || refusal.status() == 409)) {
            // It is not in the state for it, is gone, or somebody else is changing it.
            LOG.infof("sandbox: %s was refused: %d", asked, refusal.status());
            return;
          }
          answer.orThrow(asked);
        });
  }

  @Override
  public void keepAwake(SandboxId id) {
    Uninterrupted.run(
        () ->
            request(() -> daytona.controlPlane().recordActivity(id.value()))
                .orThrow("keep " + id + " awake"));
  }

  @Override
  public void extendLife(SandboxId id) {
    Uninterrupted.run(
        () -> {
          var minutes = daytona.settings().timeToLive().toMinutes();
          var answer = request(() -> daytona.controlPlane().setTimeToLive(id.value(), minutes));
          if (answer instanceof Refused<?>(var refusal)
              && (refusal.status() == 404 || refusal.status() == 422)) {
            // Not every installation of Daytona knows a time to live.
            LOG.infof("sandbox %s gets no more time to live: %d", id, refusal.status());
            return;
          }
          answer.orThrow("extend the life of " + id);
        });
  }

  /// All of these may be done twice.
  private Answer<Void> request(Supplier<Uni<Void>> call) throws InterruptedException {
    return daytona.calls().repeatable(Calls.of(call), CALL_MOST, Deadline.in(ASKING_MOST));
  }
}
