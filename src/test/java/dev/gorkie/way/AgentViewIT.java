package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.DeliveryOptions;
import dev.gorkie.local.slack.Prompt;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What Slack gives to agents beside messages: somebody comes, is offered something to say, and has something open.
class AgentViewIT {

  private static final String OFFERS = "assistant.threads.setSuggestedPrompts";

  private final Stage stage = Stage.open();

  @Test
  void whoever_comes_is_offered_what_to_say_first_and_something_else_beside_a_channel()
      throws Exception {
    var slack = stage.slack();

    slack.openMessages("grace");
    slack.awaitPrompts("grace", "What can you do?", Stage.PATIENCE);
    slack.lookAt("grace", "random");
    var beside = slack.awaitPrompts("grace", "Catch me up here", Stage.PATIENCE);
    slack.lookAt("grace", "general");
    slack.awaitQuiet(Stage.PATIENCE);
    var before = slack.calls(OFFERS).size();
    slack.lookAway("grace");
    slack.awaitCalls(
        calls -> calls.stream().filter(one -> one.method().equals(OFFERS)).count() > before,
        Stage.PATIENCE);

    assertEquals("Catch me up here", beside.getFirst().title());
    assertEquals(
        List.of("What can you do?", "Draw me a chart", "Show me your computer"),
        slack.prompts("grace").stream().map(Prompt::title).toList());
  }

  @Test
  void what_somebody_has_open_is_told_to_the_agent_where_nobody_else_reads_along()
      throws Exception {
    var slack = stage.slack();
    var ts = slack.say("random", "ada", "The lift is broken");
    slack.lookAt("alan", "random", ts);

    stage.answered("@alan", slack.direct("alan", "$ echo look"), 1);
    var alone = asked();
    stage.answered("general", slack.say("general", "alan", "@gorkie $ echo among-others"), 1);
    var among = asked();
    slack.lookAway("alan");
    stage.answered("@alan", slack.direct("alan", "$ echo away"), 1);

    var random = "#random (" + slack.channel("random").id() + ")";
    assertTrue(alone.contains("alan has this open in Slack"), alone);
    assertTrue(alone.contains("the channel " + random), alone);
    assertTrue(alone.contains("the message " + ts + " in " + random), alone);
    assertFalse(alone.contains("The lift is broken"), alone);
    assertFalse(among.contains("has this open"), among);
    assertEquals(1, asked().split("has this open", -1).length - 1, asked());
  }

  @Test
  void where_the_message_does_not_say_it_what_was_seen_last_counts() throws Exception {
    var slack = stage.slack();
    var gina = slack.addPerson("gina", "Gina");
    var canvas = new JsonObject().put("type", "slack#/types/canvas_id").put("value", "F0CANVAS");
    slack.deliver(
        new JsonObject()
            .put("type", "app_context_changed")
            .put("user", gina.id())
            .put("context", new JsonObject().put("entities", new JsonArray().add(canvas))),
        DeliveryOptions.usual());
    slack.awaitQuiet(Stage.PATIENCE);

    stage.answered("@gina", slack.direct("gina", "$ echo look"), 1);

    assertTrue(asked().contains("gina has this open in Slack"), asked());
    assertTrue(asked().contains("the canvas F0CANVAS"), asked());
  }

  private String asked() {
    return stage.model().asked().getLast().body().encode();
  }
}
