package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// `views.publish`: the app's page, as each person sees it.
final class ViewMethods {
  private static final int BLOCKS_MAX = 100;
  private final Workspace workspace;
  private final Map<String, JsonObject> homes = new HashMap<>();

  ViewMethods(Workspace workspace) {
    this.workspace = workspace;
  }

  Map<String, Method> methods() {
    return Map.of("views.publish", this::publish);
  }

  private JsonObject publish(Call call) {
    var user = call.required("user_id");
    if (workspace.person(user).filter(one -> one.id().equals(user)).isEmpty()) {
      throw new Refusal("user_not_found");
    }
    var view =
        call.object("view", "invalid_arguments")
            .orElseThrow(() -> new Refusal("invalid_arguments"));
    if (!"home".equals(view.getString("type"))) {
      throw new Refusal("invalid_arguments", "[ERROR] type must be one of: home");
    }
    var blocks = view.getJsonArray("blocks", new JsonArray());
    BlockRules.check(blocks, BLOCKS_MAX);
    // What has no name gets one, by which a person's words in it are told.
    blocks.stream()
        .map(JsonObject.class::cast)
        .filter(block -> !block.containsKey("block_id"))
        .forEach(block -> block.put("block_id", workspace.ids.secret().substring(0, 5)));
    view.put("blocks", blocks)
        .put("id", "V" + user)
        .put("team_id", workspace.team())
        .put("app_id", Workspace.APP);
    workspace.changes.change(() -> homes.put(user, view));
    return new JsonObject().put("view", view.copy());
  }

  Optional<JsonObject> home(Person person) {
    return workspace.changes.read(
        () -> Optional.ofNullable(homes.get(person.id())).map(JsonObject::copy));
  }

  /// The pages that were published, by person.
  Map<String, JsonObject> homes() {
    return workspace.changes.read(() -> Map.copyOf(homes));
  }
}
