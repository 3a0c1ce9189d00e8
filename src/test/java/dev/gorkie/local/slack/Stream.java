package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a message is while it is being written. Touched only under the workspace's lock.
final class Stream {

  private static final int ROWS_MAX = 50;
  private static final int WEIGHT_MAX = 10_600;
  private static final Set<String> TASK_STATES =
      Set.of("pending", "in_progress", "complete", "error");

  private final Instant opened;
  private final Duration life;
  // A stream is for its whole life what its opening call made it.
  private final boolean inChunks;
  private final boolean asPlan;
  private Optional<End> end = Optional.empty();
  private Content content = Content.EMPTY;

  /// Why nothing can be appended any more.
  enum End {
    STOPPED,
    EXPIRED,
    BY_USER
  }

  private record Row(String title, String status, String details, String output) {
    int weight() {
      return bytes(title) + 2 * (bytes(details) + bytes(output));
    }

    JsonObject json(String id) {
      var json =
          new JsonObject()
              .put("type", "task_card")
              .put("task_id", id)
              .put("title", title)
              .put("status", status);
      put(json, "details", details);
      put(json, "output", output);
      return json;
    }

    private static void put(JsonObject json, String field, String text) {
      if (!text.isEmpty()) {
        var words = new JsonObject().put("type", "text").put("text", text);
        var section =
            new JsonObject()
                .put("type", "rich_text_section")
                .put("elements", new JsonArray().add(words));
        json.put(
            field,
            new JsonObject()
                .put("type", "rich_text")
                .put("elements", new JsonArray().add(section)));
      }
    }
  }

  /// All that was appended so far.
  private record Content(String markdown, String title, Map<String, Row> rows, JsonArray blocks) {
    static final Content EMPTY = new Content("", "", Map.of(), new JsonArray());

    int weight() {
      return bytes(markdown) + bytes(title) + rows.values().stream().mapToInt(Row::weight).sum();
    }
  }

  Stream(Instant opened, Duration life, boolean inChunks, boolean asPlan) {
    this.opened = opened;
    this.life = life;
    this.inChunks = inChunks;
    this.asPlan = asPlan;
  }

  /// Its age alone counts, however much is appended.
  Optional<End> end(Instant now) {
    return end.or(
        () -> now.isBefore(opened.plus(life)) ? Optional.empty() : Optional.of(End.EXPIRED));
  }

  boolean isOpen(Instant now) {
    return end(now).isEmpty();
  }

  void end(End how) {
    end = end.or(() -> Optional.of(how));
  }

  /// Takes all of it or nothing.
  void append(Optional<String> markdown, Optional<JsonArray> chunks) {
    if (chunks.isPresent() && !inChunks || markdown.isPresent() && inChunks) {
      throw new Refusal("streaming_mode_mismatch");
    }
    var next = content;
    if (markdown.isPresent()) {
      next = said(next, markdown.get());
    }
    for (var chunk : chunks.orElseGet(JsonArray::new)) {
      next = chunk instanceof JsonObject one ? with(next, one) : refuse("must be an object");
    }
    if (next.rows.size() > ROWS_MAX) {
      refuse("no more than 50 tasks allowed");
    }
    if (next.weight() > WEIGHT_MAX) {
      throw new Refusal("msg_too_long");
    }
    content = next;
  }

  private static Content said(Content before, String markdown) {
    return new Content(before.markdown + markdown, before.title, before.rows, before.blocks);
  }

  private static Content with(Content before, JsonObject chunk) {
    return switch (chunk.getString("type", "")) {
      case "markdown_text" -> said(before, word(chunk, "text"));
      case "plan_update" ->
          new Content(before.markdown, word(chunk, "title"), before.rows, before.blocks);
      case "task_update" -> updated(before, chunk);
      case "blocks" -> {
        if (!(chunk.getValue("blocks") instanceof JsonArray more)) {
          yield refuse("missing required field: blocks");
        }
        var all = before.blocks.copy().addAll(more);
        BlockRules.check(all);
        yield new Content(before.markdown, before.title, before.rows, all);
      }
      default -> refuse("unsupported type: " + chunk.getString("type"));
    };
  }

  // Title and status are replaced; details and output grow.
  private static Content updated(Content before, JsonObject chunk) {
    var id = word(chunk, "id");
    var status = word(chunk, "status");
    if (!TASK_STATES.contains(status)) {
      refuse("status must be one of: " + TASK_STATES);
    }
    var was = before.rows.getOrDefault(id, new Row("", "", "", ""));
    var rows = new LinkedHashMap<>(before.rows);
    rows.put(
        id,
        new Row(
            word(chunk, "title"),
            status,
            was.details + more(chunk, "details"),
            was.output + more(chunk, "output")));
    return new Content(before.markdown, before.title, rows, before.blocks);
  }

  private static String word(JsonObject chunk, String field) {
    return chunk.getValue(field) instanceof String text && !text.isEmpty()
        ? text
        : refuse("missing required field: " + field);
  }

  // Rich text belongs into a message's own blocks.
  private static String more(JsonObject chunk, String field) {
    return switch (chunk.getValue(field)) {
      case null -> "";
      case String text -> text;
      default -> refuse(field + " must be a string");
    };
  }

  private static <T> T refuse(String why) {
    throw new Refusal("invalid_chunks", "[ERROR] " + why);
  }

  String markdown() {
    return content.markdown;
  }

  /// The same as an ordinary message's blocks.
  JsonArray blocks() {
    var blocks = new JsonArray();
    var tasks = new ArrayList<JsonObject>();
    content.rows.forEach((id, row) -> tasks.add(row.json(id)));
    if (!content.title.isEmpty() || asPlan && !tasks.isEmpty()) {
      blocks.add(
          new JsonObject()
              .put("type", "plan")
              .put("title", content.title.isEmpty() ? "Working" : content.title)
              .put("tasks", new JsonArray(List.copyOf(tasks))));
    } else {
      tasks.forEach(blocks::add);
    }
    if (!content.markdown.isEmpty()) {
      blocks.add(new JsonObject().put("type", "markdown").put("text", content.markdown));
    }
    return blocks.addAll(content.blocks);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
