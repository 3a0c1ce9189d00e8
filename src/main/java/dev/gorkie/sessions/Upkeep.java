package dev.gorkie.sessions;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sandbox.Sandboxes.Listed;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// What is done for sessions nobody works in. It may run twice at once, and against a turn that begins: each step is one
/// conditional update, and whoever wakes a thread wins.
@ApplicationScoped
class Upkeep {

  /// Whoever has not asked Daytona for the stop by then does not do it any more.
  static final Duration STOPPED_WITHIN = Duration.ofSeconds(5);

  private static final Logger LOG = Logger.getLogger(Upkeep.class);

  // As many as one look may change; the next one finds the rest.
  private static final int PAUSED_MAX = 100;
  private static final int SEARCHED_MAX = 50;

  private final Database database;
  private final SilentRows rows;
  private final SessionRows sessions;
  private final Mirror mirror;
  private final Sandboxes sandboxes;
  private final Duration silence;

  @Inject
  Upkeep(
      Database database,
      SilentRows rows,
      SessionRows sessions,
      Mirror mirror,
      Sandboxes sandboxes,
      Rules rules) {
    this.database = database;
    this.rows = rows;
    this.sessions = sessions;
    this.mirror = mirror;
    this.sandboxes = sandboxes;
    this.silence = rules.silence();
  }

  void pauseSilent(Predicate<ThreadKey> atRest) {
    for (var row : database.transaction(() -> rows.silentFor(silence, PAUSED_MAX))) {
      if (atRest.test(ThreadKey.parse(row.threadId))) {
        pause(row);
      }
    }
  }

  private void pause(SessionRow row) {
    var inTime = Deadline.in(STOPPED_WITHIN);
    if (!database.transaction(() -> rows.isPaused(row))) {
      LOG.infof("Thread %s has woken up and keeps its sandbox", row.threadId);
      return;
    }
    if (inTime.isOver()) {
      // A turn that has begun meanwhile no longer expects it.
      LOG.warnf("Thread %s: too late to stop its sandbox", row.threadId);
      return;
    }
    try {
      row.sandbox().ifPresent(sandboxes::stop);
      LOG.infof("Thread %s is silent; its sandbox %s sleeps", row.threadId, row.sandboxId);
    } catch (Failure failure) {
      // Daytona stops it by itself after a while.
      LOG.warnf("Thread %s: %s", row.threadId, failure.getMessage());
    }
  }

  void reconcile(Predicate<ThreadKey> known) throws InterruptedException {
    try {
      reconcile(sandboxes.list(Names.OURS), known);
    } catch (Failure failure) {
      // It is time again soon, and what else is looked after does not wait for Daytona.
      LOG.warnf("Machines and rows were not compared: %s", failure.getMessage());
    }
  }

  private void reconcile(List<Listed> listed, Predicate<ThreadKey> known)
      throws InterruptedException {
    var there = listed.stream().map(sandbox -> sandbox.id().value()).collect(Collectors.toSet());
    var rowsWithSandbox = database.transaction(rows::withSandbox);
    var missing =
        rowsWithSandbox.stream()
            .filter(row -> !there.contains(row.sandboxId))
            .limit(SEARCHED_MAX)
            .toList();
    for (var row : missing) {
      search(row);
    }
    var owned = rowsWithSandbox.stream().map(row -> row.sandboxId).collect(Collectors.toSet());
    for (var sandbox : listed) {
      if (!owned.contains(sandbox.id().value())) {
        adopt(sandbox, known);
      }
    }
  }

  /// A list is not to be believed: what is missing in it is asked for, twice.
  private void search(SessionRow row) throws InterruptedException {
    var sandbox = row.sandbox();
    if (sandbox.isEmpty()) {
      return;
    }
    try {
      if (sandboxes.find(sandbox.get()) instanceof Found.Gone
          && database.transaction(() -> rows.isFoundGone(row))) {
        LOG.warnf("Thread %s: its sandbox %s is gone", row.threadId, row.sandboxId);
      }
    } catch (Failure failure) {
      LOG.warnf("Thread %s: %s", row.threadId, failure.getMessage());
    }
  }

  private void adopt(Listed sandbox, Predicate<ThreadKey> known) {
    var names = Names.of(sandbox);
    if (names.isEmpty() || !known.test(names.get().thread())) {
      LOG.infof("Sandbox %s (%s) is nobody's; its time will come", sandbox.id(), sandbox.name());
      return;
    }
    var thread = names.get().thread();
    var adopted =
        database.transaction(
            () ->
                sessions
                    .of(thread)
                    .map(row -> isFor(row, sandbox) && rows.isAdopted(row, sandbox.id()))
                    .orElseGet(
                        () -> rows.isAdopted(thread, mirror.newest(names.get()), sandbox.id())));
    if (adopted) {
      LOG.warnf("Thread %s: sandbox %s was found and is its own again", thread, sandbox.id());
    } else {
      LOG.infof("Thread %s has left sandbox %s behind", thread, sandbox.id());
    }
  }

  private static boolean isFor(SessionRow row, Listed sandbox) {
    return row.sandboxId == null && row.sandboxName.equals(sandbox.name());
  }

  @ConfigMapping(prefix = "gorkie.sessions")
  interface Rules {

    /// A sandbox costs while it runs. Longer than a run's signs of life are apart.
    @WithDefault("5m")
    Duration silence();

    /// How often a thread that waits for room looks whether there is some.
    @WithDefault("10s")
    Duration roomEvery();

    /// How long it waits; whoever reads a sentence after that does something else meanwhile.
    @WithDefault("10m")
    Duration roomPatience();
  }
}
