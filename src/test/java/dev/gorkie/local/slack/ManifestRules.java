package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which app manifests Slack takes, and what it says about the others.
final class ManifestRules {

  private static final Map<String, Set<String>> KNOWN =
      Map.ofEntries(
          Map.entry(
              "",
              Set.of("_metadata", "display_information", "features", "oauth_config", "settings")),
          Map.entry(
              "/display_information",
              Set.of("name", "description", "long_description", "background_color")),
          Map.entry(
              "/features",
              Set.of("agent_view", "app_home", "bot_user", "slash_commands", "shortcuts")),
          Map.entry("/features/agent_view", Set.of("agent_description", "suggested_prompts")),
          Map.entry(
              "/features/app_home",
              Set.of("home_tab_enabled", "messages_tab_enabled", "messages_tab_read_only_enabled")),
          Map.entry("/features/bot_user", Set.of("display_name", "always_online")),
          Map.entry("/oauth_config", Set.of("redirect_urls", "scopes")),
          Map.entry("/oauth_config/scopes", Set.of("bot", "bot_optional", "user")),
          Map.entry(
              "/settings",
              Set.of(
                  "event_subscriptions",
                  "interactivity",
                  "org_deploy_enabled",
                  "socket_mode_enabled",
                  "token_rotation_enabled")),
          Map.entry(
              "/settings/event_subscriptions", Set.of("request_url", "bot_events", "user_events")),
          Map.entry(
              "/settings/interactivity",
              Set.of("is_enabled", "request_url", "message_menu_options_url")));
  private static final int NAME_CHARACTERS_MAX = 35;
  private static final int DESCRIPTION_CHARACTERS_MAX = 140;
  private static final int LONG_CHARACTERS_MIN = 174;
  private static final int LONG_CHARACTERS_MAX = 4_000;
  private static final int AGENT_CHARACTERS_MAX = 300;
  private static final int COMMAND_CHARACTERS_MAX = 32;
  private static final int SHORTCUT_CHARACTERS_MAX = 24;

  private final List<JsonObject> wrong = new ArrayList<>();

  private ManifestRules() {}

  /// An object each with `message` and `pointer`.
  static List<JsonObject> wrong(JsonObject manifest) {
    var rules = new ManifestRules();
    rules.properties(manifest, "");
    rules.display(part(manifest, "display_information"));
    rules.features(manifest);
    rules.settings(manifest);
    return rules.wrong;
  }

  /// An empty one where there is none.
  static JsonObject part(JsonObject whole, String... path) {
    var at = whole;
    for (var name : path) {
      at = at.getValue(name) instanceof JsonObject object ? object : new JsonObject();
    }
    return at;
  }

  private void say(String pointer, String message) {
    wrong.add(new JsonObject().put("message", message).put("pointer", pointer));
  }

  private void properties(JsonObject object, String pointer) {
    var known = KNOWN.get(pointer);
    if (known == null) {
      return;
    }
    for (var field : object) {
      var at = pointer + "/" + field.getKey();
      if (!known.contains(field.getKey())) {
        say(at, "Unsupported property");
      } else if (field.getValue() instanceof JsonObject inner) {
        properties(inner, at);
      }
    }
  }

  private void display(JsonObject display) {
    length(display, "name", 1, NAME_CHARACTERS_MAX, "/display_information/name");
    if (display.containsKey("description")) {
      length(
          display,
          "description",
          1,
          DESCRIPTION_CHARACTERS_MAX,
          "/display_information/description");
    }
    if (display.containsKey("long_description")) {
      length(
          display,
          "long_description",
          LONG_CHARACTERS_MIN,
          LONG_CHARACTERS_MAX,
          "/display_information/long_description");
    }
    if (!display.getString("background_color", "#000").matches("#([0-9a-fA-F]{3}){1,2}")) {
      say("/display_information/background_color", "Must be a color in hex");
    }
  }

