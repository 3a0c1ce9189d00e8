package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/// Our page in Slack as one person sees it.
@ApplicationScoped
public class HomePage {

  static final String MODEL = "gorkie_model";
  static final String SAVE = "gorkie_save";
  static final String INSTRUCTIONS = "gorkie_instructions";

  private static final Logger LOG = Logger.getLogger(HomePage.class);
  private static final int OPTIONS_MAX = 100;
  private static final int OPTION_CHARACTERS_MAX = 75;

  private final SlackApi api;

  /// @param lines what there is to know, a paragraph each
  /// @param models what may be chosen; `model` is one of them
  public record Shown(
      List<String> lines,
      List<String> models,
      String model,
      String instructions,
      int instructionsMax) {}

  HomePage(SlackApi api) {
    this.api = api;
  }

  /// Shows it; whoever looks again gets it again, so nothing is lost where this is.
  public void publish(String team, String user, Shown shown) {
    var view = JsonNodeFactory.instance.objectNode().put("type", "home");
    view.set("blocks", blocks(shown));
    var form = Map.of("user_id", user, "view", view.toString());
    var result = api.call(team, "views.publish", form, Wire.Answer.class);
    LOG.debugf("The page of %s: %s", user, result);
  }

  private static ArrayNode blocks(Shown shown) {
    var blocks = JsonNodeFactory.instance.arrayNode();
    for (var line : shown.lines()) {
      text(blocks.addObject().put("type", "section").putObject("text"), line);
    }
    if (shown.models().size() > 1) {
      models(blocks, shown);
    }
    var input = blocks.addObject().put("type", "input").put("block_id", INSTRUCTIONS);
    input.put("optional", true);
    text(input.putObject("label"), "What I am to keep in mind whenever you write to me");
    text(
        input.putObject("hint"),
        "It is added to what you write, so others in the thread can notice it in my answers.");
    var field =
        input
            .putObject("element")
            .put("type", "plain_text_input")
            .put("action_id", INSTRUCTIONS)
            .put("multiline", true)
            .put("max_length", shown.instructionsMax());
    if (!shown.instructions().isEmpty()) {
      field.put("initial_value", shown.instructions());
    }
    var button =
        blocks
            .addObject()
            .put("type", "actions")
            .putArray("elements")
            .addObject()
            .put("type", "button")
            .put("action_id", SAVE);
    text(button.putObject("text"), "Save");
    return blocks;
  }

  private static void models(ArrayNode blocks, Shown shown) {
    var section = blocks.addObject().put("type", "section");
    text(
        section.putObject("text"),
        "The model that works for you, where a thread has none of its own");
    var select =
        section.putObject("accessory").put("type", "static_select").put("action_id", MODEL);
    var options = select.putArray("options");
    for (var model : shown.models()) {
      if (options.size() < OPTIONS_MAX && model.length() <= OPTION_CHARACTERS_MAX) {
        var option = options.addObject().put("value", model);
        text(option.putObject("text"), model);
        if (model.equals(shown.model())) {
          select.set("initial_option", option.deepCopy());
        }
      }
    }
  }

  private static void text(ObjectNode object, String text) {
    object.put("type", "plain_text").put("text", SafeText.disarm(text));
  }
}
