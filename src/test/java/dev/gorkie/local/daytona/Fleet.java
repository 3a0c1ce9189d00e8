package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// All sandboxes there are, in memory and on disk, and the listing that lags behind them.
final class Fleet {

  private static final String FILE = "sandbox.json";
  private static final List<String> NOT_LISTED = List.of("env", "volumes", "buildInfo");

  private final Path directory;
  private final Path image;
  private final Vault vault;
  private final Stage stage;
  private final Delays delays;
  private final ScheduledExecutorService clock;
  private final Map<String, Machine> machines = new ConcurrentHashMap<>();
  private final Map<String, String> names = new ConcurrentHashMap<>();
  private final Map<String, ObjectNode> listing = new ConcurrentHashMap<>();

  Fleet(
      Path directory,
      Path image,
      Vault vault,
      Stage stage,
      Delays delays,
      ScheduledExecutorService clock) {
    this.directory = directory;
    this.image = image;
    this.vault = vault;
    this.stage = stage;
    this.delays = delays;
    this.clock = clock;
  }

  /// Finds what an earlier life left on disk. Nothing of it runs any more.
  void load() throws IOException {
    try (var entries = Files.list(directory)) {
      for (var entry : entries.filter(path -> Files.exists(path.resolve(FILE))).toList()) {
        load(entry);
      }
    }
  }

  private void load(Path entry) throws IOException {
    var facts = (ObjectNode) Json.read(Files.readAllBytes(entry.resolve(FILE)));
    var state = State.of(facts.path("state").asText());
    if (state.isGone()) {
      Disk.delete(entry);
      return;
    }
    var machine = add(facts);
    machine.processes().killAll();
    if (!state.isFailed() && state != State.ARCHIVED) {
      machine.force(State.STOPPED);
    }
  }

  /// The name is taken from now on.
  Machine add(ObjectNode facts) {
    var id = facts.path("id").asText();
    var name = facts.path("name").asText();
    if (names.putIfAbsent(name, id) != null) {
      throw new Refused(409, "Sandbox with name " + name + " already exists");
    }
    var machine =
        new Machine(
            directory.resolve(id), facts, this::changed, image, () -> vault.environment(id), stage);
    machines.put(id, machine);
    return machine;
  }

  /// The name is free from now on.
  void release(Machine machine) {
    names.remove(machine.name(), machine.id());
    machine.set(
        facts ->
            facts.put("name", "DESTROYED_" + machine.name() + "_" + System.currentTimeMillis()));
  }

  void remove(Machine machine) throws IOException {
    // Whoever changes it at this moment writes it down before, or not at all.
    synchronized (machine) {
      machines.remove(machine.id());
    }
    Disk.delete(machine.directory());
    later(() -> listing.remove(machine.id()));
  }

  Optional<Machine> find(String idOrName) {
    return byId(idOrName)
        .or(() -> Optional.ofNullable(names.get(idOrName)).flatMap(this::byId))
        .filter(machine -> machine.state() != State.DESTROYED);
  }

  Optional<Machine> byId(String id) {
    return Optional.ofNullable(machines.get(id));
  }

  List<Machine> all() {
    return List.copyOf(machines.values());
  }

  /// As it was some time ago.
  List<ObjectNode> listing() {
    return listing.values().stream().map(ObjectNode::deepCopy).toList();
  }

  private void changed(Machine machine) {
    var facts = machine.facts();
    if (machines.containsKey(machine.id())) {
      save(machine, facts);
      later(() -> listing.put(machine.id(), facts.without(NOT_LISTED)));
    }
  }

  private void later(Runnable indexing) {
    try {
      var _ = clock.schedule(indexing, delays.of(Delay.LIST_LAG).toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException _) {
      // The world is coming to its end and nobody lists any more.
    }
  }

  private static void save(Machine machine, ObjectNode facts) {
    try {
      Files.createDirectories(machine.directory());
      var aside = machine.directory().resolve(FILE + ".new");
      Files.write(aside, Json.write(facts));
      Files.move(aside, machine.directory().resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
