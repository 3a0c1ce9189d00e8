package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// What sandboxes are made from. Here that is a name and a state: all of them hold the same image.
final class Snapshots {

  private static final String ACTIVE = "active";

  private final String standard;
  private final Duration activation;
  private final ScheduledExecutorService clock;
  private final Map<String, ObjectNode> byName = new ConcurrentHashMap<>();

  /// `standard` is there from the beginning and active.
  Snapshots(String standard, Duration activation, ScheduledExecutorService clock) {
    this.standard = standard;
    this.activation = activation;
    this.clock = clock;
    byName.put(standard, snapshot(standard, ACTIVE, Json.object()));
  }

  String standard() {
    return standard;
  }

  /// Refuses one from which no sandbox can be made.
  void use(String idOrName) {
    var snapshot =
        find(idOrName).orElseThrow(() -> new Refused(400, "Snapshot " + idOrName + " not found"));
    var state = snapshot.path("state").asText();
    if (!ACTIVE.equals(state)) {
      throw new Refused(400, "Snapshot " + snapshot.path("name").asText() + " is " + state);
    }
    change(snapshot, fields -> fields.put("lastUsedAt", Instant.now().toString()));
  }

  Optional<ObjectNode> find(String idOrName) {
    return byName.values().stream()
        .filter(
            snapshot ->
                snapshot.path("name").asText().equals(idOrName)
                    || snapshot.path("id").asText().equals(idOrName))
        .findFirst();
  }

  List<ObjectNode> all() {
    return List.copyOf(byName.values());
  }

  ObjectNode create(JsonNode wish) {
    var name = wish.path("name").asText();
    if (name.isEmpty()) {
      throw new Refused(400, "name should not be empty");
    }
    var snapshot = snapshot(name, "pending", wish);
    if (byName.putIfAbsent(name, snapshot) != null) {
      throw new Refused(409, "Snapshot with name \"" + name + "\" already exists");
    }
    becomeActive(name);
    return snapshot;
  }

  ObjectNode activate(ObjectNode snapshot) {
    var name = snapshot.path("name").asText();
    if (ACTIVE.equals(snapshot.path("state").asText())) {
      throw new Refused(400, "Snapshot " + name + " is already active");
    }
    becomeActive(name);
    return set(snapshot, "pending");
  }

  ObjectNode set(ObjectNode snapshot, String state) {
    return change(snapshot, fields -> fields.put("state", state));
  }

  void remove(ObjectNode snapshot) {
    byName.remove(snapshot.path("name").asText());
  }

  private void becomeActive(String name) {
    var _ =
        clock.schedule(
            () -> find(name).ifPresent(snapshot -> set(snapshot, ACTIVE)),
            activation.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  /// What is in the map is never changed in place, so that it can be written down by anybody at any time.
  private ObjectNode change(ObjectNode snapshot, Consumer<ObjectNode> change) {
    var changed = snapshot.deepCopy();
    change.accept(changed);
    changed.put("updatedAt", Instant.now().toString());
    byName.replace(changed.path("name").asText(), changed);
    return changed;
  }

  private static ObjectNode snapshot(String name, String state, JsonNode wish) {
    var now = Instant.now().toString();
    var snapshot = Json.object();
    snapshot.put("id", UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString());
    snapshot.put("organizationId", "local");
    snapshot.put("general", false);
    snapshot.put("name", name);
    snapshot.put("imageName", wish.path("imageName").asText(name));
    snapshot.put("state", state);
    snapshot.put("size", 1);
    snapshot.putNull("entrypoint");
    snapshot.put("cpu", wish.path("cpu").asInt(1));
    snapshot.put("gpu", 0);
    snapshot.put("mem", wish.path("memory").asInt(1));
    snapshot.put("disk", wish.path("disk").asInt(Wish.DISK_GIB));
    snapshot.putNull("errorReason");
    snapshot.put("createdAt", now);
    snapshot.put("updatedAt", now);
    snapshot.putNull("lastUsedAt");
    snapshot.putNull("sourceSandboxId");
    return snapshot;
  }
}
