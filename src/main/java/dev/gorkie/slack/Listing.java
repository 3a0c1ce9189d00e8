package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/// A list with a button at what can be ended.
public record Listing(String title, List<Line> lines) {

  // Slack takes 50 blocks; whoever reads takes fewer.
  private static final int LINES_MAX = 30;
  private static final int LINE_CHARACTERS_MAX = 400;

  public Listing {
    lines = List.copyOf(lines);
  }

  /// @param id what the button carries
  public record Line(String text, Optional<Pressed.Action> button, String id) {}

  Content content() {
    var blocks = JsonNodeFactory.instance.arrayNode();
    section(blocks, title);
    add(blocks, lines);
    return new Content(Content.notice(title), blocks);
  }

  static void add(ArrayNode blocks, List<Line> lines) {
    for (var line : lines.subList(0, Math.min(lines.size(), LINES_MAX))) {
      var section = section(blocks, SafeText.line(line.text(), LINE_CHARACTERS_MAX));
      line.button()
          .ifPresent(
              action ->
                  section
                      .putObject("accessory")
                      .put("type", "button")
                      .put("action_id", action.wire())
                      .put("value", line.id())
                      .putObject("text")
                      .put("type", "plain_text")
                      .put("text", action.label()));
    }
  }

  private static ObjectNode section(ArrayNode blocks, String text) {
    var section = blocks.addObject().put("type", "section");
    section.putObject("text").put("type", "plain_text").put("text", text);
    return section;
  }
}
