package dev.gorkie.local.daytona;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gorkie.local.web.Answer;
import dev.gorkie.local.web.Call;
import dev.gorkie.local.web.Json;
import dev.gorkie.local.web.Routes;
import java.util.List;
import java.util.UUID;

/// The API by which sandboxes are created, found, started, stopped and removed.
final class ControlPlane {

  private static final int PREVIEW_SECONDS = 60;
  private static final int PREVIEW_SECONDS_MAX = 86_400;

  /// What is done with one sandbox.
  private interface Verb {
    ObjectNode apply(Machine machine, Call call, Routes.Parts parts) throws Exception;
  }

  private final Fleet fleet;
  private final Lifecycle lifecycle;
  private final Snapshots snapshots;
  private final Vault vault;
  private final Credentials credentials;
  private final Counters counters;
  private final LocalAccount account;
  private final Drift drift = new Drift();
  private final Routes open;
  private final Routes routes;

  ControlPlane(
      Fleet fleet,
      Lifecycle lifecycle,
      Snapshots snapshots,
      Vault vault,
      LocalAccount account,
      Credentials credentials,
      Counters counters) {
    this.fleet = fleet;
    this.lifecycle = lifecycle;
    this.snapshots = snapshots;
    this.vault = vault;
    this.account = account;
    this.credentials = credentials;
    this.counters = counters;
    this.open =
        new Routes()
            .on("GET", "/config", (call, _) -> Answer.json(200, config(call)))
            .on("GET", "/health", (_, _) -> Answer.json(200, Json.object().put("status", "ok")))
            .on(
                "GET",
                "/health/ready",
                (_, _) -> Answer.json(200, Json.object().put("status", "ok")));
    this.routes = routes();
  }

  /// `path` is what follows the API's own address.
  Answer answer(Call call, String path) throws Exception {
    try {
      var answer = open.answer(call, path);
      if (answer.isPresent()) {
        return answer.get();
      }
      credentials.check(call);
      return routes
          .answer(call, path)
          .orElseThrow(() -> new Refused(404, "Cannot " + call.method() + " " + call.path()));
    } catch (Refused refused) {
      return ErrorBody.ofControlPlane(call, refused);
    } catch (JsonProcessingException malformed) {
      return ErrorBody.ofControlPlane(call, new Refused(400, malformed.getOriginalMessage()));
    }
  }

