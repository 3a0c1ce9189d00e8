package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;

/// What can be done with a sandbox as a whole, and in which state it may be done.
final class Lifecycle {

  private static final Logger LOG = Logger.getLogger(Lifecycle.class);

  /// What happens on the way from one state to another.
  private interface Way {
    void go() throws Exception;
  }

  private final Fleet fleet;
  private final Snapshots snapshots;
  private final Vault vault;
  private final Delays delays;
  private final int diskGiB;
  private final ExecutorService tasks;

  /// `diskGiB` is what all sandboxes that are not archived may have together; 0 for any.
  Lifecycle(
      Fleet fleet,
      Snapshots snapshots,
      Vault vault,
      Delays delays,
      int diskGiB,
      ExecutorService tasks) {
    this.fleet = fleet;
    this.snapshots = snapshots;
    this.vault = vault;
    this.delays = delays;
    this.diskGiB = diskGiB;
    this.tasks = tasks;
  }

  /// The answer is the row as it was inserted, however far the sandbox is by then.
  ObjectNode create(Wish wish) throws InterruptedException {
    wish.check();
    if (!wish.isBuilt()) {
      snapshots.use(wish.snapshot());
    }
    checkQuota();
    var facts = wish.facts();
    vault.mount(facts.path("id").asText(), wish.secrets());
    var machine = fleet.add(facts);
    if (wish.ttlMinutes() > 0) {
      expire(machine, wish.ttlMinutes());
    }
    var during = machine.state();
    move(machine, during, State.STARTED, () -> boot(machine, Delay.CREATE), State.STARTED);
    var inserted = machine.facts();
    if (!wish.isBuilt() && machine.awaitSettled(delays.of(Delay.CALL_MAX)).isFailed()) {
      var reason = machine.facts().path("errorReason").asText();
      throw new Refused(400, "Sandbox failed to start: " + reason);
    }
    return inserted;
  }

  ObjectNode start(Machine machine) throws InterruptedException {
    synchronized (machine) {
      switch (machine.state()) {
        case STARTED -> {}
        case STOPPED, ARCHIVING ->
            move(
                machine,
                State.STARTING,
                State.STARTED,
                () -> boot(machine, Delay.START),
                State.STARTED);
        case ARCHIVED -> {
          move(
              machine,
              State.RESTORING,
              State.STARTED,
              () -> boot(machine, Delay.RESTORE),
              State.STARTED);
          return machine.facts();
        }
        default -> refuse(machine);
      }
    }
    if (machine.awaitSettled(delays.of(Delay.CALL_MAX)).isFailed()) {
      throw new Refused(
          400, "Sandbox failed to start: " + machine.facts().path("errorReason").asText());
    }
    return machine.facts();
  }

  ObjectNode stop(Machine machine) {
    synchronized (machine) {
      switch (machine.state()) {
        case STARTED ->
            move(machine, State.STOPPING, State.STOPPED, () -> halt(machine), State.STOPPED);
        case STOPPED, ARCHIVED -> throw new Refused(400, "Sandbox is not started");
        default -> refuse(machine);
      }
      return machine.facts();
    }
  }

  ObjectNode archive(Machine machine) {
    synchronized (machine) {
      switch (machine.state()) {
        case STOPPED ->
            move(
                machine,
                State.ARCHIVING,
                State.ARCHIVED,
                () -> {
                  machine.set(facts -> facts.put("backupState", "InProgress"));
                  pause(Delay.ARCHIVE);
                  machine.set(
                      facts ->
                          facts
                              .put("backupState", "Completed")
                              .put("backupCreatedAt", Instant.now().toString()));
                },
                State.ARCHIVED);
        case STARTED, ARCHIVED -> throw new Refused(400, "Sandbox is not stopped");
        default -> refuse(machine);
      }
      return machine.facts();
    }
  }

