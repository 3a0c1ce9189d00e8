package dev.gorkie.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;
import java.util.Set;

/// What a message shows: blocks, and a text for where blocks are not shown.
record Content(String text, ArrayNode blocks) {

  private static final ObjectMapper JSON = new ObjectMapper();

  // An edit with a longer text is refused whole.
  private static final int TEXT_CHARACTERS_MAX = 3_900;
  private static final int NOTICE_CHARACTERS_MAX = 200;

  /// Slack's words for blocks that it does not take: the same may be said in simpler ones.
  private static final Set<String> BLOCKS_REFUSED =
      Set.of(
          "invalid_blocks",
          "invalid_blocks_format",
          "invalid_arguments",
          "msg_blocks_too_long",
          "msg_too_long",
          "block_mismatch",
          "unsupported_block");

  static boolean isAboutBlocks(String error) {
    return BLOCKS_REFUSED.contains(error);
  }

  static ArrayNode blocks(Map<String, String> block) {
    var blocks = JsonNodeFactory.instance.arrayNode();
    var json = blocks.addObject();
    block.forEach(json::put);
    return blocks;
  }

  /// Standard Markdown that was made safe before.
  static Content markdown(String markdown) {
    return new Content(
        SafeText.escape(SafeText.line(Mention.without(markdown), NOTICE_CHARACTERS_MAX)),
        blocks(Map.of("type", "markdown", "text", markdown)));
  }

  /// The same words without any block.
  static Content plain(String markdown) {
    return new Content(
        Mention.in(markdown) + SafeText.escape(Mention.without(markdown)),
        JsonNodeFactory.instance.arrayNode());
  }

  /// As it is kept for whoever shows it.
  String written() {
    return JsonNodeFactory.instance.objectNode().put("text", text).set("blocks", blocks).toString();
  }

  /// What was written so.
  static Content read(String written) {
    try {
      var json = JSON.readTree(written);
      return json.path("blocks") instanceof ArrayNode blocks
          ? new Content(json.path("text").asText(), blocks)
          : new Content(json.path("text").asText(), JsonNodeFactory.instance.arrayNode());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("No content was written here", e);
    }
  }

  /// The same without any block.
  Content simpler() {
    return new Content(text, JsonNodeFactory.instance.arrayNode());
  }

  static String notice(String text) {
    return SafeText.cut(
        SafeText.escape(Links.addresses(SafeText.disarm(text)).replace("![", "[")),
        TEXT_CHARACTERS_MAX);
  }
}
