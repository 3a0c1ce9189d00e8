package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/// What somebody who creates a sandbox asks for, checked, and what the API says of it then.
final class Wish {

  static final int ARCHIVE_MINUTES_MAX = 43_200;
  static final int DISK_GIB = 3;
  static final List<String> NETWORK_LISTS = List.of("networkAllowList", "domainAllowList");

  private static final int STOP_MINUTES = 15;
  private static final int ARCHIVE_MINUTES = 10_080;
  private static final Pattern NO_NAME =
      Pattern.compile("<[^>]*>|\\w+://|www\\.|\\p{Cntrl}", Pattern.CASE_INSENSITIVE);
  private static final List<String> SIZES = List.of("cpu", "memory", "disk");

  private final JsonNode wish;
  private final String snapshot;

  Wish(JsonNode wish, String snapshotByDefault) {
    this.wish = wish;
    this.snapshot = text("snapshot", snapshotByDefault);
  }

  String snapshot() {
    return snapshot;
  }

  boolean isBuilt() {
    return wish.path("buildInfo").isObject();
  }

  void check() {
    var wrong = new ArrayList<String>();
    for (var number : List.of("autoStopInterval", "autoArchiveInterval", "ttlMinutes")) {
      if (wish.path(number).asInt() < 0) {
        wrong.add(number + " must be a non-negative integer");
      }
    }
    for (var map : List.of("labels", "env")) {
      if (wish.has(map) && !wish.path(map).isObject()) {
        wrong.add(map + " must be an object");
      }
    }
    if (NO_NAME.matcher(wish.path("name").asText()).find()) {
      wrong.add("name contains characters that are not allowed");
    }
    if (!wrong.isEmpty()) {
      throw new Refused(400, String.join(", ", wrong));
    }
    if (wish.path("autoPauseInterval").asInt() > 0) {
      throw new Refused(400, "Auto-pause is not supported for this sandbox class");
    }
    if (!isBuilt() && SIZES.stream().anyMatch(wish::has)) {
      throw new Refused(400, "Cannot specify Sandbox resources when using a snapshot");
    }
    if (isBuilt() && wish.has("snapshot")) {
      throw new Refused(400, "Cannot specify a snapshot when using a build info entry");
    }
  }

  JsonNode secrets() {
    return wish.path("secrets");
  }

  ObjectNode facts() {
    var id = UUID.randomUUID().toString();
    var now = Instant.now();
    var facts = Json.object();
    facts.put("id", id);
    facts.put("organizationId", "local");
    facts.put("name", text("name", id));
    facts.put("snapshot", snapshot);
    facts.put("user", text("user", "daytona"));
    facts.set("env", objectOr("env"));
    facts.set("labels", objectOr("labels"));
    facts.put("public", wish.path("public").asBoolean());
    facts.put("networkBlockAll", wish.path("networkBlockAll").asBoolean());
    for (var list : NETWORK_LISTS) {
      if (wish.has(list)) {
        facts.put(list, wish.path(list).asText());
      }
    }
    facts.put("target", text("target", "local"));
    facts.put("cpu", wish.path("cpu").asInt(1));
    facts.put("gpu", 0);
    facts.put("memory", wish.path("memory").asInt(1));
    facts.put("disk", wish.path("disk").asInt(DISK_GIB));
    facts.put("state", (isBuilt() ? State.PENDING_BUILD : State.CREATING).wire());
    facts.put("desiredState", State.STARTED.wire());
    facts.put("recoverable", false);
    facts.put("backupState", "None");
    facts.put("autoStopInterval", wish.path("autoStopInterval").asInt(STOP_MINUTES));
    facts.put("autoPauseInterval", 0);
    facts.put(
        "autoArchiveInterval",
        archiveMinutes(wish.path("autoArchiveInterval").asInt(ARCHIVE_MINUTES)));
    facts.put("autoDeleteInterval", wish.path("autoDeleteInterval").asInt(-1));
    facts.putArray("volumes");
    facts.put("createdAt", now.toString());
    facts.put("updatedAt", now.toString());
    facts.put("lastActivityAt", now.toString());
    facts.put("sandboxClass", "container");
    facts.put("daemonVersion", Toolbox.VERSION);
    facts.put("runnerId", "local-runner");
    return facts;
  }

  int ttlMinutes() {
    return wish.path("ttlMinutes").asInt();
  }

  static int archiveMinutes(int asked) {
    return asked == 0 ? ARCHIVE_MINUTES_MAX : Math.min(asked, ARCHIVE_MINUTES_MAX);
  }

  private String text(String field, String otherwise) {
    var text = wish.path(field).asText();
    return text.isEmpty() ? otherwise : text;
  }

  private JsonNode objectOr(String field) {
    return wish.path(field).isObject() ? wish.path(field) : Json.object();
  }
}
