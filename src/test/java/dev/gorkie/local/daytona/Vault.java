package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.Routes;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The account's secrets, and which sandbox sees which. A sandbox sees a placeholder; the value is put in on the way out.
final class Vault implements AutoCloseable {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

  private record Secret(ObjectNode facts, String value) {

    String id() {
      return facts.path("id").asText();
    }

    String name() {
      return facts.path("name").asText();
    }

    String placeholder() {
      return facts.path("placeholder").asText();
    }

    boolean isFor(String host) {
      for (var one : facts.path("hosts")) {
        if (one.asText().equals(host)) {
          return true;
        }
      }
      return false;
    }
  }

  private final Map<String, Secret> secrets = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> mounts = new ConcurrentHashMap<>();
  private Optional<Egress> egress = Optional.empty();

  void addTo(Routes routes) {
    routes
        .on("GET", "/secret", (_, _) -> Answer.json(200, list(secrets.values())))
        .on("GET", "/secret/paginated", (call, _) -> page(call))
        .on("POST", "/secret", (call, _) -> create(call.json()))
        .on("GET", "/secret/{id}", (_, parts) -> Answer.json(200, find(parts).facts()))
        .on("PATCH", "/secret/{id}", (call, parts) -> change(find(parts), call.json()))
        .on(
            "DELETE",
            "/secret/{id}",
            (_, parts) -> {
              secrets.remove(find(parts).id());
              return Answer.empty(204);
            });
  }

  /// From the sandbox's next start on; `wish` is a list of objects, each a variable and the name of a secret.
  void mount(String sandbox, JsonNode wish) {
    var mounted = new HashMap<String, String>();
    for (var entry : wish) {
      entry
          .properties()
          .forEach(
              variable -> mounted.put(variable.getKey(), named(variable.getValue().asText()).id()));
    }
    mounts.put(sandbox, Map.copyOf(mounted));
  }

  /// What a sandbox that starts now sees of it.
  Map<String, String> environment(String sandbox) {
    var environment = new HashMap<String, String>();
    mounts
        .getOrDefault(sandbox, Map.of())
        .forEach(
            (variable, id) -> {
              var secret = secrets.get(id);
              if (secret != null) {
                environment.put(variable, secret.placeholder());
              }
            });
    if (!environment.isEmpty()) {
      var proxy = "http://127.0.0.1:" + egress().port();
      environment.put("HTTP_PROXY", proxy);
      environment.put("HTTPS_PROXY", proxy);
    }
    return environment;
  }

  /// What goes to a host, with the values of the secrets that are meant for it.
  String filled(String host, String words) {
    var filled = words;
    for (var secret : secrets.values()) {
      if (secret.isFor(host)) {
        filled = filled.replace(secret.placeholder(), secret.value());
      }
    }
    return filled;
  }

  @Override
  public synchronized void close() {
    egress.ifPresent(Egress::close);
  }

  private synchronized Egress egress() {
    if (egress.isEmpty()) {
      egress = Optional.of(Egress.start(this::filled));
    }
    return egress.get();
  }

  private Answer create(JsonNode wish) {
    var name = wish.path("name").asText();
    if (!NAME.matcher(name).matches() || wish.path("value").asText().isEmpty()) {
      throw new Refused(400, "name must be alphanumeric, value should not be empty");
    }
    if (secrets.values().stream().anyMatch(secret -> secret.name().equals(name))) {
      throw new Refused(409, "Secret with name " + name + " already exists");
    }
    var facts = Json.object();
    facts.put("id", UUID.randomUUID().toString());
    facts.put("name", name);
    facts.put("createdAt", Instant.now().toString());
    facts.put("placeholder", "dtn_secret_" + UUID.randomUUID().toString().replace("-", ""));
    facts.putArray("hosts");
    return Answer.json(201, kept(new Secret(facts, ""), wish).facts());
  }

  private Answer change(Secret secret, JsonNode wish) {
    return Answer.json(200, kept(secret, wish).facts());
  }

  private Secret kept(Secret secret, JsonNode wish) {
    var facts = secret.facts().deepCopy();
    facts.put("updatedAt", Instant.now().toString());
    for (var field : List.of("description", "hosts")) {
      if (wish.has(field)) {
        facts.set(field, wish.path(field));
      }
    }
    var changed =
        new Secret(facts, wish.has("value") ? wish.path("value").asText() : secret.value());
    secrets.put(changed.id(), changed);
    return changed;
  }

  private Answer page(Call call) throws IOException {
    var wanted = call.query("name").orElse("");
    var found = secrets.values().stream().filter(one -> one.name().contains(wanted)).toList();
    var page = Json.object();
    page.set("items", list(found));
    page.put("total", found.size()).putNull("nextCursor");
    return Answer.json(200, page);
  }

  private static JsonNode list(Iterable<Secret> secrets) {
    var list = Json.object().putArray("list");
    secrets.forEach(secret -> list.add(secret.facts()));
    return list;
  }

  private Secret find(Routes.Parts parts) {
    return Optional.ofNullable(secrets.get(parts.of("id")))
        .orElseThrow(() -> new Refused(404, "Secret not found"));
  }

  private Secret named(String name) {
    return secrets.values().stream()
        .filter(secret -> secret.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new Refused(400, "Secret " + name + " not found"));
  }
}
