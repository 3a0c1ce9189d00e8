package dev.gorkie.daytona;

import dev.gorkie.Deadline;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sandbox.SandboxesContract;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The contract, at the account that the environment names: “make smoke”. What it creates it deletes.
@QuarkusTest
@QuarkusTestResource(value = SmokeResource.class, restrictToAnnotatedClass = true)
@EnabledIfSystemProperty(named = "smoke", matches = "true")
class SmokeContractTest extends SandboxesContract {

  @Inject Sandboxes sandboxes;
  @Inject BehindTheScene daytona;

  private final Set<SandboxId> created = ConcurrentHashMap.newKeySet();

  @AfterEach
  void give_everything_back() {
    created.forEach(id -> daytona.deleteIfThere(id.value()));
  }

  @Override
  protected Sandboxes sandboxes() {
    return new Remembered(sandboxes, created);
  }

  @Override
  protected void somebodyStops(SandboxId id) {
    daytona.stop(id.value());
  }

  @Override
  protected void somebodyArchives(SandboxId id) {
    daytona.stop(id.value());
    await(id, "stopped");
    daytona.archive(id.value());
    await(id, "archived");
  }

  @Override
  protected void somebodyDeletes(SandboxId id) {
    daytona.delete(id.value());
  }

  @Override
  protected void connectionsBreak() {
    Assumptions.abort("Nobody can be asked to cut connections there");
  }

  private void await(SandboxId id, String state) {
    QuestionsTest.await(() -> daytona.state(id.value()).equals(state));
  }

  private record Remembered(Sandboxes real, Set<SandboxId> created) implements Sandboxes {

    @Override
    public boolean isWithinReach(String network) {
      return real.isWithinReach(network);
    }

    @Override
    public void limit(SandboxId id, Optional<String> network, Deadline deadline)
        throws InterruptedException {
      real.limit(id, network, deadline);
    }

    @Override
    public Sandbox create(String name, Map<String, String> labels, Deadline deadline)
        throws InterruptedException {
      var sandbox = real.create(name, labels, deadline);
      created.add(sandbox.id());
      return sandbox;
    }

    @Override
    public Optional<String> image() {
      return real.image();
    }

    @Override
    public Found find(SandboxId id) throws InterruptedException {
      return real.find(id);
    }

    @Override
    public Found find(SandboxId id, Deadline deadline) throws InterruptedException {
      return real.find(id, deadline);
    }

    @Override
    public List<Listed> list(Map<String, String> labels) throws InterruptedException {
      return real.list(labels);
    }

    @Override
    public Sandbox start(SandboxId id, Deadline deadline) throws InterruptedException {
      return real.start(id, deadline);
    }

    @Override
    public void stop(SandboxId id) {
      real.stop(id);
    }

    @Override
    public void putAway(SandboxId id) {
      real.putAway(id);
    }

    @Override
    public void destroy(String idOrName, Deadline deadline) throws InterruptedException {
      real.destroy(idOrName, deadline);
    }

    @Override
    public void keepAwake(SandboxId id) {
      real.keepAwake(id);
    }

    @Override
    public URI preview(SandboxId id, int port, Duration lasts) throws InterruptedException {
      return real.preview(id, port, lasts);
    }

    @Override
    public void extendLife(SandboxId id) {
      real.extendLife(id);
    }
  }
}
