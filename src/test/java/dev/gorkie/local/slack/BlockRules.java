package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which blocks Slack takes in a message outside a stream, and what it says about the others.
final class BlockRules {
  private static final int BLOCKS_MAX = 50;
  private static final int MARKDOWN_CHARACTERS_MAX = 12_000;
  private static final int CHARACTERS_MAX = 13_200;
  private static final int CHARTS_MAX = 2;
  private static final int DATA_TABLE_CHARACTERS_MAX = 10_000;
  private static final Set<String> TASK_STATES =
      Set.of("pending", "in_progress", "complete", "error");
  private static final Set<String> BUTTON_STYLES = Set.of("primary", "danger");
  private static final Set<String> RICH_TEXT_PARTS =
      Set.of("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote");
  private static final Set<String> CELLS = Set.of("raw_text", "raw_number", "rich_text");
  private static final Set<String> WORDS = Set.of("text", "title", "subtitle", "body", "subtext");
  private static final Set<String> CONTEXT_ACTIONS = Set.of("feedback_buttons", "icon_button");
  private final List<String> wrong = new ArrayList<>();
  private final Set<String> blockIds = new HashSet<>();
  private int markdownCharacters;
  private int tables;
  private int charts;

  private BlockRules() {}

  static void check(JsonArray blocks) {
    check(blocks, BLOCKS_MAX);
  }

  /// @param most 50 in a message, 100 in a view
  static void check(JsonArray blocks, int most) {
    var rules = new BlockRules();
    if (blocks.size() > most) {
      rules.say("/blocks", "no more than " + most + " items allowed");
    }
    rules.blocks(blocks, "/blocks");
    if (rules.markdownCharacters > MARKDOWN_CHARACTERS_MAX) {
      rules.say("/blocks", "markdown blocks must be less than 12001 characters in total");
    }
    if (rules.charts > CHARTS_MAX) {
      rules.say("/blocks", "no more than 2 data_visualization blocks allowed");
    }
    if (rules.tables > 1) {
      rules.say("/blocks", "only_one_table_allowed");
    }
    if (!rules.wrong.isEmpty()) {
      throw new Refusal("invalid_blocks", rules.wrong.toArray(String[]::new));
    }
    if (words(blocks) > CHARACTERS_MAX) {
      throw new Refusal("msg_blocks_too_long");
    }
  }

  /// How many characters of text there are in all the blocks.
  private static int words(@Nullable Object part) {
    return switch (part) {
      case JsonArray all -> all.stream().mapToInt(BlockRules::words).sum();
      case JsonObject object ->
          object.stream()
              .mapToInt(
                  field ->
                      field.getValue() instanceof String text
                          ? (WORDS.contains(field.getKey()) ? text.length() : 0)
                          : words(field.getValue()))
              .sum();
      case null, default -> 0;
    };
  }

  private void say(String pointer, String what) {
    wrong.add("[ERROR] " + what + " [json-pointer:" + pointer + "]");
  }

  private void blocks(JsonArray blocks, String at) {
    for (var i = 0; i < blocks.size(); i++) {
      if (blocks.getValue(i) instanceof JsonObject block) {
        block(block, at + "/" + i);
      } else {
        say(at + "/" + i, "must be an object");
      }
    }
  }

  private void block(JsonObject block, String at) {
    if (block.getValue("block_id") instanceof String id) {
      longest(id, 255, at + "/block_id");
      if (!blockIds.add(id)) {
        say(at + "/block_id", "`block_id` already exists");
      }
    }
    switch (block.getString("type", "")) {
      case "divider" -> {}
      case "section" -> section(block, at);
      case "header" -> textObject(block, "text", Set.of("plain_text"), 150, at);
      case "context" -> context(block, at);
      case "actions" -> actions(block, at);
      case "image" -> image(block, at);
      case "markdown" -> {
        string(block, "text", MARKDOWN_CHARACTERS_MAX, at);
        markdownCharacters += block.getValue("text") instanceof String text ? text.length() : 0;
      }
      case "rich_text" -> richText(block, at);
      case "table" -> table(block, at);
      case "plan" -> plan(block, at);
      case "task_card" -> task(block, at);
      case "file" -> string(block, "external_id", 255, at);
      case "container" -> {
        if (!block.containsKey("title") && !block.containsKey("rich_text_title")) {
          say(at, "missing required field: title");
        }
        blocks(items(block, "child_blocks", 1, BLOCKS_MAX, at), at + "/child_blocks");
      }
      case "context_actions" -> contextActions(block, at);
      case "card" -> card(block, at);
      case "carousel" -> carousel(block, at);
      case "data_table" -> dataTable(block, at);
      case "data_visualization" -> charts++;
      case "input" -> input(block, at);
      case "video" -> {}
      case "" -> say(at, "missing required field: type");
      default -> say(at + "/type", "unsupported type: " + block.getString("type"));
    }
  }

