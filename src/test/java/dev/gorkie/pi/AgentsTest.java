package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.logbook.Logbook;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
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

  @Test
  void nor_may_one_that_somebody_has_chosen() {
    var machine = new OnlyTerminals(() -> fail("it was connected to"));
    var chosen = new Manner("other/model", "", "T1");

    var refused =
        assertThrows(
            Failure.class,
            () ->
                agents("some/model")
                    .on(
                        machine,
                        AnyConversation.conversation(true),
                        chosen,
                        1,
                        0,
                        Deadline.in(Duration.ofSeconds(1))));

    assertEquals(PiFailure.MODEL_NOT_ALLOWED, refused.code());
  }

  private static Agents agents(String allowed) {
    return new Agents(
        new SmallRyeConfigBuilder()
            .withMapping(Agents.Model.class)
            .addDiscoveredConverters()
            .withDefaultValues(
                Map.of("gorkie.model.id", "some/model", "gorkie.model.allowed", allowed))
            .build()
            .getConfigMapping(Agents.Model.class),
        Logbook.ofNobody());
  }
}