  private void length(JsonObject in, String field, int least, int most, String pointer) {
    var length = in.getString(field, "").length();
    if (length < least || length > most) {
      say(pointer, "Must be between " + least + " and " + most + " characters");
    }
  }

  private void features(JsonObject manifest) {
    var features = part(manifest, "features");
    if (features.containsKey("agent_view")) {
      length(
          part(features, "agent_view"),
          "agent_description",
          1,
          AGENT_CHARACTERS_MAX,
          "/features/agent_view/agent_description");
    }
    var scopes = part(manifest, "oauth_config", "scopes");
    if (!list(scopes, "bot").isEmpty() && !features.containsKey("bot_user")) {
      say("/features/bot_user", "Bot scopes require a bot user");
    }
    each(features, "slash_commands", "/features/slash_commands", this::command);
    each(features, "shortcuts", "/features/shortcuts", this::shortcut);
    if (!list(features, "shortcuts").isEmpty()
        && !part(manifest, "settings", "interactivity").getBoolean("is_enabled", false)) {
      say("/features/shortcuts", "Shortcuts require interactivity");
    }
  }

  private interface Check {
    void of(JsonObject one, String pointer);
  }

  private void each(JsonObject in, String field, String pointer, Check check) {
    var list = list(in, field);
    for (var i = 0; i < list.size(); i++) {
      check.of(list.getJsonObject(i), pointer + "/" + i);
    }
  }

  private void command(JsonObject command, String pointer) {
    if (!command.getString("command", "").startsWith("/")) {
      say(pointer + "/command", "Must begin with a slash");
    }
    length(command, "command", 2, COMMAND_CHARACTERS_MAX, pointer + "/command");
    length(command, "description", 1, 2_000, pointer + "/description");
    address(Optional.ofNullable(command.getString("url")), pointer + "/url");
  }

  private void shortcut(JsonObject shortcut, String pointer) {
    length(shortcut, "name", 1, SHORTCUT_CHARACTERS_MAX, pointer + "/name");
    length(shortcut, "callback_id", 1, 255, pointer + "/callback_id");
    length(shortcut, "description", 1, 150, pointer + "/description");
    if (!Set.of("message", "global").contains(shortcut.getString("type", ""))) {
      say(pointer + "/type", "Must be global or message");
    }
  }

  private void settings(JsonObject manifest) {
    var settings = part(manifest, "settings");
    var socket = settings.getBoolean("socket_mode_enabled", false);
    var events = part(settings, "event_subscriptions");
    if (settings.containsKey("event_subscriptions") && !socket) {
      if (events.containsKey("request_url")) {
        address(
            Optional.of(events.getString("request_url")),
            "/settings/event_subscriptions/request_url");
      } else {
        say(
            "/settings/event_subscriptions",
            "Event Subscription requires either Request URL or Socket Mode Enabled");
      }
    }
    var interactivity = part(settings, "interactivity");
    if (interactivity.getBoolean("is_enabled", false) && !socket) {
      if (interactivity.containsKey("request_url")) {
        address(
            Optional.of(interactivity.getString("request_url")),
            "/settings/interactivity/request_url");
      } else {
        say("/settings/interactivity", "Interactivity requires a Request URL");
      }
    }
    var redirects = list(part(manifest, "oauth_config"), "redirect_urls");
    for (var i = 0; i < redirects.size(); i++) {
      address(Optional.of(redirects.getString(i)), "/oauth_config/redirect_urls/" + i);
    }
  }

  private static JsonArray list(JsonObject in, String field) {
    return in.getValue(field) instanceof JsonArray list ? list : new JsonArray();
  }

  /// On this machine there is no TLS.
  private void address(Optional<String> url, String pointer) {
    var isGood =
        url.map(URI::create)
            .filter(
                uri ->
                    "https".equals(uri.getScheme())
                        || "http".equals(uri.getScheme()) && "127.0.0.1".equals(uri.getHost()))
            .isPresent();
    if (!isGood) {
      say(pointer, "Must be a valid URL that begins with https");
    }
  }
}
