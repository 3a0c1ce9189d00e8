package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// `chat.startStream`, `chat.appendStream` and `chat.stopStream`: a message that people see being written.
final class StreamMethods {

  private static final int MARKDOWN_CHARACTERS_MAX = 12_000;
  private static final Set<String> DISPLAY_MODES = Set.of("timeline", "plan");

  private final Workspace workspace;
  private final Places places;
  private final Wire wire;
  private final Events events;
  private final AgentState agent;
  private final Duration life;

  /// @param life how long a stream can be appended to, at most
  StreamMethods(
      Workspace workspace,
      Places places,
      Wire wire,
      Events events,
      AgentState agent,
      Duration life) {
    this.workspace = workspace;
    this.places = places;
    this.wire = wire;
    this.events = events;
    this.agent = agent;
    this.life = life;
  }

  Map<String, Method> methods() {
    return Map.of(
        "chat.startStream", this::start,
        "chat.appendStream", this::append,
        "chat.stopStream", this::stop);
  }

  private JsonObject start(Call call) {
    var channel = places.writable(call, "channel");
    var thread = places.thread(call);
    checkRecipients(call, channel);
    if (channel.direct() && thread.isEmpty()) {
      throw new Refusal("invalid_arguments", "[ERROR] missing required field: thread_ts");
    }
    // A message that is only begun cannot be marked.
    if (call.text("metadata").isPresent()) {
      throw new Refusal("invalid_arguments", "[ERROR] no such field: metadata");
    }
    var mode = call.text("task_display_mode").orElse("timeline");
    if (!DISPLAY_MODES.contains(mode)) {
      throw new Refusal(
          "invalid_arguments", "[ERROR] task_display_mode must be one of: " + DISPLAY_MODES);
    }
    var chunks = chunks(call);
    var stream = new Stream(workspace.now(), life, chunks.isPresent(), mode.equals("plan"));
    stream.append(markdown(call), chunks);
    var draft = Message.Draft.of(stream.markdown(), stream.blocks());
    var message =
        workspace.changes.change(
            () -> {
              var begun = workspace.post(channel, thread, Workspace.APP_USER, draft);
              begun.stream = Optional.of(stream);
              return begun;
            });
    agent.posted(message);
    events.posted(message, DeliveryOptions.usual());
    return new JsonObject().put("channel", channel.id()).put("ts", message.ts);
  }

  private static void checkRecipients(Call call, Channel channel) {
    var user = call.text("recipient_user_id");
    var team = call.text("recipient_team_id");
    if (channel.direct()) {
      if (user.isPresent() || team.isPresent()) {
        throw new Refusal("invalid_arguments", "[ERROR] recipients are for channels");
      }
      return;
    }
    if (user.isEmpty()) {
      throw new Refusal("missing_recipient_user_id");
    }
    if (team.isEmpty()) {
      throw new Refusal("missing_recipient_team_id");
    }
    if (!channel.members().contains(user.get()) || !team.get().startsWith("T")) {
      throw new Refusal("user_not_found");
    }
  }

  private JsonObject append(Call call) {
    var message = streaming(call);
    var markdown = markdown(call);
    var chunks = chunks(call);
    if (markdown.isEmpty() && chunks.isEmpty()) {
      throw new Refusal("no_text");
    }
    return workspace.changes.change(
        () -> {
          open(message).append(markdown, chunks);
          show(message);
          return new JsonObject().put("channel", message.channel.id()).put("ts", message.ts);
        });
  }

  private JsonObject stop(Call call) {
    var message = streaming(call);
    var markdown = markdown(call);
    var chunks = chunks(call);
    var blocks = call.array("blocks", "invalid_blocks_format");
    blocks.ifPresent(BlockRules::check);
    var metadata = call.object("metadata", "invalid_metadata_format");
    metadata.ifPresent(ChatMethods::checkMetadata);
    var status = call.text("session_status").orElse("active");
    AgentMethods.checkStatus(status);
    return workspace.changes.change(
        () -> {
          var stream = open(message);
          stream.append(markdown, chunks);
          stream.end(Stream.End.STOPPED);
          show(message);
          message.blocks.addAll(blocks.orElseGet(JsonArray::new));
          message.metadata = metadata.filter(it -> !it.isEmpty());
          if (agent.session(message.channel, message.rootTs()).isPresent()) {
            agent.setSession(message.channel, message.rootTs(), status);
          }
          return new JsonObject()
              .put("channel", message.channel.id())
              .put("ts", message.ts)
              .put("message", wire.message(message));
        });
  }

  private Message streaming(Call call) {
    var channel = places.writable(call, "channel");
    var message = places.message(channel, call.required("ts"), "message_not_found");
    if (!message.author.bot()) {
      throw new Refusal("message_not_owned_by_app");
    }
    return message;
  }

  private Stream open(Message message) {
    var stream = message.stream.orElseThrow(() -> new Refusal("message_not_in_streaming_state"));
    stream
        .end(workspace.now())
        .ifPresent(
            how -> {
              throw new Refusal(
                  how == Stream.End.BY_USER ? "stopped_by_user" : "message_not_in_streaming_state");
            });
    return stream;
  }

  private static void show(Message message) {
    var stream = message.stream.orElseThrow();
    message.text = stream.markdown();
    message.blocks = stream.blocks();
  }

  private static Optional<String> markdown(Call call) {
    var markdown = call.text("markdown_text");
    if (markdown.isPresent() && call.text("chunks").isPresent()) {
      throw new Refusal("cannot_provide_both_markdown_text_and_chunks");
    }
    if (markdown.filter(text -> text.length() > MARKDOWN_CHARACTERS_MAX).isPresent()) {
      throw new Refusal("msg_too_long");
    }
    return markdown;
  }

  private static Optional<JsonArray> chunks(Call call) {
    return call.array("chunks", "invalid_chunks");
  }
}
