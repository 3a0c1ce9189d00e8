package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads a message's text and blocks as a person sees them, in plain characters.
final class Rendering {
  private static final Pattern TOKEN = Pattern.compile("<([^<>]+)>");
  private final Workspace workspace;

  Rendering(Workspace workspace) {
    this.workspace = workspace;
  }

  /// What is shown: the blocks, or the text when there are none.
  String message(Message message) {
    return message.blocks.isEmpty() ? mrkdwn(message.text) : blocks(message.blocks);
  }

  private String blocks(JsonArray blocks) {
    return objects(blocks)
        .map(this::block)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private String block(JsonObject block) {
    return switch (block.getString("type", "")) {
      case "section" ->
          lines(
              Stream.concat(
                  Stream.of(text(block.getValue("text"))),
                  objects(block.getJsonArray("fields", new JsonArray())).map(this::text)));
      case "header" -> text(block.getValue("text"));
      case "divider" -> "---";
      case "context" -> each(block, "elements", "  ");
      case "actions", "context_actions" -> each(block, "elements", " ");
      case "button", "icon_button" -> "[" + text(block.getValue("text")) + "]";
      case "feedback_buttons" ->
          Stream.of("positive_button", "negative_button")
              .map(
                  name ->
                      "["
                          + text(block.getJsonObject(name, new JsonObject()).getValue("text"))
                          + "]")
              .collect(Collectors.joining(" "));
      case "mrkdwn", "plain_text" -> text(block);
      case "markdown" -> block.getString("text", "");
      case "image" -> "(image: " + block.getString("alt_text", "") + ")";
      case "rich_text" -> richText(block);
      case "table", "data_table" -> table(block);
      case "plan" -> lines(Stream.of(text(block.getValue("title")), each(block, "tasks", "\n")));
      case "task_card" -> task(block);
      case "container" ->
          lines(
              Stream.of(
                  text(block.getValue("title")),
                  blocks(block.getJsonArray("child_blocks", new JsonArray()))));
      default -> "(" + block.getString("type", "") + ")";
    };
  }

  private String task(JsonObject task) {
    var sign =
        switch (task.getString("status", "pending")) {
          case "complete" -> "✓ ";
          case "in_progress" -> "▸ ";
          case "error" -> "✗ ";
          default -> "· ";
        };
    var line = new StringBuilder(sign + task.getString("title", ""));
    details(task, "details").ifPresent(text -> line.append(": ").append(text));
    details(task, "output").ifPresent(text -> line.append(" -> ").append(text));
    return line.toString();
  }

  /// The text of a task's `details` or `output`.
  Optional<String> details(JsonObject task, String field) {
    return Optional.ofNullable(task.getValue(field))
        .map(this::text)
        .filter(text -> !text.isEmpty());
  }

  private String table(JsonObject table) {
    return table.getJsonArray("rows", new JsonArray()).stream()
        .map(JsonArray.class::cast)
        .map(row -> objects(row).map(this::text).collect(Collectors.joining(" | ")))
        .collect(Collectors.joining("\n"));
  }

  private String each(JsonObject in, String field, String between) {
    return objects(in.getJsonArray(field, new JsonArray()))
        .map(this::block)
        .collect(Collectors.joining(between));
  }

  private static Stream<JsonObject> objects(JsonArray array) {
    return array.stream().filter(JsonObject.class::isInstance).map(JsonObject.class::cast);
  }

  private static String lines(Stream<String> lines) {
    return lines.filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
  }

  /// A text in any of the forms in which blocks have one.
  private String text(@Nullable Object value) {
    return switch (value) {
      case String text -> text;
      case JsonObject object when "rich_text".equals(object.getString("type")) -> richText(object);
      case JsonObject object when "mrkdwn".equals(object.getString("type")) ->
          mrkdwn(object.getString("text", ""));
      case JsonObject object -> String.valueOf(object.getValue("text", ""));
      case null, default -> "";
    };
  }

  private String richText(JsonObject block) {
    return objects(block.getJsonArray("elements", new JsonArray()))
        .map(this::richPart)
        .collect(Collectors.joining("\n"));
  }

  private String richPart(JsonObject part) {
    var inside = part.getJsonArray("elements", new JsonArray());
    return switch (part.getString("type", "")) {
      case "rich_text_list" -> list(part, inside);
      case "rich_text_quote" -> "> " + inline(inside);
      case "rich_text_preformatted" -> "```\n" + inline(inside) + "\n```";
      default -> inline(inside);
    };
  }

  private String list(JsonObject list, JsonArray items) {
    var ordered = "ordered".equals(list.getString("style"));
    return IntStream.range(0, items.size())
        .mapToObj(i -> (ordered ? (i + 1) + ". " : "- ") + richPart(items.getJsonObject(i)))
        .collect(Collectors.joining("\n"));
  }

  private String inline(JsonArray elements) {
    return objects(elements)
        .map(
            one ->
                switch (one.getString("type", "")) {
                  case "text" -> one.getString("text", "");
                  case "link" -> one.getString("text", one.getString("url", ""));
                  case "user" -> person(one.getString("user_id", ""));
                  case "channel" -> channel(one.getString("channel_id", ""));
                  case "broadcast" -> "@" + one.getString("range", "");
                  case "emoji" -> ":" + one.getString("name", "") + ":";
                  default -> "";
                })
        .collect(Collectors.joining());
  }

  /// Slack's own dialect, its tokens replaced by what they stand for.
  String mrkdwn(String text) {
    return Typing.unescape(
        TOKEN.matcher(text).replaceAll(token -> Matcher.quoteReplacement(shown(token))));
  }

  private String shown(MatchResult token) {
    var parts = token.group(1).split("\\|", 2);
    var label = parts.length > 1 ? Optional.of(parts[1]) : Optional.<String>empty();
    return switch (parts[0].charAt(0)) {
      case '@' -> person(parts[0].substring(1));
      case '#' -> channel(parts[0].substring(1));
      case '!' -> label.orElse("@" + parts[0].substring(1));
      default -> label.map(it -> it + " (" + parts[0] + ")").orElse(parts[0]);
    };
  }

  private String person(String id) {
    return "@" + workspace.person(id).map(Person::name).orElse(id);
  }

  private String channel(String id) {
    return "#" + workspace.channel(id).map(Channel::name).orElse(id);
  }

  /// Every object of this type anywhere in the blocks, with the id of the block it lies in.
  static List<Placed> find(JsonArray blocks, String type) {
    var found = new ArrayList<Placed>();
    objects(blocks).forEach(block -> find(block, block.getString("block_id", ""), type, found));
    return found;
  }

  private static void find(@Nullable Object part, String blockId, String type, List<Placed> found) {
    switch (part) {
      case JsonObject object -> {
        if (Objects.equals(object.getValue("type"), type)) {
          found.add(new Placed(blockId, object));
        }
        object.forEach(field -> find(field.getValue(), blockId, type, found));
      }
      case JsonArray all -> all.forEach(one -> find(one, blockId, type, found));
      case null, default -> {}
    }
  }

  /// Something in a block.
  record Placed(String blockId, JsonObject json) {}
}
