package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/// `apps.manifest.*`: who has a configuration token makes apps and changes them. The first one made is the one that is in this
/// workspace; its events go from then on to where its manifest says.
final class ManifestMethods {

  /// Good for 12 hours at Slack, and for apps alone.
  static final String TOKEN = "xoxe.xoxp-1-local-configuration";

  private final String signingSecret;
  private final Consumer<URI> eventsGoTo;
  private final Map<String, JsonObject> apps = new LinkedHashMap<>();

  ManifestMethods(String signingSecret, Consumer<URI> eventsGoTo) {
    this.signingSecret = signingSecret;
    this.eventsGoTo = eventsGoTo;
  }

  static boolean isMeant(String method) {
    return method.startsWith("apps.manifest.");
  }

  Map<String, Method> methods() {
    return Map.of(
        "apps.manifest.create", this::create,
        "apps.manifest.update", this::update,
        "apps.manifest.validate", this::validate,
        "apps.manifest.export", this::export);
  }

  /// Every app there is, by its id.
  synchronized Map<String, JsonObject> apps() {
    return Map.copyOf(apps);
  }

  private synchronized JsonObject create(Call call) {
    var manifest = manifest(call);
    var id = apps.isEmpty() ? Workspace.APP : Workspace.APP + apps.size();
    put(id, manifest);
    return new JsonObject()
        .put("app_id", id)
        .put(
            "credentials",
            new JsonObject()
                .put("client_id", Grants.CLIENT_ID)
                .put("client_secret", Grants.CLIENT_SECRET)
                .put("verification_token", "local-verification-token")
                .put("signing_secret", signingSecret))
        .put("oauth_authorize_url", "https://slack.com/oauth/v2/authorize?client_id=" + id);
  }

  private synchronized JsonObject update(Call call) {
    var id = known(call);
    var manifest = manifest(call);
    var before = Optional.ofNullable(apps.get(id)).map(ManifestMethods::scopes);
    put(id, manifest);
    return new JsonObject()
        .put("app_id", id)
        .put("permissions_updated", !before.equals(Optional.of(scopes(manifest))));
  }

  private synchronized JsonObject validate(Call call) {
    manifest(call);
    return new JsonObject();
  }

  private synchronized JsonObject export(Call call) {
    return new JsonObject().put("manifest", apps.get(known(call)));
  }

  private void put(String id, JsonObject manifest) {
    apps.put(id, manifest);
    if (id.equals(Workspace.APP)) {
      Optional.ofNullable(
              ManifestRules.part(manifest, "settings", "event_subscriptions")
                  .getString("request_url"))
          .map(URI::create)
          .ifPresent(eventsGoTo);
    }
  }

  private String known(Call call) {
    return call.text("app_id")
        .filter(apps::containsKey)
        .orElseThrow(() -> new Refusal("invalid_app_id"));
  }

  private static JsonObject manifest(Call call) {
    var manifest =
        call.object("manifest", "invalid_manifest")
            .orElseThrow(() -> new Refusal("invalid_manifest"));
    var wrong = ManifestRules.wrong(manifest);
    if (!wrong.isEmpty()) {
      throw new Refusal("invalid_manifest").with("errors", new JsonArray(List.copyOf(wrong)));
    }
    return manifest;
  }

  private static TreeSet<Object> scopes(JsonObject manifest) {
    var bot = ManifestRules.part(manifest, "oauth_config", "scopes").getJsonArray("bot");
    var scopes = new TreeSet<>();
    Optional.ofNullable(bot).ifPresent(all -> all.forEach(scopes::add));
    return scopes;
  }
}