  private void section(JsonObject block, String at) {
    if (!block.containsKey("text") && !block.containsKey("fields")) {
      say(at, "missing required field: text");
    }
    if (block.containsKey("text")) {
      textObject(block, "text", Set.of("plain_text", "mrkdwn"), 3_000, at);
    }
    if (block.containsKey("fields")) {
      var fields = items(block, "fields", 1, 10, at);
      for (var i = 0; i < fields.size(); i++) {
        text(fields.getValue(i), Set.of("plain_text", "mrkdwn"), 2_000, at + "/fields/" + i);
      }
    }
    if (block.getValue("accessory") instanceof JsonObject accessory) {
      element(accessory, at + "/accessory");
    }
  }

  private void context(JsonObject block, String at) {
    var elements = items(block, "elements", 1, 10, at);
    for (var i = 0; i < elements.size(); i++) {
      var here = at + "/elements/" + i;
      if (elements.getValue(i) instanceof JsonObject image
          && "image".equals(image.getString("type"))) {
        image(image, here);
      } else {
        text(elements.getValue(i), Set.of("plain_text", "mrkdwn"), 2_000, here);
      }
    }
  }

  private void actions(JsonObject block, String at) {
    var elements = items(block, "elements", 1, 25, at);
    for (var i = 0; i < elements.size(); i++) {
      if (elements.getValue(i) instanceof JsonObject element) {
        element(element, at + "/elements/" + i);
      } else {
        say(at + "/elements/" + i, "must be an object");
      }
    }
  }

  private void element(JsonObject element, String at) {
    longest(element.getValue("action_id"), 255, at + "/action_id");
    switch (element.getString("type", "")) {
      case "button" -> {
        textObject(element, "text", Set.of("plain_text"), 75, at);
        longest(element.getValue("value"), 2_000, at + "/value");
        longest(element.getValue("url"), 3_000, at + "/url");
        if (element.containsKey("style") && !BUTTON_STYLES.contains(element.getString("style"))) {
          say(at + "/style", "must be one of: primary, danger");
        }
      }
      case "static_select", "multi_static_select" -> {
        if (!element.containsKey("option_groups")) {
          var options = items(element, "options", 1, 100, at);
          options(options, at + "/options");
          if (element.getValue("initial_option") instanceof JsonObject first
              && !options.contains(first)) {
            say(at + "/initial_option", "must be one of the options");
          }
        }
      }
      case "" -> say(at, "missing required field: type");
      default -> {}
    }
  }

  private void input(JsonObject block, String at) {
    textObject(block, "label", Set.of("plain_text"), 2_000, at);
    if (block.containsKey("hint")) {
      textObject(block, "hint", Set.of("plain_text"), 2_000, at);
    }
    if (!(block.getValue("element") instanceof JsonObject element)) {
      say(at, "missing required field: element");
      return;
    }
    element(element, at + "/element");
    if ("plain_text_input".equals(element.getString("type"))) {
      longest(element.getValue("initial_value"), 3_000, at + "/element/initial_value");
      if (element.getInteger("max_length", 1) > 3_000) {
        say(at + "/element/max_length", "must be less than 3001");
      }
    }
  }

  private void options(JsonArray options, String at) {
    for (var i = 0; i < options.size(); i++) {
      if (options.getValue(i) instanceof JsonObject option) {
        textObject(option, "text", Set.of("plain_text", "mrkdwn"), 75, at + "/" + i);
        longest(option.getValue("value"), 150, at + "/" + i + "/value");
      }
    }
  }

  private void contextActions(JsonObject block, String at) {
    var elements = items(block, "elements", 1, 5, at);
    for (var i = 0; i < elements.size(); i++) {
      if (!(elements.getValue(i) instanceof JsonObject element)
          || !CONTEXT_ACTIONS.contains(element.getString("type", ""))) {
        say(at + "/elements/" + i, "must be one of: " + CONTEXT_ACTIONS);
      }
    }
  }

  private void card(JsonObject card, String at) {
    for (var field : List.of("title", "subtitle")) {
      longest(words(card, field), 150, at + "/" + field);
    }
    for (var field : List.of("body", "subtext")) {
      longest(words(card, field), 200, at + "/" + field);
    }
    if (card.getValue("actions") instanceof JsonArray buttons && buttons.size() > 3) {
      say(at + "/actions", "must have at most 3 items");
    }
  }

  private static String words(JsonObject in, String field) {
    return in.getValue(field) instanceof JsonObject text
        ? text.getString("text", "")
        : String.valueOf(in.getValue(field, ""));
  }

  private void carousel(JsonObject block, String at) {
    var cards = items(block, "elements", 1, 10, at);
    for (var i = 0; i < cards.size(); i++) {
      if (cards.getValue(i) instanceof JsonObject card && "card".equals(card.getString("type"))) {
        card(card, at + "/elements/" + i);
      } else {
        say(at + "/elements/" + i, "must be a card");
      }
    }
  }

