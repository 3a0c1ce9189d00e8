package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `chat.*`: what the app says, changes and takes back.
final class ChatMethods {
  private static final int TEXT_CHARACTERS_KEPT = 40_000;
  private static final int UPDATE_CHARACTERS_MAX = 4_000;
  private static final int MARKDOWN_CHARACTERS_MAX = 12_000;
  private final Workspace workspace;
  private final Places places;
  private final Wire wire;
  private final Events events;
  private final AgentState agent;

  ChatMethods(Workspace workspace, Places places, Wire wire, Events events, AgentState agent) {
    this.workspace = workspace;
    this.places = places;
    this.wire = wire;
    this.events = events;
    this.agent = agent;
  }

  Map<String, Method> methods() {
    return Map.of(
        "chat.postMessage", this::post,
        "chat.update", this::update,
        "chat.delete", this::delete,
        "chat.getPermalink", this::permalink,
        "chat.postEphemeral", this::postEphemeral);
  }

  private JsonObject post(Call call) {
    var channel = places.writable(call, "channel");
    var thread = places.thread(call);
    var message = workspace.post(channel, thread, Workspace.APP_USER, draft(call));
    agent.posted(message);
    events.posted(message, DeliveryOptions.usual());
    return workspace.changes.read(
        () ->
            new JsonObject()
                .put("channel", channel.id())
                .put("ts", message.ts)
                .put("message", wire.message(message)));
  }

  private JsonObject permalink(Call call) {
    var channel = places.channel(call, "channel");
    var message = places.message(channel, call.required("message_ts"), "message_not_found");
    return new JsonObject()
        .put("channel", channel.id())
        .put("permalink", wire.link(channel, message));
  }

  private JsonObject postEphemeral(Call call) {
    var channel = places.writable(call, "channel");
    var reader =
        workspace
            .person(call.required("user"))
            .filter(one -> channel.members().contains(one.id()))
            .orElseThrow(() -> new Refusal("user_not_in_channel"));
    var message =
        workspace.postOnlyFor(
            channel, places.thread(call), reader, Workspace.APP_USER, draft(call));
    return new JsonObject().put("message_ts", message.ts);
  }

  private JsonObject update(Call call) {
    var channel = places.channel(call, "channel");
    var message = own(channel, call.required("ts"), "cant_update_message");
    if (workspace.isStreaming(message)) {
      throw new Refusal("streaming_state_conflict");
    }
    if (call.form().getOrDefault("text", "").length() > UPDATE_CHARACTERS_MAX) {
      throw new Refusal("msg_too_long");
    }
    var draft = draft(call);
    var before = workspace.changes.read(() -> wire.message(message));
    workspace.changes.change(
        () -> {
          var blocksGiven =
              call.text("blocks").isPresent() || call.text("markdown_text").isPresent();
          // Words without blocks take the place of the blocks; blocks without words leave the
          // words.
          if (blocksGiven || call.text("text").isPresent()) {
            message.blocks = draft.blocks();
          }
          if (call.form().containsKey("text") || call.text("markdown_text").isPresent()) {
            message.text = draft.text();
          }
          draft
              .metadata()
              .ifPresent(
                  given -> message.metadata = Optional.of(given).filter(it -> !it.isEmpty()));
          message.editedTs = Optional.of(workspace.nextTs());
          message.markedEdited |= !blocksGiven;
          message.edits++;
        });
    events.edited(message, before, DeliveryOptions.usual());
    return workspace.changes.read(
        () ->
            new JsonObject()
                .put("channel", channel.id())
                .put("ts", message.ts)
                .put("text", message.text)
                .put("message", wire.message(message)));
  }

  private JsonObject delete(Call call) {
    var channel = places.channel(call, "channel");
    var message = own(channel, call.required("ts"), "cant_delete_message");
    if (workspace.isStreaming(message)) {
      throw new Refusal("cant_delete_message");
    }
    var before = workspace.changes.read(() -> wire.message(message));
    workspace.remove(message);
    events.removed(message, before, DeliveryOptions.usual());
    return new JsonObject().put("channel", channel.id()).put("ts", message.ts);
  }

  private Message own(Channel channel, String ts, String refusal) {
    var message = places.message(channel, ts, "message_not_found");
    if (!message.author.id().equals(Workspace.APP_USER.id()) || message.tombstone) {
      throw new Refusal(refusal);
    }
    return message;
  }

  private static Message.Draft draft(Call call) {
    var text = call.form().getOrDefault("text", "");
    var blocks = call.array("blocks", "invalid_blocks_format");
    var metadata = call.object("metadata", "invalid_metadata_format");
    metadata.ifPresent(ChatMethods::checkMetadata);
    if (call.text("markdown_text").isPresent()) {
      var markdown = call.required("markdown_text");
      if (!text.isEmpty() || blocks.isPresent()) {
        throw new Refusal("markdown_text_conflict");
      }
      if (markdown.length() > MARKDOWN_CHARACTERS_MAX) {
        throw new Refusal("msg_too_long");
      }
      var block = new JsonObject().put("type", "markdown").put("text", markdown);
      return new Message.Draft(markdown, new JsonArray().add(block), metadata, List.of());
    }
    blocks.ifPresent(BlockRules::check);
    if (text.isEmpty() && blocks.orElseGet(JsonArray::new).isEmpty()) {
      throw new Refusal("no_text");
    }
    return new Message.Draft(cut(text), blocks.orElseGet(JsonArray::new), metadata, List.of());
  }

  static void checkMetadata(JsonObject metadata) {
    if (!metadata.isEmpty() && !(metadata.getValue("event_type") instanceof String)) {
      throw new Refusal("invalid_metadata_schema", "[ERROR] missing required field: event_type");
    }
    if (!metadata.isEmpty() && !(metadata.getValue("event_payload") instanceof JsonObject)) {
      throw new Refusal("invalid_metadata_schema", "[ERROR] missing required field: event_payload");
    }
  }

  private static String cut(String text) {
    return text.length() <= TEXT_CHARACTERS_KEPT ? text : text.substring(0, TEXT_CHARACTERS_KEPT);
  }
}
