package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// `files.*`: what the app uploads, and what it asks about files.
final class FileMethods {
  private static final long FILE_BYTES_MAX = 1L << 30;
  private final Workspace workspace;
  private final FileShelf shelf;
  private final Places places;
  private final Wire wire;
  private final Events events;
  private final AgentState agent;
  private final URI base;
  private final ExecutorService work;
  private final Duration appears;

  FileMethods(
      Workspace workspace,
      FileShelf shelf,
      Places places,
      Wire wire,
      Events events,
      AgentState agent,
      URI base,
      ExecutorService work,
      Duration appears) {
    this.workspace = workspace;
    this.shelf = shelf;
    this.places = places;
    this.wire = wire;
    this.events = events;
    this.agent = agent;
    this.base = base;
    this.work = work;
    this.appears = appears;
  }

  Map<String, Method> methods() {
    return Map.of(
        "files.getUploadURLExternal", this::reserve,
        "files.completeUploadExternal", this::complete,
        "files.info", this::info,
        "files.delete", this::delete);
  }

  private JsonObject reserve(Call call) {
    var length = length(call.required("length"));
    var file = shelf.reserve(call.required("filename"), length, Workspace.APP_USER);
    return new JsonObject()
        .put("upload_url", base.resolve("upload/v1/" + file.secret).toString())
        .put("file_id", file.id);
  }

  private static long length(String text) {
    if (!text.matches("\\d{1,18}") || Long.parseLong(text) == 0) {
      throw new Refusal("invalid_arguments", "[ERROR] length must be a positive number");
    }
    if (Long.parseLong(text) > FILE_BYTES_MAX) {
      throw new Refusal("file_upload_size_restricted");
    }
    return Long.parseLong(text);
  }

  private JsonObject complete(Call call) {
    var named = call.array("files", "invalid_arguments").orElseGet(JsonArray::new);
    if (named.isEmpty()) {
      throw new Refusal("invalid_arguments", "[ERROR] missing required field: files");
    }
    var comment = call.form().getOrDefault("initial_comment", "");
    var blocks = call.array("blocks", "invalid_blocks_format");
    blocks.ifPresent(BlockRules::check);
    if (!comment.isEmpty() && blocks.isPresent()) {
      throw new Refusal(
          "invalid_arguments", "[ERROR] initial_comment and blocks are mutually exclusive");
    }
    var channel = call.text("channel_id").map(_ -> places.writable(call, "channel_id"));
    var thread = places.thread(call);
    var files = uploaded(named);
    workspace.changes.change(() -> files.forEach(file -> file.completed = true));
    var draft =
        new Message.Draft(comment, blocks.orElseGet(JsonArray::new), Optional.empty(), files);
    channel.ifPresent(place -> appear(place, thread, draft));
    return workspace.changes.read(
        () ->
            new JsonObject()
                .put("files", new JsonArray(files.stream().map(wire::wholeFile).toList())));
  }

  private List<StoredFile> uploaded(JsonArray named) {
    var files = new ArrayList<StoredFile>();
    for (var i = 0; i < named.size(); i++) {
      var id = named.getJsonObject(i).getString("id", "");
      var title = named.getJsonObject(i).getString("title", "");
      var file =
          shelf
              .find(id)
              .filter(one -> one.received && !one.completed)
              .orElseThrow(() -> new Refusal("file_not_found", "[ERROR] file not found: " + id));
      if (!title.isEmpty()) {
        workspace.changes.change(() -> file.title = title);
      }
      files.add(file);
    }
    return files;
  }

  // Slack looks at what was uploaded before it shows it, so the message comes after the call's
  // answer.
  private void appear(Channel channel, Optional<String> thread, Message.Draft draft) {
    work.execute(
        () -> {
          try {
            Thread.sleep(appears);
          } catch (InterruptedException _) {
            return; // the workspace is closing
          }
          var message = workspace.post(channel, thread, Workspace.APP_USER, draft);
          agent.posted(message);
          events.posted(message, DeliveryOptions.usual());
        });
  }

  private JsonObject info(Call call) {
    var file = find(call);
    return workspace.changes.read(
        () ->
            new JsonObject()
                .put("file", wire.wholeFile(file))
                .put("comments", new JsonArray())
                .put("response_metadata", new JsonObject().put("next_cursor", "")));
  }

  private JsonObject delete(Call call) {
    var file = find(call);
    if (!file.owner.bot()) {
      throw new Refusal("cant_delete_file");
    }
    workspace.changes.change(
        () ->
            file.shares.forEach(
                share ->
                    workspace
                        .message(share.channel(), share.ts())
                        .ifPresent(it -> it.files.remove(file))));
    shelf.remove(file);
    return new JsonObject();
  }

  private StoredFile find(Call call) {
    return shelf
        .find(call.required("file"))
        .filter(file -> file.completed)
        .orElseThrow(() -> new Refusal("file_not_found"));
  }
}
