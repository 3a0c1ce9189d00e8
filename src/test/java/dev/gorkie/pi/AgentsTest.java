package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gorkie.Failure;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentsTest {

  @Test
  void a_model_that_may_not_be_used_is_refused_before_anything_begins() {
    var refused =
        assertThrows(Failure.class, () -> agents("other/model,some/model-2").checkModel());

    assertEquals(PiFailure.MODEL_NOT_ALLOWED, refused.code());
  }

  @Test
  void a_model_that_is_listed_may_be_used_and_without_a_list_any() {
    assertDoesNotThrow(() -> agents("other/model,some/model").checkModel());
    assertDoesNotThrow(() -> agents("").checkModel());
  }

  private static Agents agents(String allowed) {
    return new Agents(
        new SmallRyeConfigBuilder()
            .withMapping(Agents.Model.class)
            .addDiscoveredConverters()
            .withDefaultValues(
                Map.of("gorkie.model.id", "some/model", "gorkie.model.allowed", allowed))
            .build()
            .getConfigMapping(Agents.Model.class));
  }
}
