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
  void a_model_that_is_not_among_those_allowed_is_refused_at_the_start() {
    assertEquals(List.of(), complaints(Map.of("MODEL_ALLOWED", "other,some/model")));
    assertEquals(
        List.of("MODEL_ID is not what it should be. Expected: one of MODEL_ALLOWED."),
        complaints(Map.of("MODEL_ALLOWED", "other,some/mode")));
  }

  private static List<String> complaints(Map<String, String> changed) {
    var all = new HashMap<>(WHOLE);
    all.putAll(changed);
    return new Settings(name -> Optional.ofNullable(all.get(name))).complaints();
  }
}
