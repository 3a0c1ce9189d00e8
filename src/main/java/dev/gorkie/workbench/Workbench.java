package dev.gorkie.workbench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.inbox.Vigil;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sessions.Sessions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// Takes in what programs want done, has it done once, and knows what came of it.
@ApplicationScoped
public class Workbench {

  /// So many operations of one tenant may be under way at once.
  public static final int AT_ONCE_MAX = 50;

  /// So many sessions may one tenant have.
  public static final int SESSIONS_MAX = 1_000;

  private static final Logger LOG = Logger.getLogger(Workbench.class);

  // A program that was away for a night still learns what came of it.
  private static final Duration KEPT = Duration.ofDays(1);
  // Where another process has it in hand.
  private static final Duration LOOKED_EVERY = Duration.ofMillis(500);
  // A machine that starts or stops just now is done with that first.
  private static final Duration REMOVED_WITHIN = Duration.ofMinutes(5);
  // One that does not go in that time is left to another look.
  private static final Duration TIDIED_WITHIN = Duration.ofSeconds(30);
  // As many as one look may remove; the next one finds the rest.
  private static final int REMOVED_MAX = 20;
  private static final Duration SIGNED_FOR = Duration.ofMinutes(5);

  private final Database database;
  private final Doing.Means means;
  private final Policies policies;
  private final Inbox inbox;
  private final Vigil vigil;
  private final Sessions sessions;
  private final Sandboxes sandboxes;
  private final Map<String, CompletableFuture<Outcome>> awaited = new ConcurrentHashMap<>();

  @Inject
  Workbench(
      Database database,
      OperationRows rows,
      ProgramSessionRows sessionRows,
      ArtifactRows artifacts,
      Machines machines,
      Policies policies,
      Inbox inbox,
      Vigil vigil,
      Sessions sessions,
      Sandboxes sandboxes) {
    this.database = database;
    this.means = new Doing.Means(database, rows, sessionRows, artifacts, machines);
    this.policies = policies;
    this.inbox = inbox;
    this.vigil = vigil;
    this.sessions = sessions;
    this.sandboxes = sandboxes;
  }

  /// Once this returns an operation, it is carried out sooner or later, whoever dies meanwhile.
  public Accepted accept(Order order) {
    return database.transaction(() -> taken(order));
  }

  private Accepted taken(Order order) {
    means.rows().lock(order.tenant());
    var known = order.key().flatMap(key -> means.rows().askedAs(order.tenant(), key.name()));
    if (known.isPresent()) {
      var asked = order.key().orElseThrow().hash();
      return known.get().asked().equals(asked)
          ? new Accepted.Operation(known.get().id())
          : new Accepted.KeyTaken();
    }
    if (means.rows().countOpen(order.tenant()) >= AT_ONCE_MAX) {
      return new Accepted.TooMany("operations are under way", AT_ONCE_MAX);
    }
    var id = Ids.of("op");
    var name = order.session().orElse(id);
    var thread = ProgramThread.of(order.tenant(), name);
    var session = means.sessions().find(thread);
    if (session.isPresent()) {
      if (order.policy().isPresent() && !order.policy().equals(session.get().policy())) {
        return new Accepted.WrongPolicy(true);
      }
      means.sessions().touch(thread);
    } else {
      if (means.sessions().count(order.tenant()) >= SESSIONS_MAX) {
        return new Accepted.TooMany("sessions are there", SESSIONS_MAX);
      }
      var policy =
          order
              .policy()
              .or(
                  () ->
                      Optional.of(Policy.USUAL)
                          .filter(usual -> policies.isThere(order.tenant(), usual)));
      if (policy.filter(it -> !policies.isThere(order.tenant(), it)).isPresent()) {
        return new Accepted.WrongPolicy(false);
      }
      inbox.open(thread);
      means.sessions().insert(thread, order.tenant(), name, order.session().isEmpty(), policy);
    }
    means.rows().insert(id, thread, order);
    LOG.infof("Thread %s: %s (%s) is accepted", thread, id, order.kind().wire());
    return new Accepted.Operation(id);
  }

  /// Carries it out, or goes on with it, until its outcome is known or time is up. False where somebody has to go on with it.
  public boolean carryOut(String id, Deadline deadline) throws InterruptedException {
    return switch (new Doing(means, id).until(deadline)) {
      case Doing.Tried.Done(var outcome) -> {
        LOG.infof("%s is done", id);
        Optional.ofNullable(awaited.get(id)).ifPresent(future -> future.complete(outcome));
        yield true;
      }
      case Doing.Tried.OutOfTime(), Doing.Tried.Again() -> false;
      case Doing.Tried.NotNow() -> true;
    };
  }

  /// Removes what was there for this operation alone, once that is over and nothing is to be fetched from it.
  public void clear(String id) throws InterruptedException {
    var over = database.transaction(() -> means.sessions().overOf(id));
    if (over.isPresent()) {
      remove(over.get(), Deadline.in(REMOVED_WITHIN));
    }
  }

