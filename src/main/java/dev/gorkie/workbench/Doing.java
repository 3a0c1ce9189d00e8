package dev.gorkie.workbench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.HoldLost;
import dev.gorkie.database.Database;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.workbench.OperationRows.Taken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/// One worker at one operation: from whatever state its sandbox was left in until its outcome is written down, or time is up.
final class Doing {

  private static final Logger LOG = Logger.getLogger(Doing.class);

  // As long as a thread's, and renewed as often: a worker that was killed is followed up within 40
  // s.
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration RENEWED_EVERY = Duration.ofSeconds(10);
  // A running process is no activity: a sandbox is told each minute that it is in use.
  private static final int BEATS_A_SIGN = 6;
  // One question to a sandbox; what stands before it may end what is silent for longer.
  private static final Duration WAIT_MOST = Duration.ofSeconds(20);
  // What is begun with less than that left is not answered in time.
  private static final Duration LEAVES_BEFORE = Duration.ofSeconds(2);
  private static final int FAILURES_MAX = 3;
  private static final Duration TRIED_AGAIN_AFTER = Duration.ofSeconds(5);
  // A program runs on while nobody can hear it: an outage of so long costs nobody its outcome.
  private static final Duration UNHEARD_MOST = Duration.ofMinutes(5);
  // The keeper waits by itself; this is for one that does not.
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final Means means;
  private final String id;
  private final String worker = UUID.randomUUID().toString();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean ours = true;
  private boolean begun;

  record Means(
      Database database,
      OperationRows rows,
      ProgramSessionRows sessions,
      ArtifactRows artifacts,
      Machines machines) {}

  Doing(Means means, String id) {
    this.means = means;
    this.id = id;
  }

  /// What came of one try.
  sealed interface Tried {
    record Done(Outcome outcome) implements Tried {}

    /// Somebody with more time has to go on with it.
    record OutOfTime() implements Tried {}

    /// It came to nothing, and somebody has to try again in a while.
    record Again() implements Tried {}

    /// Another worker is at it.
    record NotNow() implements Tried {}
  }

  Tried until(Deadline deadline) throws InterruptedException {
    var taken = means.database().transaction(() -> means.rows().take(id, worker, LEASE));
    if (taken.isEmpty()) {
      return new Tried.NotNow();
    }
    var operation = taken.get();
    begun = operation.begunOn().isPresent();
    var heart = Thread.ofVirtual().name("heartbeat " + id).start(() -> beat(operation));
    try {
      var outcome = outcome(operation, deadline);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      return means.database().transaction(() -> means.rows().release(id, worker))
          ? new Tried.OutOfTime()
          : new Tried.NotNow();
    } catch (Failure failure) {
      return failed(operation, failure);
    } catch (HoldLost lost) {
      LOG.infof("%s is tried again: %s", id, lost.getMessage());
      means.database().transaction(() -> means.rows().failed(id, worker, Duration.ZERO));
      return new Tried.Again();
    } finally {
      over.countDown();
      heart.join();
    }
  }

  /// With what it has made; from here on a sandbox that was for this alone is needed no more, or only for what is to be fetched.
  ///
  /// @param also what is noted with it
  private Tried settled(Taken operation, Outcome outcome, Runnable also) {
    return means
        .database()
        .<Tried>transaction(
            () -> {
              var made = 0;
              if (outcome instanceof Outcome.Done(var result)) {
                made = keep(operation, result);
              }
              if (!means.rows().settle(id, worker, Results.written(outcome))) {
                return new Tried.NotNow();
              }
              means.sessions().isOver(operation.thread(), made > 0);
              also.run();
              return new Tried.Done(outcome);
            });
  }

  private int keep(Taken operation, ObjectNode result) {
    var made = 0;
    if (result.path("artifact") instanceof ObjectNode one) {
      made += kept(operation, one);
    }
    for (var artifact : result.path("artifacts")) {
      made += kept(operation, (ObjectNode) artifact);
    }
    return made;
  }

  private int kept(Taken operation, ObjectNode artifact) {
    var sha256 = artifact.path("sha256").asText();
    if (!HASH.matcher(sha256).matches()) {
      LOG.warnf("%s says of an artifact what can't be true", id);
      return 0;
    }
    var kept =
        new Artifact(
            Ids.of("art"),
            id,
            artifact.path("path").asText().replace('\0', '\ufffd'),
            artifact.path("name").asText().replace('\0', '\ufffd'),
            artifact.path("type").asText().replace('\0', '\ufffd'),
            artifact.path("size").asLong(),
            sha256,
            Instant.EPOCH);
    means.artifacts().insert(operation.thread(), kept);
    artifact.put("id", kept.id());
    return 1;
  }

  private Tried failed(Taken operation, Failure failure) {
    LOG.warnf("%s: %s", id, failure.getMessage());
    // A machine without our programs runs nothing of ours.
    var mayRun =
        begun && !operation.kind().isRepeatable() && failure.code() != SandboxFailure.NO_IMAGE;
    if (mayRun ? mayBeHeardOf(operation) : isTriedAgain(operation, failure)) {
      means.database().transaction(() -> means.rows().failed(id, worker, TRIED_AGAIN_AFTER));
      return new Tried.Again();
    }
    return mayRun
        ? settled(operation, Words.UNHEARD, () -> {})
        : settled(operation, Words.refused(failure.code()), this::mayBeAskedAgain);
  }

