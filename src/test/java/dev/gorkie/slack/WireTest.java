package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.slack.api.SlackConfig;
import com.slack.api.util.json.GsonFactory;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.Secret;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WireTest {

  @Test
  void every_answer_can_be_filled_in_a_native_image_too() throws NoSuchMethodException {
    var answers = Wire.class.getDeclaredClasses();

    assertTrue(answers.length > 5);
    for (var answer : answers) {
      assertNotNull(answer.getAnnotation(RegisterForReflection.class), answer.getName());
      assertNotNull(answer.getDeclaredConstructor(), answer.getName());
      assertFalse(
          Arrays.stream(answer.getDeclaredFields())
              .anyMatch(field -> Modifier.isFinal(field.getModifiers())),
          answer.getName());
    }
  }

  @Test
  void nothing_of_the_SDKs_own_model_is_in_an_answer() {
    for (var answer : Wire.class.getDeclaredClasses()) {
      for (var field : answer.getDeclaredFields()) {
        assertFalse(field.getType().getName().startsWith("com.slack"), field.toString());
      }
    }
  }

  @Test
  void a_mark_is_read_back_as_it_was_written_and_foreign_ones_are_none() {
    var mark = new Mark("turn-1", "answer-2");

    assertEquals(Optional.of(mark), read(mark.metadata()));
    for (var foreign :
        List.of(
            "{}",
            "{\"event_type\":\"gorkie\"}",
            "{\"event_type\":\"gorkie\",\"event_payload\":[]}",
            "{\"event_type\":\"gorkie\",\"event_payload\":{\"subject\":{},\"part\":\"card\"}}",
            "{\"event_type\":\"gorkie\",\"event_payload\":{\"subject\":\"turn-1\"}}",
            "{\"event_type\":\"other\",\"event_payload\":{\"subject\":\"turn-1\",\"part\":\"card\"}}")) {
      assertEquals(Optional.empty(), read(foreign), foreign);
    }
  }

  @Test
  void the_settings_have_sensible_values_without_being_set() {
    var settings = SlackAtHand.settings(Map.of());

    assertEquals("https://slack.com/api/", settings.apiUrl().toString());
    assertEquals(2_000, settings.cardInterval().toMillis());
    assertEquals(Optional.empty(), settings.botToken().map(Secret::get));
  }

  private static Optional<Mark> read(String metadata) {
    return Mark.read(
        GsonFactory.createSnakeCase(new SlackConfig()).fromJson(metadata, Wire.Metadata.class));
  }
}