  private void remove(ProgramSessionRows.Row session, Deadline deadline)
      throws InterruptedException {
    try {
      // Somebody may have used it since it was found.
      if (database.transaction(() -> means.sessions().isStillOver(session.thread()))) {
        remove(session.thread(), deadline);
      }
    } catch (Failure failure) {
      LOG.warnf("Thread %s is removed later: %s", session.thread(), failure.getMessage());
    }
  }

  /// What came of it, as soon as somebody who is at it knows.
  public Optional<Outcome> await(String id, Deadline deadline) throws InterruptedException {
    var future = awaited.computeIfAbsent(id, _ -> new CompletableFuture<>());
    try {
      while (true) {
        var known = outcome(id);
        if (known.isPresent() || deadline.isOver()) {
          return known;
        }
        try {
          return Optional.of(
              future.get(deadline.within(LOOKED_EVERY).left().toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
          // Perhaps it is another process that comes to the end of it.
        } catch (ExecutionException impossible) {
          throw new IllegalStateException("Nobody fails it", impossible);
        }
      }
    } finally {
      awaited.remove(id, future);
    }
  }

  private Optional<Outcome> outcome(String id) {
    return database
        .transaction(() -> means.rows().find(id))
        .flatMap(OperationRows.Row::result)
        .map(Results::read);
  }

  /// Another tenant's is as unknown as one that never was.
  public Optional<Standing> find(String tenant, String id) {
    return database.transaction(() -> row(tenant, id).map(this::standing));
  }

  private Optional<OperationRows.Row> row(String tenant, String id) {
    return means.rows().find(id).filter(row -> row.thread().team().equals(tenant));
  }

  private Standing standing(OperationRows.Row row) {
    return new Standing(
        row.id(),
        row.kind(),
        means
            .sessions()
            .find(row.thread())
            .filter(session -> !session.ephemeral())
            .map(ProgramSessionRows.Row::session),
        row.accepted(),
        row.result().map(Results::read));
  }

  /// What an operation has printed from these offsets on, as soon as there is something. Empty where there is no such operation.
  public Optional<Piece> listen(String tenant, String id, long stdout, long stderr, Duration wait)
      throws InterruptedException {
    var row = database.transaction(() -> row(tenant, id));
    if (row.isEmpty()) {
      return Optional.empty();
    }
    var over = row.get().result().isPresent();
    var said =
        row.get().kind() == Kind.EXECUTE
            ? printed(row.get(), stdout, stderr, over ? Duration.ZERO : wait)
            : Optional.<JsonNode>empty();
    if (said.isEmpty()) {
      // It is being woken, or asleep again: the outcome tells the rest.
      if (!over) {
        Thread.sleep(wait.compareTo(LOOKED_EVERY) < 0 ? wait : LOOKED_EVERY);
      }
      return Optional.of(new Piece(over, "", stdout, "", stderr));
    }
    var out = said.get().path("output").path("stdout");
    var errors = said.get().path("output").path("stderr");
    var isMore = !text(out).isEmpty() || !text(errors).isEmpty();
    return Optional.of(
        new Piece(
            over && !isMore, text(out), next(out, stdout), text(errors), next(errors, stderr)));
  }

  private static String text(JsonNode printed) {
    return printed.path("text").asText();
  }

  /// Never back: whoever listens would hear the same for ever.
  private static long next(JsonNode printed, long from) {
    return Math.max(from, printed.path("next").asLong(from));
  }

  /// Empty where its sandbox does not run, or does not answer now, or has not begun it.
  private Optional<JsonNode> printed(OperationRows.Row row, long stdout, long stderr, Duration wait)
      throws InterruptedException {
    var known = sessions.sandbox(row.thread());
    try {
      return known.isPresent() && sandboxes.find(known.get()) instanceof Found.Running(var sandbox)
          ? Performed.printed(sandbox, row.id(), stdout, stderr, wait)
          : Optional.empty();
    } catch (Failure failure) {
      LOG.infof("Thread %s: %s", row.thread(), failure.getMessage());
      return Optional.empty();
    }
  }

  /// Another tenant's is as unknown as one that never was.
  public Optional<Artifact> artifact(String tenant, String id) {
    return database
        .transaction(() -> means.artifacts().find(tenant, id))
        .map(ArtifactRows.Row::artifact);
  }

  /// Its bytes; the caller closes them. Empty where they are gone with their sandbox.
  public Optional<InputStream> content(String tenant, String id, Deadline deadline)
      throws InterruptedException {
    var row = database.transaction(() -> means.artifacts().find(tenant, id));
    if (row.isEmpty()) {
      return Optional.empty();
    }
    var sandbox = machine(row.get().thread(), deadline);
    try {
      return Optional.of(sandbox.download(Performed.placeOf(sandbox, row.get().artifact())));
    } catch (Failure failure) {
      if (failure.code() == SandboxFailure.NO_FILE) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /// Where whoever has the address may fetch it for some minutes. Empty where that can't be had.
  public Optional<URI> address(String tenant, String id, Deadline deadline)
      throws InterruptedException {
    var row = database.transaction(() -> means.artifacts().find(tenant, id));
    if (row.isEmpty()) {
      return Optional.empty();
    }
    var sandbox = machine(row.get().thread(), deadline);
    return sandbox.address(Performed.placeOf(sandbox, row.get().artifact()), SIGNED_FOR);
  }

  private Sandbox machine(ThreadKey thread, Deadline deadline) throws InterruptedException {
    return means
        .machines()
        .open(thread, () -> true, deadline)
        .map(Machines.Opened::sandbox)
        .orElseThrow(() -> new Failure(SandboxFailure.TOO_SLOW, thread + " did not wake up"));
  }

  /// The sessions of one tenant or all, behind this one in their order.
  public List<Session> sessions(Optional<String> tenant, String after, int most) {
    var rows = database.transaction(() -> means.sessions().list(tenant, after, most));
    var statuses = sessions.statuses(rows.stream().map(ProgramSessionRows.Row::thread).toList());
    return rows.stream()
        .map(
            row ->
                new Session(
                    row.thread().toString(),
                    row.tenant(),
                    row.session(),
                    row.ephemeral(),
                    row.policy(),
                    Optional.ofNullable(statuses.get(row.thread())),
                    row.open(),
                    row.created(),
                    row.used()))
        .toList();
  }

  /// The session is gone, and its sandbox with all that is in it; what ran there is lost. Nothing happens where there is none. How
  /// long to wait where somebody wakes the sandbox just now.
  public Optional<Duration> remove(String tenant, String session, Deadline deadline)
      throws InterruptedException {
    return remove(ProgramThread.of(tenant, session), deadline);
  }

  private Optional<Duration> remove(ThreadKey thread, Deadline deadline)
      throws InterruptedException {
    database.transaction(() -> means.rows().areLost(thread, Results.written(Words.LOST)));
    // From here on nobody opens it, and whoever does writes nothing more.
    var held = inbox.withhold(thread, REMOVED_WITHIN.multipliedBy(2));
    if (held.filter(it -> it.compareTo(deadline.left()) > 0).isPresent()) {
      return held;
    }
    if (held.isPresent()) {
      Thread.sleep(held.get());
    }
    if (inbox.knows(thread)) {
      sessions.destroy(thread, deadline);
    }
    database.transaction(
        () -> {
          // What was accepted meanwhile has no session any more, either.
          means.rows().lock(thread.team());
          means.rows().areLost(thread, Results.written(Words.LOST));
          means.artifacts().forget(thread);
          means.sessions().remove(thread);
          inbox.forget(thread);
          return true;
        });
    LOG.infof("Thread %s is removed", thread);
    return Optional.empty();
  }

  /// The tenant's sessions are gone with their sandboxes, and so are its policies and what came of its operations. How many sessions
  /// there were. Nobody works for the tenant meanwhile.
  public int forget(String tenant) throws InterruptedException {
    var count = 0;
    for (var some = some(tenant); !some.isEmpty(); some = some(tenant)) {
      for (var session : some) {
        remove(session.thread(), Deadline.in(REMOVED_WITHIN));
        count++;
      }
    }
    database.transaction(() -> means.rows().forget(tenant));
    policies.forget(tenant);
    return count;
  }

  private List<ProgramSessionRows.Row> some(String tenant) {
    return database.transaction(() -> means.sessions().list(Optional.of(tenant), "", REMOVED_MAX));
  }

  /// Operations at which nobody is.
  public List<String> abandoned(int most) {
    return database.transaction(() -> means.rows().abandoned(most));
  }

  /// Whether something is to be done just now.
  public boolean isAnyUnderWay() {
    return database.transaction(means.rows()::anyOpen);
  }

  /// Whether something is to be done, now or soon.
  public boolean isAnyOpen() {
    return database.transaction(() -> means.rows().anyOpen() || means.sessions().isAnyToRemove());
  }

  /// Whether something is under way in the thread's sandbox.
  public boolean isAnyOpen(ThreadKey thread) {
    return database.transaction(() -> means.rows().anyOpen(thread));
  }

  /// Removes what nobody needs any more.
  public void tidy() throws InterruptedException {
    policies.reseal();
    var over =
        database.transaction(
            () -> {
              means.rows().forget(KEPT);
              return means.sessions().over(REMOVED_MAX);
            });
    var deadline = Deadline.in(REMOVED_WITHIN);
    for (var session : over) {
      if (deadline.isOver()) {
        return;
      }
      remove(session, deadline.within(TIDIED_WITHIN));
    }
  }

  /// Whether somebody looks after what is open when we are gone. In a server somebody always does.
  public boolean isLookedAfter() {
    return !vigil.missing().clock();
  }
}
