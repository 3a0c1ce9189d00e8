package dev.gorkie.sessions;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.HoldLost;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.logbook.Event;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.logbook.Trail;
import dev.gorkie.logbook.Trail.Mark;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.Agents;
import dev.gorkie.pi.Conversation;
import dev.gorkie.pi.Manner;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// One opening of a thread's session, under one fence: from whatever state it was left in to where Pi can be spoken to.
final class Opening {

  private static final Logger LOG = Logger.getLogger(Opening.class);

  // Whoever puts a sandbox to sleep says so to Daytona within this time after having written it
  // down.
  private static final Duration STOP_UNDER_WAY = Upkeep.STOPPED_WITHIN.plusSeconds(25);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final Means means;
  private final ThreadKey thread;
  private final long fence;
  private final Waking waking;
  private final Deadline deadline;
  private final Map<String, String> terms;

  /// What every opening needs.
  record Means(
      Database database,
      SessionRows rows,
      Mirror mirror,
      Sandboxes sandboxes,
      Space space,
      Agents agents,
      Logbook logbook) {}

  /// @param isCopied whether there is a copy of what was said in its present session
  private record Known(SessionRow row, boolean isCopied) {}

  private sealed interface Had {
    record Usable(Sandbox sandbox) implements Had {}

    record Lost(String reason) implements Had {}
  }

  Opening(Means means, ThreadKey thread, long fence, Waking waking, Deadline deadline) {
    this(means, thread, fence, waking, deadline, Map.of());
  }

  /// @param terms what the machine is held to besides, as labels
  Opening(
      Means means,
      ThreadKey thread,
      long fence,
      Waking waking,
      Deadline deadline,
      Map<String, String> terms) {
    this.terms = terms;
    this.means = means;
    this.thread = thread;
    this.fence = fence;
    this.waking = waking;
    this.deadline = deadline;
  }

  /// A sandbox is replaced only when it is known to be gone or broken, and once; unreachable is not gone.
  Workspace open() throws InterruptedException {
    means.agents().checkModel();
    return machine();
  }

  /// The same for whoever does without Pi.
  Workspace machine() throws InterruptedException {
    var known = transaction(() -> known(means.rows().openFor(thread, Names.first(thread), fence)));
    var row = known.row();
    try {
      return switch (sandbox(row)) {
        case Had.Usable(var sandbox) -> {
          hold(sandbox);
          yield isSpokenTo(sandbox) ? workspace(known, sandbox) : carriedOver(row, sandbox);
        }
        case Had.Lost(var reason) -> replaced(row, reason);
      };
    } catch (Failure failure) {
      keep(() -> means.rows().failed(thread, fence, failure.code().name()));
      throw failure;
    }
  }

  /// What its owner is held to may be something else than when it was made.
  private void hold(Sandbox sandbox) throws InterruptedException {
    var network = Optional.ofNullable(terms.get(Sandboxes.NETWORK));
    if (!network.equals(sandbox.network())) {
      means.sandboxes().limit(sandbox.id(), network, deadline);
    }
  }

  /// Asked for together, since the way to the database costs more than the answers.
  private Known known(SessionRow row) {
    var isCopied = row.seedFrom == null && means.mirror().isThere(Names.of(thread, row));
    return new Known(row, isCopied);
  }

  private Had sandbox(SessionRow row) throws InterruptedException {
    try {
      var known = row.sandbox();
      note(
          Event.SANDBOX_RESOLVE_START,
          known.map(id -> "sandbox %s is looked for".formatted(id)).orElse("there is none yet"));
      if (known.isEmpty()) {
        waking.settingUp();
        return new Had.Usable(create(Names.of(thread, row)));
      }
      return switch (find(row, known.get())) {
        case Found.Running(var sandbox) -> {
          if (row.isWellWith(sandbox.id())) {
            Trail.mark(Mark.SANDBOX, sandbox.id());
            extendLife(sandbox);
          } else {
            active(sandbox);
          }
          note(Event.SANDBOX_RESOLVE_REUSE, "sandbox %s runs".formatted(sandbox.id()));
          yield new Had.Usable(sandbox);
        }
        case Found.Asleep(var id, var state) -> {
          LOG.infof("Thread %s: sandbox %s is %s and is woken", thread, id, state);
          waking.wakingUp();
          yield new Had.Usable(resume(row, id));
        }
        case Found.Broken(var id, var reason) -> new Had.Lost(id + " is broken: " + reason);
        case Found.Gone() -> new Had.Lost(known.get() + " is gone");
      };
    } catch (Failure failure) {
      if (failure.code() != SandboxFailure.BROKEN) {
        throw failure;
      }
      return new Had.Lost(row.sandboxName + " is broken: " + failure.getMessage());
    }
  }