  private Routes routes() {
    var routes =
        new Routes()
            .on("POST", "/sandbox", (call, _) -> create(call))
            .on("GET", "/sandbox", (call, _) -> list(call))
            .on("POST", "/sandbox/{id}/last-activity", (_, parts) -> touch(parts))
            .on("GET", "/sandbox/{id}/toolbox-proxy-url", this::toolboxUrl)
            .on(
                "GET",
                "/sandbox/{id}/signing-key",
                (_, parts) -> Answer.json(200, TextNode.valueOf(machine(parts).signingKey())))
            .on("GET", "/sandbox/{id}/ports/{port}/preview-url", this::preview)
            .on("GET", "/sandbox/{id}/ports/{port}/signed-preview-url", this::signedPreview)
            .on("PUT", "/sandbox/{id}/labels", this::setLabels)
            .on("POST", "/snapshots", (call, _) -> Answer.json(200, snapshots.create(call.json())))
            .on("GET", "/snapshots", (_, _) -> listSnapshots())
            .on("GET", "/snapshots/{id}", (_, parts) -> Answer.json(200, snapshot(parts)))
            .on("DELETE", "/snapshots/{id}", (_, parts) -> removeSnapshot(parts))
            .on(
                "POST",
                "/snapshots/{id}/activate",
                (_, parts) -> Answer.json(200, snapshots.activate(snapshot(parts))))
            .on(
                "POST",
                "/snapshots/{id}/deactivate",
                (_, parts) -> {
                  snapshots.set(snapshot(parts), "inactive");
                  return Answer.empty(204);
                });
    vault.addTo(routes);
    account.addTo(routes);
    on(routes, "PUT", "/sandbox/{id}/secrets", this::setSecrets);
    on(
        routes,
        "POST",
        "/sandbox/{id}/network-settings",
        (machine, call, _) -> limit(machine, call.json()));
    on(routes, "GET", "/sandbox/{id}", (machine, _, _) -> machine.facts());
    on(routes, "DELETE", "/sandbox/{id}", (machine, _, _) -> lifecycle.destroy(machine));
    on(routes, "POST", "/sandbox/{id}/start", (machine, _, _) -> lifecycle.start(machine));
    on(routes, "POST", "/sandbox/{id}/stop", (machine, _, _) -> lifecycle.stop(machine));
    on(routes, "POST", "/sandbox/{id}/archive", (machine, _, _) -> lifecycle.archive(machine));
    on(routes, "POST", "/sandbox/{id}/recover", (machine, _, _) -> lifecycle.recover(machine));
    on(
        routes,
        "POST",
        "/sandbox/{id}/pause",
        (_, _, _) -> {
          throw new Refused(422, "Pause is not supported for sandbox class container");
        });
    on(
        routes,
        "POST",
        "/sandbox/{id}/ttl/{minutes}",
        (machine, _, parts) -> lifecycle.expire(machine, minutes(parts)));
    interval(routes, "autostop", "autoStopInterval");
    interval(routes, "autoarchive", "autoArchiveInterval");
    interval(routes, "autodelete", "autoDeleteInterval");
    return routes;
  }

  private void on(Routes routes, String method, String path, Verb verb) {
    routes.on(
        method, path, (call, parts) -> sandbox(call, verb.apply(machine(parts), call, parts)));
  }

  private void interval(Routes routes, String path, String fact) {
    on(
        routes,
        "POST",
        "/sandbox/{id}/" + path + "/{minutes}",
        (machine, _, parts) -> {
          var asked = minutes(parts);
          if (asked < 0 && !fact.equals("autoDeleteInterval")) {
            throw new Refused(400, fact + " must be a non-negative integer");
          }
          var minutes = fact.equals("autoArchiveInterval") ? Wish.archiveMinutes(asked) : asked;
          machine.set(facts -> facts.put(fact, minutes));
          return machine.facts();
        });
  }

  private Answer create(Call call) throws Exception {
    var created = lifecycle.create(new Wish(call.json(), snapshots.standard()));
    counters.sandboxesCreated.incrementAndGet();
    return sandbox(call, created);
  }

  private Answer list(Call call) throws Exception {
    var page = Listing.of(call).page(fleet.listing());
    for (var item : page.path("items")) {
      ((ObjectNode) item).put("toolboxProxyUrl", toolboxUrl(call));
    }
    return Answer.json(200, page);
  }

  /// By id only, unlike everything else.
  private Answer touch(Routes.Parts parts) {
    fleet
        .byId(parts.of("id"))
        .filter(machine -> !machine.state().isGone())
        .orElseThrow(() -> notFound(parts))
        .touch();
    return Answer.empty(201);
  }

  private Answer toolboxUrl(Call call, Routes.Parts parts) {
    machine(parts);
    return Answer.json(200, Json.object().put("url", toolboxUrl(call)));
  }

  private Answer preview(Call call, Routes.Parts parts) {
    var machine = machine(parts);
    var answer = Json.object();
    answer.put("sandboxId", machine.id());
    answer.put("url", toolboxUrl(call) + "/" + machine.id());
    answer.put("token", machine.previewToken());
    return Answer.json(200, answer);
  }

