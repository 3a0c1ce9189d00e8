package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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

  /// @param who for whom we are there, and how one speaks with us
  /// @param runs what runs for the person
  /// @param cost what that has cost, a line each
  /// @param elsewhere where else something can be chosen
  /// @param planned what the person has planned
  /// @param models what may be chosen; `model` is one of them
  /// @param kept whether something was changed just now
  public record Shown(
      String who,
      List<Run> runs,
      List<String> cost,
      List<Listing.Line> planned,
      String elsewhere,
      List<String> models,
      String model,
      String instructions,
      int instructionsMax,
      boolean kept) {}

  /// Something that runs, and where to see it.
  ///
  /// @param channel where that is; empty where it is between the person and us
  public record Run(Optional<URI> link, Optional<String> channel, String state) {}

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
    section(blocks, shown.who());
    header(blocks, "At work for you");
    mrkdwn(blocks, shown.runs().isEmpty() ? "Nothing at the moment." : lines(shown.runs()));
    header(blocks, "What it cost");
    section(blocks, String.join("\n", shown.cost()));
    if (!shown.planned().isEmpty()) {
      header(blocks, "What you have planned");
      Listing.add(blocks, shown.planned());
    }
    header(blocks, "What you can choose");
    section(blocks, shown.elsewhere());
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
    if (shown.kept()) {
      text(
          blocks.addObject().put("type", "context").putArray("elements").addObject(),
          "Saved. It counts from your next message on.");
    }
    return blocks;
  }

  private static void header(ArrayNode blocks, String title) {
    text(blocks.addObject().put("type", "header").putObject("text"), title);
  }

  private static void section(ArrayNode blocks, String text) {
    text(blocks.addObject().put("type", "section").putObject("text"), text);
  }

  private static void mrkdwn(ArrayNode blocks, String text) {
    blocks
        .addObject()
        .put("type", "section")
        .putObject("text")
        .put("type", "mrkdwn")
        .put("text", text);
  }

  /// Slack puts the channel's name in for who may see it.
  private static String lines(List<Run> runs) {
    return runs.stream()
        .map(
            run -> {
              var where = run.channel().map(id -> "in <#" + id + ">").orElse("in our conversation");
              var state = run.link().map(at -> "<" + at + "|" + run.state() + ">");
              return "• " + state.orElse(run.state()) + ", " + where;
            })
        .collect(Collectors.joining("\n"));
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