  /// One that is just being put to sleep still runs when the row says so already.
  private Found find(SessionRow row, SandboxId id) throws InterruptedException {
    var found = means.sandboxes().find(id, deadline);
    if (row.is(Status.PAUSED) && row.pausedAt != null) {
      var left = STOP_UNDER_WAY.minus(Duration.between(row.pausedAt, Instant.now()));
      // The two clocks may differ.
      var until = deadline.within(left.compareTo(STOP_UNDER_WAY) < 0 ? left : STOP_UNDER_WAY);
      while (found instanceof Found.Running && !until.isOver()) {
        Thread.sleep(until.within(BETWEEN_LOOKS).left());
        found = means.sandboxes().find(id, deadline);
      }
    }
    return found;
  }

  private Sandbox create(Names names) throws InterruptedException {
    var sandbox =
        withRoom(() -> means.sandboxes().create(names.sandbox(), labels(names), deadline));
    active(sandbox);
    made(sandbox);
    return sandbox;
  }

  private Map<String, String> labels(Names names) {
    var labels = new HashMap<>(terms);
    labels.putAll(names.labels());
    return labels;
  }

  private Sandbox resume(SessionRow row, SandboxId id) throws InterruptedException {
    var began = System.nanoTime();
    keep(() -> means.rows().isResuming(thread, fence));
    var sandbox = withRoom(() -> means.sandboxes().start(id, deadline));
    active(sandbox);
    var took = Duration.ofNanos(System.nanoTime() - began);
    note(Event.SANDBOX_RESUMED, "sandbox %s is awake after %d ms".formatted(id, took.toMillis()));
    note(Event.SANDBOX_RESOLVE_REUSE, "sandbox %s was woken".formatted(id));
    waking.awake(took, row.lastActivityAt);
    return sandbox;
  }

  private Sandbox withRoom(Space.Way way) throws InterruptedException {
    return means.space().sandbox(thread, fence, waking, deadline, way);
  }

  private void active(Sandbox sandbox) {
    Trail.mark(Mark.SANDBOX, sandbox.id());
    keep(() -> means.rows().becameActive(thread, fence, sandbox.id()));
    extendLife(sandbox);
  }

  private void made(Sandbox sandbox) {
    note(
        Event.SANDBOX_CREATED,
        "sandbox %s (%s) is the thread's own".formatted(sandbox.id(), sandbox.name()));
    note(Event.SANDBOX_RESOLVE_RECREATE, "sandbox %s".formatted(sandbox.id()));
  }

  private void note(Event event, String detail) {
    means.logbook().note(event, detail);
  }

  /// Nobody waits for it, and the turn's end does it again.
  private void extendLife(Sandbox sandbox) {
    Thread.ofVirtual()
        .name("life of " + sandbox.id())
        .start(
            () -> {
              try {
                means.sandboxes().extendLife(sandbox.id());
              } catch (Failure failure) {
                LOG.warnf("Sandbox %s: %s", sandbox.id(), failure.getMessage());
              }
            });
  }

  private Workspace replaced(SessionRow row, String reason) throws InterruptedException {
    note(Event.SANDBOX_SESSION_REPLACED, reason + "; a new sandbox takes its place");
    var old = Names.of(thread, row);
    var names = old.next();
    var filesOf = row.sandbox().map(_ -> row.lastActivityAt);
    keep(
        () ->
            means.rows().isDestroyed(thread, fence, reason)
                && means
                    .rows()
                    .isReplaced(thread, fence, names, filesOf, means.mirror().source(old)));
    waking.startingAnew();
    var sandbox = create(names);
    return workspace(again(row), sandbox);
  }

