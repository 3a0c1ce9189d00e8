package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.slack.Card.Row;
import dev.gorkie.slack.Card.Shown;
import java.util.ArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes a card down in Slack's blocks: as a plan, or in plain ones where a workspace takes no plan.
final class CardBlocks {

  private static final String THINKING = "Thinking";
  private static final String IN_PROGRESS = "in_progress";
  private static final String COMPLETE = "complete";
  private static final int SECTION_CHARACTERS_MAX = 3_000;

  private CardBlocks() {}

  static Content plan(Shown card) {
    var blocks = JsonNodeFactory.instance.arrayNode();
    var plan = blocks.addObject().put("type", "plan").put("title", card.title());
    var tasks = plan.putArray("tasks");
    if (card.folded() > 0) {
      task(tasks, folded(card), COMPLETE);
    }
    for (var row : card.rows()) {
      var task = task(tasks, row.title(), row.running() ? IN_PROGRESS : COMPLETE);
      richText(task, "details", row.detail());
      richText(task, "output", row.output());
    }
    // A plan without rows would be an empty box, and one whose rows are all over would look done.
    if (!card.ended() && card.rows().stream().noneMatch(Row::running)) {
      task(tasks, THINKING, IN_PROGRESS);
    } else if (tasks.isEmpty()) {
      task(tasks, THINKING, COMPLETE);
    }
    summary(blocks, card);
    return new Content(text(card), blocks);
  }

  static Content plain(Shown card) {
    var lines = new ArrayList<String>();
    lines.add("*" + SafeText.escape(card.title()) + "*");
    if (card.folded() > 0) {
      lines.add(folded(card));
    }
    for (var row : card.rows()) {
      lines.add((row.running() ? "▸ " : "✓ ") + SafeText.escape(row.title()));
    }
    var blocks = JsonNodeFactory.instance.arrayNode();
    for (var part : Markdown.cut(String.join("\n", lines), SECTION_CHARACTERS_MAX)) {
      blocks
          .addObject()
          .put("type", "section")
          .putObject("text")
          .put("type", "mrkdwn")
          .put("text", part);
    }
    summary(blocks, card);
    return new Content(text(card), blocks);
  }

  private static ObjectNode task(ArrayNode tasks, String title, String status) {
    return tasks
        .addObject()
        .put("type", "task_card")
        .put("task_id", "row" + tasks.size())
        .put("title", title)
        .put("status", status);
  }

  /// In a message, unlike in a stream, a task's texts are rich text.
  private static void richText(ObjectNode task, String field, String text) {
    if (text.isEmpty()) {
      return;
    }
    var section =
        task.putObject(field)
            .put("type", "rich_text")
            .putArray("elements")
            .addObject()
            .put("type", "rich_text_section");
    section.putArray("elements").addObject().put("type", "text").put("text", text);
  }

  /// The last line: how it went, or while it goes on a way to end it.
  private static void summary(ArrayNode blocks, Shown card) {
    if (!card.ended()) {
      stopButton(blocks);
    }
    card.summary()
        .ifPresent(
            summary ->
                blocks
                    .addObject()
                    .put("type", "context")
                    .putArray("elements")
                    .addObject()
                    .put("type", "plain_text")
                    .put("text", summary));
  }

  private static void stopButton(ArrayNode blocks) {
    blocks
        .addObject()
        .put("type", "actions")
        .putArray("elements")
        .addObject()
        .put("type", "button")
        .put("action_id", Click.STOP)
        .putObject("text")
        .put("type", "plain_text")
        .put("text", "Stop");
  }

  private static String folded(Shown card) {
    return card.folded() == 1 ? "1 earlier step" : card.folded() + " earlier steps";
  }

  private static String text(Shown card) {
    var running = card.rows().stream().filter(Row::running).map(Row::title);
    var said = card.summary().stream();
    var rest = Stream.concat(running.limit(1), said).collect(Collectors.joining());
    return Content.notice(rest.isEmpty() ? card.title() : card.title() + ": " + rest);
  }
}
