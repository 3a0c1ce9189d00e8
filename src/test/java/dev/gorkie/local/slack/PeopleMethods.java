package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.Map;

/// `auth.test`, `users.info`, `team.info`: who is who.
final class PeopleMethods {
  private final Workspace workspace;
  private final Wire wire;
  private final URI base;

  PeopleMethods(Workspace workspace, Wire wire, URI base) {
    this.workspace = workspace;
    this.wire = wire;
    this.base = base;
  }

  Map<String, Method> methods() {
    return Map.of("auth.test", this::authTest, "users.info", this::user, "team.info", this::team);
  }

  private JsonObject authTest(Call call) {
    return new JsonObject()
        .put("url", base.toString())
        .put("team", workspace.name())
        .put("user", Workspace.APP_USER.name())
        .put("team_id", workspace.team())
        .put("user_id", Workspace.APP_USER.id())
        .put("bot_id", Workspace.BOT_ID)
        .put("is_enterprise_install", false);
  }

  private JsonObject user(Call call) {
    var id = call.required("user");
    var person =
        workspace
            .person(id)
            .filter(one -> one.id().equals(id))
            .orElseThrow(() -> new Refusal("user_not_found"));
    return new JsonObject().put("user", wire.person(person));
  }

  private JsonObject team(Call call) {
    return new JsonObject()
        .put(
            "team",
            new JsonObject()
                .put("id", workspace.team())
                .put("name", workspace.name())
                .put("url", base.toString())
                .put("domain", "local")
                .put("email_domain", ""));
  }
}