  /// One that is made from what all are made from now need not be asked.
  private boolean isSpokenTo(Sandbox sandbox) {
    return sandbox.image().isEmpty()
        || sandbox.image().equals(means.sandboxes().image())
        || means.agents().isSpokenTo(sandbox);
  }

  /// The row points to the old one until everything is in the new one, whose name whoever begins again finds taken. The old
  /// one is left to its end.
  private Workspace carriedOver(SessionRow row, Sandbox old) throws InterruptedException {
    var before = Names.of(thread, row);
    var names = before.next();
    note(
        Event.SANDBOX_SESSION_REPLACED,
        "sandbox %s is of an older deployment; %s takes its place"
            .formatted(old.id(), names.sandbox()));
    waking.startingAnew();
    extendLife(old);
    means.mirror().copy(before, fence, old);
    var fresh = withRoom(() -> means.sandboxes().create(names.sandbox(), labels(names), deadline));
    var left = new Removal(old, fresh, deadline).carry();
    if (left > 0) {
      waking.leavingBehind(left);
    }
    var isOurs =
        transaction(
            () ->
                means
                    .rows()
                    .isCarriedOver(
                        thread, fence, names, fresh.id(), means.mirror().source(before)));
    if (!isOurs) {
      // Whoever has the thread now may be at work on the old one.
      throw new HoldLost(thread + ", fence " + fence);
    }
    Trail.mark(Mark.SANDBOX, fresh.id());
    made(fresh);
    leave(old);
    return workspace(again(row), fresh);
  }

  /// It costs until it stops by itself.
  private void leave(Sandbox old) {
    try {
      means.sandboxes().stop(old.id());
    } catch (Failure failure) {
      LOG.infof("Thread %s: %s", thread, failure.getMessage());
    }
  }

  private Known again(SessionRow before) {
    return transaction(() -> known(means.rows().of(thread).orElse(before)));
  }

  private Workspace workspace(Known known, Sandbox sandbox) {
    var row = known.row();
    var names = Names.of(thread, row);
    var begun = row.seedFrom == null ? known.isCopied() : seeded(sandbox, names, row.seedFrom);
    return new Workspace(this, sandbox, names, begun, row.journalOffset);
  }

  private boolean seeded(Sandbox sandbox, Names names, int from) {
    var isRestored = means.mirror().restore(from, names, sandbox);
    var memory = isRestored ? Memory.RESTORED : Memory.LOST;
    keep(() -> means.rows().isSeeded(thread, fence, memory));
    return isRestored;
  }

  // What a workspace asks for while it is open

  void copy(Names names, Sandbox sandbox) {
    means.mirror().copy(names, fence, sandbox);
  }

  Optional<Integer> source(Names names) {
    return transaction(() -> means.mirror().source(names));
  }

  /// Another session on the same machine; whether it begins with what was said.
  boolean restored(Sandbox sandbox, Names names, Optional<Integer> seed) {
    LOG.warnf("Thread %s: Pi goes on in session %s", thread, names.session());
    keep(() -> means.rows().isForgotten(thread, fence, names, seed));
    return seed.isPresent() && seeded(sandbox, names, seed.get());
  }

  Optional<News> news() {
    return transaction(() -> means.rows().of(thread)).flatMap(SessionRow::news);
  }

  void keepAwake(Sandbox sandbox) {
    keep(() -> means.rows().touch(thread, fence));
    means.sandboxes().keepAwake(sandbox.id());
  }

  Agent agent(
      Sandbox sandbox, Conversation conversation, Manner manner, long offset, Deadline until) {
    return means.agents().on(sandbox, conversation, manner, fence, offset, until);
  }

  private <T> T transaction(Supplier<T> work) {
    return means.database().transaction(work);
  }

  /// A row that would not change belongs to somebody who came after us; the claim's heartbeat will find out too.
  private void keep(BooleanSupplier change) {
    if (!transaction(change::getAsBoolean)) {
      LOG.warnf("Thread %s: its session is in other hands", thread);
    }
  }
}
