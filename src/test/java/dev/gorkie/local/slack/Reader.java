package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Reads threads as a person sees them, and waits until they show what is expected.
final class Reader {
  private final Workspace workspace;
  private final AgentState agent;
  private final Rendering rendering;

  Reader(Workspace workspace, AgentState agent, Rendering rendering) {
    this.workspace = workspace;
    this.agent = agent;
    this.rendering = rendering;
  }

  /// A thread that may not be there any more, or not yet: it is empty then.
  ThreadView thread(Channel channel, String rootTs) {
    return workspace.changes.read(
        () -> {
          var messages =
              workspace.messages(channel).stream()
                  .filter(message -> message.rootTs().equals(rootTs))
                  .map(this::view)
                  .toList();
          return new ThreadView(
              (channel.direct() ? "@" : "#") + channel.name(),
              rootTs,
              messages,
              agent.status(channel, rootTs).map(StatusChange::status),
              agent.session(channel, rootTs),
              agent.title(channel, rootTs),
              agent.prompts(channel, rootTs),
              agent.history(channel, rootTs));
        });
  }

  /// All threads of a channel; a message without replies is one too.
  List<ThreadView> threads(Channel channel) {
    return workspace.changes.read(
        () ->
            workspace.messages(channel).stream()
                .map(Message::rootTs)
                .distinct()
                .map(ts -> thread(channel, ts))
                .toList());
  }

  ThreadView await(Channel channel, String rootTs, Predicate<ThreadView> expected, Duration atMost)
      throws InterruptedException {
    return workspace
        .changes
        .await(() -> Optional.of(thread(channel, rootTs)).filter(expected), atMost)
        .orElseThrow(
            () ->
                new AssertionError(
                    "Not seen within "
                        + atMost
                        + "; the thread shows:\n"
                        + thread(channel, rootTs).plain()));
  }

  private MessageView view(Message message) {
    return new MessageView(
        message.ts,
        message.tombstone ? "slackbot" : message.author.name(),
        message.author.id().equals(Workspace.APP_USER.id()),
        message.onlyFor.map(Person::name),
        rendering.message(message),
        Rendering.find(message.blocks, "task_card").stream().map(one -> task(one.json())).toList(),
        Rendering.find(message.blocks, "button").stream().map(Reader::button).toList(),
        message.files.stream().map(Reader::file).toList(),
        reactions(message),
        workspace.isStreaming(message),
        message.markedEdited,
        message.edits,
        Stamps.instant(message.ts));
  }

  private MessageView.Task task(JsonObject json) {
    return new MessageView.Task(
        json.getString("task_id", ""),
        json.getString("title", ""),
        json.getString("status", "pending"),
        rendering.details(json, "details").orElse(""),
        rendering.details(json, "output").orElse(""));
  }

  private static MessageView.Button button(Rendering.Placed placed) {
    var json = placed.json();
    return new MessageView.Button(
        json.getString("action_id", ""),
        placed.blockId(),
        json.getJsonObject("text", new JsonObject()).getString("text", ""),
        json.getString("value", ""),
        json.getString("url", ""));
  }

  static FileView file(StoredFile file) {
    return new FileView(
        file.id, file.name, file.title, Wire.mimeType(file.name), file.length, file.content);
  }

  private Map<String, List<String>> reactions(Message message) {
    var names = new LinkedHashMap<String, List<String>>();
    message.reactions.forEach(
        (emoji, who) ->
            names.put(
                emoji,
                who.stream()
                    .map(id -> workspace.person(id).map(Person::name).orElse(id))
                    .toList()));
    return names;
  }
}
