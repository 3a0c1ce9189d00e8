package dev.gorkie.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What one setting means for another.
class SettingsTest {

  private static final Map<String, String> WHOLE =
      Map.of(
          "SLACK_SIGNING_SECRET", "secret",
          "SLACK_BOT_TOKEN", "xoxb-1",
          "DAYTONA_API_KEY", "key",
          "DAYTONA_SNAPSHOT", "gorkie-1",
          "DATABASE_URL", "postgresql://a:b@c/d",
          "MODEL_BASE_URL", "https://model.example/v1",
          "MODEL_ID", "some/model",
          "MODEL_API_KEY", "key");

  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  @Test
  void whoever_keeps_the_models_key_at_daytona_need_not_name_it() {
    assertEquals(List.of(), complaints(Map.of("MODEL_API_KEY", "", "DAYTONA_SECRET", "the-key")));
    assertEquals(
        List.of(
            "MODEL_API_KEY is missing. Expected: the key for the model's provider, unless DAYTONA_SECRET names the"
                + " secret that holds it."),
        complaints(Map.of("MODEL_API_KEY", "")));
  }

  @Test
  void whoever_is_to_bring_tables_to_this_version_has_to_know_where_they_are() {
    var door = Map.of("GORKIE_ROLE", "ingress", "GORKIE_WORKER_FUNCTION", "worker");
    var migrating = new HashMap<>(door);
    migrating.put("GORKIE_MIGRATE", "true");
    assertEquals(List.of(), complaints(migrating));

    migrating.put("DATABASE_URL", "");
    assertEquals(
        List.of(
            "DATABASE_URL is missing. Expected: the database whose tables GORKIE_MIGRATE is about."),
        complaints(migrating));
    migrating.put("GORKIE_ROLE", "worker");
    assertEquals(1, complaints(migrating).size(), "said once");
  }

  @Test
  void a_model_that_is_not_among_those_allowed_is_refused_at_the_start() {
    assertEquals(List.of(), complaints(Map.of("MODEL_ALLOWED", "other,some/model")));
    assertEquals(
        List.of("MODEL_ID is not what it should be. Expected: one of MODEL_ALLOWED."),
        complaints(Map.of("MODEL_ALLOWED", "other,some/mode")));
  }

  @Test
  void workspaces_that_let_the_app_in_need_a_secret_and_a_key_and_exclude_the_one_token() {
    var both = Map.of("SLACK_CLIENT_SECRET", "s", "GORKIE_TOKEN_KEY", KEY);

    assertEquals(
        List.of("SLACK_CLIENT_SECRET", "GORKIE_TOKEN_KEY"),
        complaints(Map.of("SLACK_BOT_TOKEN", "", "SLACK_CLIENT_ID", "1.2")).stream()
            .map(complaint -> complaint.substring(0, complaint.indexOf(' ')))
            .toList());
    var installing = new HashMap<>(both);
    installing.put("SLACK_CLIENT_ID", "1.2");
    assertEquals(1, complaints(installing).size());
    installing.put("SLACK_BOT_TOKEN", "");
    assertEquals(List.of(), complaints(installing));
  }

  @Test
  void whoever_opens_the_connection_needs_no_signing_secret_and_is_a_server() {
    var connected = new HashMap<>(Map.of("SLACK_APP_TOKEN", "xapp-1", "SLACK_SIGNING_SECRET", ""));

    assertEquals(List.of(), complaints(connected));
    connected.put("GORKIE_ROLE", "worker");
    connected.put("GORKIE_WORKER_FUNCTION", "worker");
    assertEquals(
        List.of(
            "SLACK_APP_TOKEN is for a server: a function cannot hold a connection. Expected: none with GORKIE_ROLE=worker."),
        complaints(connected));
  }

  private static List<String> complaints(Map<String, String> changed) {
    var all = new HashMap<>(WHOLE);
    all.putAll(changed);
    return new Settings(name -> Optional.ofNullable(all.get(name))).complaints();
  }
}
