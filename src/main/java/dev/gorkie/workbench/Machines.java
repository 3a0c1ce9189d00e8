package dev.gorkie.workbench;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.inbox.Tenure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sessions.News;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.sessions.Waking;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The sandboxes of programs, running. Only one at a time may wake, create or replace one, so that is done under its thread's lease;
/// what is done in it then needs none.
@ApplicationScoped
class Machines {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final Database database;
  private final ProgramSessionRows rows;
  private final Policies policies;
  private final Inbox inbox;
  private final Sessions sessions;

  @Inject
  Machines(
      Database database,
      ProgramSessionRows rows,
      Policies policies,
      Inbox inbox,
      Sessions sessions) {
    this.database = database;
    this.rows = rows;
    this.policies = policies;
    this.inbox = inbox;
    this.sessions = sessions;
  }

  private Optional<Policy> policy(ThreadKey thread) {
    return database
        .transaction(() -> rows.find(thread))
        .flatMap(session -> session.policy().flatMap(it -> policies.find(session.tenant(), it)));
  }

  /// @param news what its files' owner has not been told yet
  /// @param policy that held in the thread when it was opened
  record Opened(Sandbox sandbox, Optional<News> news, Optional<Policy> policy) {}

  /// Empty when there was no time for it, or no thread any more.
  Optional<Opened> open(ThreadKey thread, BooleanSupplier wanted, Deadline deadline)
      throws InterruptedException {
    var held = held(thread, wanted, deadline);
    if (held.isEmpty()) {
      return Optional.empty();
    }
    try (var tenure = held.get()) {
      // Looked at by whoever has the thread: an older look would take back what somebody has set
      // meanwhile.
      var policy = policy(thread);
      var terms =
          policy
              .flatMap(Policy::network)
              .<Map<String, String>>map(it -> Map.of(Sandboxes.NETWORK, it))
              .orElse(Map.of());
      var workspace =
          sessions.openMachine(thread, tenure.fence(), Waking.silently(), deadline, terms);
      return Optional.of(new Opened(workspace.sandbox(), workspace.news(), policy));
    } catch (Failure failure) {
      if (failure.code() == SandboxFailure.TOO_SLOW && deadline.isOver()) {
        // It goes on waking up; whoever has more time finds it awake.
        return Optional.empty();
      }
      throw failure;
    }
  }

  private Optional<Tenure> held(ThreadKey thread, BooleanSupplier wanted, Deadline deadline)
      throws InterruptedException {
    while (wanted.getAsBoolean()) {
      var tenure = inbox.hold(thread);
      if (tenure.isPresent() || deadline.isOver() || !inbox.knows(thread)) {
        return tenure;
      }
      Thread.sleep(deadline.within(BETWEEN_LOOKS).left());
    }
    return Optional.empty();
  }

  /// Its files' owner knows now; who opens it from here on tells nothing of it. Only inside a transaction of the caller's.
  void isTold(ThreadKey thread, Opened opened) {
    if (opened.news().isPresent()) {
      sessions.isTold(thread, opened.sandbox().id());
    }
  }

  boolean isThere(ThreadKey thread) {
    return inbox.knows(thread);
  }

  void keepAwake(ThreadKey thread) {
    sessions.keepAwake(thread);
  }
}
