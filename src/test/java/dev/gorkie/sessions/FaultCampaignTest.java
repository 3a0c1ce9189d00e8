package dev.gorkie.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.Await;
import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.ThreadKey;
import dev.gorkie.pi.Manner;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.sandbox.SandboxId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Turns, one fault of Daytona's each, from a seed. A turn that fails is tried again without the fault, as the inbox does it.
/// No sandbox is ever deleted here, so that each replacement is a wrong one.
///
/// “make faults” runs more of it, and says how long it takes until Pi runs.
@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class FaultCampaignTest extends SessionsAtHand {

  private static final int FAULTS = Integer.getInteger("faults", 48);
  private static final long SEED = Long.getLong("seed", 1);
  // Longer than our own time-outs: they cost their time, so only the long form has them.
  private static final boolean LONG = Boolean.getBoolean("faults.long");
  // At once, each in a thread of its own.
  private static final int PLAYERS = 8;
  private static final Duration ATTEMPT_MOST = Duration.ofSeconds(30);

  private static final String CREATE = "/api/sandbox$";

  /// What the thread's sandbox is doing when its message comes.
  private enum Before {
    NEW,
    WARM,
    STOPPED,
    STOPPING,
    ARCHIVED,
    ARCHIVING,
    IN_TROUBLE
  }

  private enum Kind {
    WRONG_KEY,
    FORBIDDEN,
    MISSED_ONCE,
    CONFLICT,
    TOO_OFTEN,
    GATEWAY,
    OTHER_ERROR,
    NO_JSON,
    LOST,
    LOST_AFTER_ITS_EFFECT,
    TWICE,
    HALF_OPEN,
    STALLED,
    IN_TRANSITION
  }

  private record Fault(Kind kind, String where, ObjectNode trouble) {}

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<Kind, int[]> counted = new TreeMap<>();

  @Test
  void no_fault_of_daytonas_costs_a_turn_or_replaces_a_sandbox() throws Exception {
    var players = new ArrayList<Player>();
    for (var number = 0; number < PLAYERS; number++) {
      players.add(new Player(new ThreadKey("T1", "CP" + number, thread.root())));
    }
    each(players, Player::begin);
    for (var played = 0; played < FAULTS; played += PLAYERS) {
      round(players.subList(0, Math.min(PLAYERS, FAULTS - played)));
    }

    each(players, Player::judge);
    if (LONG) {
      report();
    }
  }

  private void round(List<Player> players) throws Exception {
    players.forEach(player -> player.plan(random));
    each(players, Player::prepare);
    players.forEach(player -> daytona.trouble(player.fault().trouble()));
    each(players, player -> player.attempt(true));
    daytona.clear();
    each(players, player -> player.attempt(false));
    for (var player : players) {
      var count = counted.computeIfAbsent(player.fault().kind(), _ -> new int[2]);
      count[0]++;
      count[1] += player.failedAtFirst ? 1 : 0;
    }
    each(players, Player::finish);
  }

  private interface Deed {
    void by(Player player) throws Exception;
  }

  private static void each(List<Player> players, Deed deed) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          players.stream()
              .map(
                  player ->
                      threads.submit(
                          (Callable<Boolean>)
                              () -> {
                                deed.by(player);
                                return true;
                              }))
              .toList();
      for (var one : all) {
        try {
          one.get();
        } catch (ExecutionException failure) {
          throw new AssertionError("seed " + SEED + ": " + failure.getCause(), failure.getCause());
        }
      }
    }
  }

  /// A thread in which somebody writes again and again.
  private final class Player {

    private final ThreadKey lasting;
    private Optional<SandboxId> own = Optional.empty();
    private int turnsDone;
    private long fence;

    private Before before = Before.WARM;
    private Optional<Fault> planned = Optional.empty();
    private ThreadKey now;
    private int number;
    private boolean isDone;
    private boolean failedAtFirst;

    private Player(ThreadKey lasting) {
      this.lasting = lasting;
      this.now = lasting;
    }

    private Fault fault() {
      return planned.orElseThrow();
    }

    private SandboxId sandbox() {
      return own.orElseThrow();
    }

    private void begin() throws Exception {
      threadExists(lasting);
      attempt(false);
      turnsDone = 1;
      own = row(lasting).sandbox();
    }

    private void plan(SplittableRandom random) {
      var all = Before.values();
      before = all[random.nextInt(all.length)];
      isDone = false;
      failedAtFirst = false;
      number++;
      now =
          before == Before.NEW
              ? new ThreadKey(lasting.team(), lasting.channel() + "N" + number, thread.root())
              : lasting;
      planned = Optional.of(anyFault(random, before == Before.NEW ? "" : sandbox().value()));
    }

    private void prepare() throws Exception {
      switch (before) {
        case NEW -> threadExists(now);
        case WARM -> {}
        case STOPPED -> sleep();
        case STOPPING -> sandboxes.stop(sandbox());
        case ARCHIVED -> {
          sleep();
          daytona.archive(sandbox().value());
          Await.until(() -> state(sandbox()).equals("archived"));
        }
        case ARCHIVING -> {
          sleep();
          daytona.archive(sandbox().value());
        }
        case IN_TROUBLE -> daytona.fail(sandbox().value(), true);
      }
    }

    private void sleep() {
      sandboxes.stop(sandbox());
      Await.until(() -> state(sandbox()).equals("stopped"));
    }

    private void attempt(boolean mayFail) throws Exception {
      if (isDone) {
        return;
      }
      try {
        turn();
        isDone = true;
      } catch (Failure failure) {
        failedAtFirst = true;
        if (!mayFail) {
          throw new AssertionError(before + " " + planned + ": the turn is lost", failure);
        }
      }
    }

    private void turn() throws InterruptedException {
      fence++;
      var workspace = sessions.open(now, fence, Waking.silently(), Deadline.in(ATTEMPT_MOST));
      var sandbox = workspace.sandbox();
      var file = sandbox.workDirectory() + "/turn-" + number;
      sandbox.upload(
          file, new ByteArrayInputStream(now.toString().getBytes(StandardCharsets.UTF_8)));
      assertEquals(now.toString().length(), sandbox.info(file).orElseThrow().bytes());
      assertEquals(0, sandbox.execute("test -f turn-" + number, ATTEMPT_MOST).exitCode());
      workspace.keepAwake();
      database.transaction(
          () -> {
            sessions.noteRest(now, fence, workspace, 0);
            return true;
          });
    }

    /// What must hold after each turn, whatever went wrong on the way.
    private void finish() {
      var row = row(now);
      assertEquals("active", row.status, () -> before + " " + planned);
      assertEquals(1, row.generation, () -> before + " " + planned);
      assertEquals(0, row.resumeFailCount);
      if (before == Before.NEW) {
        daytona.delete(row.sandbox().orElseThrow().value());
        forget(now);
      } else {
        assertEquals(own, row.sandbox(), () -> before + " " + planned);
        turnsDone++;
      }
    }

    private void judge() throws Exception {
      var sandbox = sessions.open(lasting, ++fence, Waking.silently(), soon()).sandbox();
      var files = sandbox.execute("ls | grep -c ^turn-", ATTEMPT_MOST).output().strip();
      assertEquals(Integer.toString(turnsDone), files);
      assertEquals(own, row(lasting).sandbox());
    }
  }

  private SessionRow row(ThreadKey of) {
    return database.transaction(() -> rows.of(of)).orElseThrow();
  }

  private void forget(ThreadKey of) {
    database.transaction(
        () ->
            statements
                .of("delete from sandbox_sessions where thread_id = :id")
                .setParameter("id", of.toString())
                .executeUpdate());
  }

  /// `sandbox` is empty for one that is still to be created.
  private static Fault anyFault(SplittableRandom random, String sandbox) {
    var kinds = Kind.values();
    var kind = kinds[random.nextInt(kinds.length)];
    var places =
        sandbox.isEmpty()
            ? List.of(CREATE, "/files/bulk-upload$", "/version$", "/process/execute$")
            : List.of(
                "/api/sandbox/" + sandbox + "$",
                "/api/sandbox/" + sandbox + "/start$",
                "/api/sandbox/" + sandbox + "/last-activity$",
                sandbox + "/version$",
                sandbox + "/files/bulk-upload$",
                sandbox + "/files/move$",
                sandbox + "/files/info$",
                sandbox + "/process/execute$");
    var where = places.get(random.nextInt(places.size()));
    var trouble = JsonNodeFactory.instance.objectNode().put("path", where);
    var few = 1 + random.nextInt(3);
    switch (kind) {
      case WRONG_KEY -> answer(trouble, 1, 401, "{\"message\":\"Invalid credentials\"}");
      case FORBIDDEN -> answer(trouble, 1, 403, "<html>Forbidden</html>");
      case MISSED_ONCE ->
          answer(trouble, 1, 404, "{\"message\":\"Sandbox with ID or name x not found\"}");
      case CONFLICT ->
          answer(trouble, few, 409, "{\"message\":\"Sandbox state change in progress\"}");
      case TOO_OFTEN -> {
        answer(trouble, few, 429, "{\"message\":\"ThrottlerException\"}");
        // A wait that is longer than there is time for is a turn that fails at once.
        var seconds = random.nextInt(4) == 0 ? 60 : LONG ? 1 : 0;
        trouble
            .putObject("headers")
            .put("Retry-After-sandbox-lifecycle", Integer.toString(seconds))
            .put("X-RateLimit-Remaining-sandbox-lifecycle", "0");
      }
      case GATEWAY -> answer(trouble, few, 502 + random.nextInt(3), "");
      case OTHER_ERROR -> answer(trouble, few, 500, "{\"error\":\"Internal Server Error\"}");
      case NO_JSON -> answer(trouble, 1, 200, "<html>Maintenance</html>");
      case LOST -> trouble.put("drop", true).put("times", few);
      case LOST_AFTER_ITS_EFFECT -> trouble.put("drop", true).put("effects", 1);
      case TWICE -> trouble.put("effects", 2);
      case HALF_OPEN -> trouble.put("drop", true).put("delayMillis", stall(random));
      case STALLED -> trouble.put("effects", 1).put("delayMillis", stall(random));
      case IN_TRANSITION ->
          answer(trouble, few, 400, "{\"message\":\"bad request. Is the Sandbox started?\"}");
    }
    return new Fault(kind, where, trouble);
  }

  private static long stall(SplittableRandom random) {
    return LONG && random.nextInt(8) == 0 ? 11_000 : random.nextInt(50, 400);
  }

  private static void answer(ObjectNode trouble, int times, int status, String body) {
    trouble.put("times", times).put("status", status).put("body", body);
    trouble
        .putObject("headers")
        .put("Content-Type", body.startsWith("{") ? "application/json" : "text/html");
  }

  private void report() {
    System.out.printf("%-24s %6s %s%n", "fault", "turns", "of them done at the second attempt");
    counted.forEach((kind, count) -> System.out.printf("%-24s %6d %d%n", kind, count[0], count[1]));
    System.out.printf("%d faults, 0 turns lost, 0 sandboxes replaced, seed %d%n", FAULTS, SEED);
  }

  // How long it takes

  @Test
  @EnabledIfSystemProperty(named = "faults.long", matches = "true")
  void how_long_it_takes_until_pi_runs() throws Exception {
    var millis = new TreeMap<String, List<Long>>();
    for (var time = 0; time < 5; time++) {
      var key = new ThreadKey("T1", "CT" + time, thread.root());
      threadExists(key);
      add(millis, "new", key, 1);
      var sandbox = row(key).sandbox().orElseThrow();
      add(millis, "warm", key, 2);
      sandboxes.stop(sandbox);
      Await.until(() -> state(sandbox).equals("stopped"));
      add(millis, "stopped", key, 3);
      sandboxes.stop(sandbox);
      Await.until(() -> state(sandbox).equals("stopped"));
      daytona.archive(sandbox.value());
      Await.until(() -> state(sandbox).equals("archived"));
      add(millis, "archived", key, 4);
    }
    System.out.println("from the message to a Pi that hears, in ms, five times each");
    millis.forEach(
        (kind, all) -> System.out.printf("%-9s %s%n", kind, all.stream().sorted().toList()));
  }

  private void add(Map<String, List<Long>> millis, String kind, ThreadKey key, long fence)
      throws InterruptedException {
    var began = System.nanoTime();
    var workspace = sessions.open(key, fence, Waking.silently(), soon());
    try (var agent =
        workspace.agent(new Manner("", "bypass", "T1"), workspace.restedAt(), soon())) {
      // What a prompt is told as once Pi has it; a Pi that runs already says nothing else.
      agent.probe("probe-" + fence);
      while (!agent.isProbeAnswered()) {
        if (agent.next(soon()) instanceof PiEvent.Exited(_, var how)) {
          throw new AssertionError(how);
        }
      }
    }
    millis
        .computeIfAbsent(kind, _ -> new ArrayList<>())
        .add(Duration.ofNanos(System.nanoTime() - began).toMillis());
  }
}