  private static boolean isTriedAgain(Taken operation, Failure failure) {
    return failure.code().fault().isWorthAnotherTry() && operation.failures() + 1 < FAILURES_MAX;
  }

  /// Until it must have been over for a while.
  private static boolean mayBeHeardOf(Taken operation) {
    var timeout = Duration.ofSeconds(Results.wish(operation.wish()).path("timeout").asLong());
    return operation.begunFor().compareTo(timeout.plus(UNHEARD_MOST)) < 0;
  }

  /// What was never begun is not what came of the key's request.
  private void mayBeAskedAgain() {
    if (!begun) {
      means.rows().forgetKey(id);
    }
  }

  private Optional<Tried> outcome(Taken operation, Deadline deadline) throws InterruptedException {
    var opened = means.machines().open(operation.thread(), () -> ours, deadline);
    if (opened.isEmpty()) {
      // Its session may have been removed since.
      return means.machines().isThere(operation.thread())
          ? Optional.empty()
          : Optional.of(settled(operation, Words.LOST, () -> {}));
    }
    var sandbox = opened.get().sandbox();
    var policy = opened.get().policy();
    if (operation.begunOn().filter(it -> !it.equals(sandbox.id())).isPresent()
        && !operation.kind().isRepeatable()) {
      return Optional.of(settled(operation, Words.LOST, () -> {}));
    }
    var wish = Results.wish(operation.wish());
    policy.ifPresent(it -> Policies.apply(it, operation.kind(), wish));
    if (operation.kind() == Kind.COPY) {
      bringIn(operation, wish, sandbox, deadline);
    }
    var performed = new Performed(sandbox, id, wish);
    performed.given();
    if (!begun
        && !means.database().transaction(() -> means.rows().isBegunOn(id, worker, sandbox.id()))) {
      // It is not ours any more, and the sandbox may be another session's of the same name.
      return Optional.empty();
    }
    begun = true;
    while (ours) {
      var left = deadline.left().minus(LEAVES_BEFORE);
      if (left.isNegative()) {
        return Optional.empty();
      }
      var result = performed.result(left.compareTo(WAIT_MOST) < 0 ? left : WAIT_MOST);
      if (result.isPresent()) {
        return result
            .map(said -> Results.outcome(operation.kind(), said))
            .map(outcome -> Words.with(opened.get().news(), outcome))
            .map(outcome -> Words.advised(policy, wish, outcome))
            .map(
                outcome ->
                    settled(operation, outcome, () -> tellOnce(operation, opened.get(), outcome)));
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    return Optional.empty();
  }

  private void tellOnce(Taken operation, Machines.Opened opened, Outcome outcome) {
    if (outcome instanceof Outcome.Done) {
      means.machines().isTold(operation.thread(), opened);
    }
  }

  /// What is to be copied from other sandboxes of the tenant goes through here, and is never held. One that is gone keeps no other from
  /// being copied.
  private void bringIn(Taken operation, ObjectNode wish, Sandbox into, Deadline deadline)
      throws InterruptedException {
    // Whoever was at it before may not have come to its end yet, and then puts away what was
    // brought in for it.
    wish.put("in", worker);
    var index = 0;
    for (var file : wish.path("files")) {
      if (file.has("artifact") && !isBroughtIn(operation, file, index, into, deadline)) {
        ((ObjectNode) file).put("error", "missing");
      }
      index++;
    }
  }

  private boolean isBroughtIn(
      Taken operation, JsonNode file, int index, Sandbox into, Deadline deadline)
      throws InterruptedException {
    var found =
        means
            .database()
            .transaction(
                () -> means.artifacts().find(operation.tenant(), file.path("artifact").asText()));
    if (found.isEmpty()) {
      return false;
    }
    var from =
        means
            .machines()
            .open(found.get().thread(), () -> ours, deadline)
            .map(Machines.Opened::sandbox)
            .orElseThrow(
                () ->
                    new Failure(
                        SandboxFailure.TOO_SLOW, found.get().thread() + " did not wake up"));
    InputStream content;
    try {
      content = from.download(Performed.placeOf(from, found.get().artifact()));
    } catch (Failure failure) {
      if (failure.code() == SandboxFailure.NO_FILE) {
        return false;
      }
      throw failure;
    }
    try (content) {
      into.upload(Performed.placeOf(into, id) + "/in/" + worker + "/" + index, content);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void beat(Taken operation) {
    try {
      for (var beats = 1; !over.await(RENEWED_EVERY.toMillis(), TimeUnit.MILLISECONDS); beats++) {
        if (!isRenewed()) {
          LOG.warnf("%s was taken over", id);
          return;
        }
        if (beats % BEATS_A_SIGN == 0) {
          means.machines().keepAwake(operation.thread());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// False where there is no use in trying again.
  private boolean isRenewed() {
    try {
      ours = means.database().transaction(() -> means.rows().renew(id, worker, LEASE));
      return ours;
    } catch (RuntimeException e) {
      LOG.warnf(e, "The lease on %s could not be renewed", id);
      return true;
    }
  }
}