  ObjectNode recover(Machine machine) {
    synchronized (machine) {
      if (machine.state() != State.ERROR || !machine.facts().path("recoverable").asBoolean()) {
        throw new Refused(400, "Sandbox is not in a recoverable error state");
      }
      move(
          machine,
          State.RESTORING,
          State.STARTED,
          () -> boot(machine, Delay.RECOVER),
          State.STARTED);
      return machine.facts();
    }
  }

  ObjectNode destroy(Machine machine) {
    synchronized (machine) {
      if (machine.state().isTransition() && machine.state() != State.PENDING_BUILD) {
        refuse(machine);
      }
      fleet.release(machine);
      move(
          machine,
          State.DESTROYING,
          State.DESTROYED,
          () -> {
            end(machine);
            pause(Delay.DESTROY);
            end(machine);
            fleet.remove(machine);
          },
          State.DESTROYED);
      return machine.facts();
    }
  }

  /// The sandbox's end, counted from now; 0 for none.
  ObjectNode expire(Machine machine, int minutes) {
    machine.set(
        facts -> {
          if (minutes == 0) {
            facts.remove("autoDestroyAt");
          } else {
            facts.put("autoDestroyAt", Instant.now().plus(delays.minutes(minutes)).toString());
          }
        });
    return machine.facts();
  }

  void fail(Machine machine, String reason, boolean recoverable) {
    machine.set(facts -> facts.put("errorReason", reason).put("recoverable", recoverable));
    machine.force(State.ERROR);
    end(machine);
  }

  /// Puts it into a state, whatever was under way, with what belongs to that state.
  void force(Machine machine, State state) throws Exception {
    if (state == State.STARTED) {
      machine.terminals().shell().prepare();
    }
    machine.force(state);
    if (state != State.STARTED) {
      end(machine);
    }
  }

  private void boot(Machine machine, Delay delay) throws Exception {
    pause(delay);
    machine.terminals().shell().prepare();
  }

  private void halt(Machine machine) throws InterruptedException {
    end(machine);
    pause(Delay.STOP);
    // A call that had begun before may have started something meanwhile.
    end(machine);
  }

  private static void end(Machine machine) {
    machine.terminals().cut();
    machine.processes().killAll();
  }

  private void move(Machine machine, State during, State desired, Way way, State after) {
    var begun = machine.begin(during, desired);
    tasks.execute(
        () -> {
          try {
            way.go();
            if (machine.land(begun, after)) {
              landed(machine, after);
            }
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the world ends
          } catch (Exception failure) {
            LOG.errorf(failure, "sandbox %s %s", machine.id(), during.wire());
            fail(machine, String.valueOf(failure.getMessage()), false);
          }
        });
  }

  private void landed(Machine machine, State state) {
    LOG.infof("sandbox %s is %s", machine.id(), state.wire());
    if (state == State.STOPPED && machine.number("autoDeleteInterval") == 0) {
      destroy(machine);
    }
  }

  private void checkQuota() {
    var used =
        fleet.all().stream()
            .filter(machine -> machine.state() != State.ARCHIVED && !machine.state().isGone())
            .mapToInt(machine -> machine.number("disk"))
            .sum();
    if (diskGiB > 0 && used + Wish.DISK_GIB > diskGiB) {
      throw new Refused(400, "Total disk limit exceeded. Maximum allowed: " + diskGiB + "GiB.");
    }
  }

  private static void refuse(Machine machine) {
    var state = machine.state();
    if (state.isGone()) {
      throw new Refused(404, "Sandbox with ID or name " + machine.id() + " not found");
    }
    if (state.isFailed()) {
      throw new Refused(400, "Sandbox is in an errored state");
    }
    if (state.isTransition()) {
      throw new Refused(409, "Sandbox state change in progress");
    }
    throw new Refused(400, "Sandbox is in state " + state.wire());
  }

  private void pause(Delay delay) throws InterruptedException {
    Duration duration = delays.of(delay);
    Thread.sleep(duration);
  }
}