  /// Nothing stands before a port here, so that its own address is the preview; the token it carries is another one each time.
  private Answer signedPreview(Call call, Routes.Parts parts) {
    var machine = machine(parts);
    var seconds = call.query("expiresInSeconds").map(Integer::parseInt).orElse(PREVIEW_SECONDS);
    if (seconds < 1 || seconds > PREVIEW_SECONDS_MAX) {
      throw new Refused(400, "expiresInSeconds must be between 1 and " + PREVIEW_SECONDS_MAX);
    }
    var port = Integer.parseInt(parts.of("port"));
    var token = UUID.randomUUID().toString();
    var answer = Json.object();
    answer.put("sandboxId", machine.id());
    answer.put("port", port);
    answer.put("token", token);
    answer.put("url", "http://127.0.0.1:%d/?token=%s".formatted(port, token));
    return Answer.json(200, answer);
  }

  private Answer setLabels(Call call, Routes.Parts parts) throws Exception {
    var machine = machine(parts);
    var labels = call.json().path("labels");
    if (!labels.isObject()) {
      throw new Refused(400, "labels must be an object");
    }
    machine.set(facts -> facts.set("labels", labels));
    return Answer.json(200, Json.object().set("labels", labels));
  }

  /// What runs does not see a first secret before it is started again.
  private ObjectNode setSecrets(Machine machine, Call call, Routes.Parts parts) throws Exception {
    var wish = call.json().path("secrets");
    if (!wish.isArray()) {
      throw new Refused(400, "secrets must be an array");
    }
    vault.mount(machine.id(), wish);
    return machine.facts();
  }

  private static ObjectNode limit(Machine machine, JsonNode wish) {
    machine.set(
        facts -> {
          facts.put("networkBlockAll", wish.path("networkBlockAll").asBoolean());
          for (var list : Wish.NETWORK_LISTS) {
            facts.put(list, wish.path(list).asText());
          }
        });
    return machine.facts();
  }

  private Answer listSnapshots() {
    var all = snapshots.all();
    var page = Json.object();
    var items = page.putArray("items");
    all.forEach(items::add);
    page.put("total", all.size()).put("page", 1).put("totalPages", 1);
    return Answer.json(200, page);
  }

  private Answer removeSnapshot(Routes.Parts parts) {
    snapshots.remove(snapshot(parts));
    return Answer.empty(200);
  }

  private ObjectNode snapshot(Routes.Parts parts) {
    var id = parts.of("id");
    return snapshots
        .find(id)
        .orElseThrow(() -> new Refused(404, "Snapshot with ID or name " + id + " not found"));
  }

  private Machine machine(Routes.Parts parts) {
    return fleet.find(parts.of("id")).orElseThrow(() -> notFound(parts));
  }

  private static Refused notFound(Routes.Parts parts) {
    return new Refused(404, "Sandbox with ID or name " + parts.of("id") + " not found");
  }

  private Answer sandbox(Call call, ObjectNode facts) {
    facts.put("toolboxProxyUrl", toolboxUrl(call));
    return Answer.json(200, drift.apply(facts));
  }

  private ObjectNode config(Call call) {
    var config = Json.object();
    config.put("version", Toolbox.VERSION);
    config.put("defaultSnapshot", snapshots.standard());
    config.put("proxyTemplateUrl", toolboxUrl(call));
    config.put("proxyToolboxUrl", toolboxUrl(call));
    config.put("maxAutoArchiveInterval", Wish.ARCHIVE_MINUTES_MAX);
    config.put("maintananceMode", false);
    config.put("environment", "local");
    var limits = config.putObject("rateLimit");
    for (var limited : List.of("authenticated", "sandboxCreate", "sandboxLifecycle")) {
      limits.putObject(limited).put("ttl", 60).put("limit", 10_000);
    }
    return config;
  }

  private static String toolboxUrl(Call call) {
    return "http://" + call.header("Host").orElse("127.0.0.1") + "/toolbox";
  }

  private static int minutes(Routes.Parts parts) {
    try {
      return Integer.parseInt(parts.of("minutes"));
    } catch (NumberFormatException _) {
      throw new Refused(400, "Validation failed (numeric string is expected)");
    }
  }
}