  private void dataTable(JsonObject block, String at) {
    var rows = items(block, "rows", 1, 100, at);
    for (var i = 0; i < rows.size(); i++) {
      if (!(rows.getValue(i) instanceof JsonArray cells) || cells.isEmpty() || cells.size() > 20) {
        say(at + "/rows/" + i, "must be an array of 1 to 20 cells");
      }
    }
    if (words(rows) > DATA_TABLE_CHARACTERS_MAX) {
      say(at + "/rows", "must be less than 10001 characters in total");
    }
  }

  private void image(JsonObject image, String at) {
    if (image.containsKey("image_url") == image.containsKey("slack_file")) {
      say(at, "must provide either image_url or slack_file");
    }
    longest(image.getValue("image_url"), 3_000, at + "/image_url");
    string(image, "alt_text", 2_000, at);
  }

  private void richText(JsonObject block, String at) {
    var parts = items(block, "elements", 1, Integer.MAX_VALUE, at);
    for (var i = 0; i < parts.size(); i++) {
      if (!(parts.getValue(i) instanceof JsonObject part)
          || !RICH_TEXT_PARTS.contains(part.getString("type", ""))
          || !(part.getValue("elements") instanceof JsonArray)) {
        say(at + "/elements/" + i, "must be a rich text element");
      }
    }
  }

  private void table(JsonObject block, String at) {
    tables++;
    var rows = items(block, "rows", 1, 100, at);
    for (var i = 0; i < rows.size(); i++) {
      var here = at + "/rows/" + i;
      if (!(rows.getValue(i) instanceof JsonArray cells) || cells.size() > 20) {
        say(here, "must be an array of at most 20 cells");
      } else if (!cells.stream().allMatch(BlockRules::isCell)) {
        say(here, "unsupported cell type");
      }
    }
  }

  private static boolean isCell(Object cell) {
    return cell instanceof JsonObject object && CELLS.contains(object.getString("type", ""));
  }

  private void plan(JsonObject block, String at) {
    string(block, "title", 255, at);
    if (block.containsKey("tasks")) {
      var tasks = items(block, "tasks", 0, BLOCKS_MAX, at);
      for (var i = 0; i < tasks.size(); i++) {
        if (tasks.getValue(i) instanceof JsonObject task
            && "task_card".equals(task.getString("type"))) {
          task(task, at + "/tasks/" + i);
        } else {
          say(at + "/tasks/" + i, "must be a task_card");
        }
      }
    }
  }

  private void task(JsonObject task, String at) {
    string(task, "task_id", 255, at);
    string(task, "title", 3_000, at);
    if (!TASK_STATES.contains(String.valueOf(task.getValue("status", "pending")))) {
      say(at + "/status", "must be one of: pending, in_progress, complete, error");
    }
    for (var field : List.of("details", "output")) {
      if (!task.containsKey(field)) {
        continue;
      }
      if (task.getValue(field) instanceof JsonObject rich
          && "rich_text".equals(rich.getString("type"))) {
        richText(rich, at + "/" + field);
      } else {
        say(at + "/" + field, "must be a rich_text object");
      }
    }
    if (task.containsKey("sources")) {
      var sources = items(task, "sources", 0, Integer.MAX_VALUE, at);
      for (var i = 0; i < sources.size(); i++) {
        if (sources.getValue(i) instanceof JsonObject source) {
          string(source, "url", 3_000, at + "/sources/" + i);
          string(source, "text", 3_000, at + "/sources/" + i);
        }
      }
    }
  }

  private JsonArray items(JsonObject in, String field, int least, int most, String at) {
    if (!(in.getValue(field) instanceof JsonArray items)) {
      say(at, "missing required field: " + field);
      return new JsonArray();
    }
    if (items.size() < least || items.size() > most) {
      say(at + "/" + field, "must have between " + least + " and " + most + " items");
    }
    return items;
  }

  private void textObject(JsonObject in, String field, Set<String> types, int most, String at) {
    text(in.getValue(field), types, most, at + "/" + field);
  }

  private void text(@Nullable Object value, Set<String> types, int most, String at) {
    if (!(value instanceof JsonObject text) || !types.contains(text.getString("type", ""))) {
      say(at, "must be a text object of " + types);
    } else {
      string(text, "text", most, at);
    }
  }

  private void string(JsonObject in, String field, int most, String at) {
    if (!(in.getValue(field) instanceof String text) || text.isEmpty()) {
      say(at, "missing required field: " + field);
    } else {
      longest(text, most, at + "/" + field);
    }
  }

  private void longest(@Nullable Object value, int most, String at) {
    if (value instanceof String text && text.length() > most) {
      say(at, "must be less than " + (most + 1) + " characters");
    }
  }
}
