package dev.gorkie.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.gorkie.Deadline;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What we take for granted of Daytona's timers. “make smoke” asks the real one, where minutes are minutes.
@QuarkusTest
@QuarkusTestResource(value = SmokeResource.class, restrictToAnnotatedClass = true)
class QuestionsTest {

  // The jobs come every ten seconds, and are late now and then.
  private static final Duration PATIENCE = SmokeResource.MINUTE.multipliedBy(10).plusSeconds(20);
  private static final Duration COMMAND_MOST = Duration.ofSeconds(20);

  @Inject Sandboxes sandboxes;
  @Inject BehindTheScene daytona;

  private final List<SandboxId> created = new ArrayList<>();

  private SandboxId machine(String intervals) {
    var made =
        new SandboxId(
            daytona.create(
                "{\"name\":\"gorkie-smoke-%s\",\"snapshot\":\"%s\",%s}"
                    .formatted(UUID.randomUUID(), sandboxes.image().orElseThrow(), intervals)));
    created.add(made);
    return made;
  }

  @AfterEach
  void give_everything_back() {
    created.forEach(one -> daytona.deleteIfThere(one.value()));
  }

  @Test
  void an_open_terminal_keeps_a_machine_and_only_its_time_to_live_ends_an_archived_one()
      throws Exception {
    var busy = machine("\"autoStopInterval\":1");
    var archived =
        machine("\"autoStopInterval\":1,\"autoArchiveInterval\":1,\"autoDeleteInterval\":2");
    var stopped = machine("\"autoStopInterval\":1,\"autoDeleteInterval\":2");

    try (var _ = sandboxes.start(busy, soon()).openTerminal(soon())) {
      await(() -> daytona.isGone(stopped.value()));
      assertEquals("started", daytona.state(busy.value()));
      assertEquals("archived", daytona.state(archived.value()));
    }
    daytona.setTimeToLive(archived.value(), 1);

    await(() -> daytona.isGone(archived.value()));
    await(() -> daytona.state(busy.value()).equals("stopped"));
  }

  @Test
  void how_long_a_machine_takes_to_come_back() throws Exception {
    var id = machine("\"autoStopInterval\":15");
    sandboxes.start(id, soon()).execute("echo here > kept", COMMAND_MOST);
    sandboxes.stop(id);
    await(() -> daytona.state(id.value()).equals("stopped"));
    var stopped = timeToStart(id);
    sandboxes.stop(id);
    await(() -> daytona.state(id.value()).equals("stopped"));
    sandboxes.putAway(id);
    await(() -> daytona.state(id.value()).equals("archived"));
    var archived = timeToStart(id);

    assertEquals("here\n", sandboxes.start(id, soon()).execute("cat kept", COMMAND_MOST).output());
    System.out.printf("from stopped %d ms, from archived %d ms%n", stopped, archived);
    // An answer of ours to an open question, and no promise of anybody's.
    System.out.println(
        "asked from inside without a key the toolbox says: "
            + sandboxes
                .start(id, soon())
                .execute(
                    "curl -s -m 5 -o /dev/null -w '%{http_code}' http://localhost:2280/version",
                    COMMAND_MOST)
                .output());
  }

  private long timeToStart(SandboxId id) throws InterruptedException {
    var began = System.nanoTime();
    sandboxes.start(id, soon());
    return Duration.ofNanos(System.nanoTime() - began).toMillis();
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofMinutes(5));
  }

  static void await(BooleanSupplier condition) {
    var deadline = Deadline.in(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertFalse(deadline.isOver(), "It did not come to pass");
      try {
        Thread.sleep(SmokeResource.IS_REAL ? 1_000 : 5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
