package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/// What people do in the workspace: write, change, take back, react, click.
final class Hands {
  private final Workspace workspace;
  private final FileShelf shelf;
  private final Wire wire;
  private final Events events;
  private final Deliveries deliveries;
  private final ResponseUrls responseUrls;
  private final Typing typing;
  private final URI base;

  Hands(
      Workspace workspace,
      FileShelf shelf,
      Wire wire,
      Events events,
      Deliveries deliveries,
      ResponseUrls responseUrls,
      URI base) {
    this.workspace = workspace;
    this.shelf = shelf;
    this.wire = wire;
    this.events = events;
    this.deliveries = deliveries;
    this.responseUrls = responseUrls;
    this.typing = new Typing(workspace);
    this.base = base;
  }

  String say(Utterance utterance) {
    var channel = channel(utterance.channel());
    var author = person(utterance.user());
    var files = new ArrayList<StoredFile>();
    for (var upload : utterance.files()) {
      files.add(take(upload, author));
    }
    utterance.threadTs().ifPresent(ts -> message(channel, ts));
    var text = typing.encode(utterance.text());
    var draft = new Message.Draft(text, typing.blocks(text), Optional.empty(), files);
    var message = workspace.post(channel, utterance.threadTs(), author, draft);
    events.posted(message, utterance.delivery());
    return message.ts;
  }

  private StoredFile take(Upload upload, Person author) {
    try {
      return shelf.take(upload, author);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void edit(String channelName, String ts, String text, DeliveryOptions options) {
    var message = message(channel(channelName), ts);
    var before = workspace.changes.read(() -> wire.message(message));
    workspace.changes.change(
        () -> {
          message.text = typing.encode(text);
          message.blocks = typing.blocks(message.text);
          message.editedTs = Optional.of(workspace.nextTs());
          message.markedEdited = true;
          message.edits++;
        });
    events.edited(message, before, options);
  }

  void delete(String channelName, String ts, DeliveryOptions options) {
    var message = message(channel(channelName), ts);
    var before = workspace.changes.read(() -> wire.message(message));
    workspace.remove(message);
    events.removed(message, before, options);
  }

  void react(String channelName, String ts, String user, String emoji, boolean adding) {
    var message = message(channel(channelName), ts);
    var by = person(user);
    var changed =
        workspace.changes.change(
            () -> adding ? message.react(emoji, by) : message.unreact(emoji, by));
    if (changed) {
      events.reacted(message, by, emoji, adding);
    }
  }

  /// Uses a button or a menu of a message, and waits until the app has taken note of it or failed to.
  ///
  /// @param given what stands in menus and fields, by action id, where it is not as it was shown
  Delivery use(
      String channelName, String ts, String user, String actionId, Map<String, String> given)
      throws InterruptedException {
    var message = message(channel(channelName), ts);
    var by = person(user);
    var elements =
        new Elements(workspace.changes.read(() -> message.blocks.copy()), Map.copyOf(given));
    var container =
        new JsonObject()
            .put("type", "message")
            .put("message_ts", message.ts)
            .put("channel_id", message.channel.id())
            .put("is_ephemeral", message.onlyFor.isPresent());
    message.threadTs.ifPresent(root -> container.put("thread_ts", root));
    return deliveries.interact(
        used(by, elements, actionId)
            .put("container", container)
            .put(
                "channel",
                new JsonObject()
                    .put("id", message.channel.id())
                    .put("name", shownName(message.channel)))
            .put("message", workspace.changes.read(() -> wire.message(message)))
            .put("state", elements.state())
            .put("response_url", responseUrls.about(message, by)));
  }

  /// The same with the app's page, as it was published for this person.
  Delivery useHome(JsonObject view, String user, String actionId, Map<String, String> given)
      throws InterruptedException {
    var elements = new Elements(view.getJsonArray("blocks"), Map.copyOf(given));
    return deliveries.interact(
        used(person(user), elements, actionId)
            .put(
                "container",
                new JsonObject().put("type", "view").put("view_id", view.getString("id")))
            .put("view", view.copy().put("state", elements.state())));
  }

  private JsonObject used(Person by, Elements elements, String actionId) {
    return new JsonObject()
        .put("type", "block_actions")
        .put("user", user(by))
        .put("api_app_id", Workspace.APP)
        .put("token", "local")
        .put("trigger_id", triggerId())
        .put("team", team())
        .putNull("enterprise")
        .put("is_enterprise_install", false)
        .put("actions", new JsonArray().add(elements.action(actionId, workspace.nextTs())));
  }

  private JsonObject team() {
    return new JsonObject().put("id", workspace.team()).put("domain", "local");
  }

  private static String shownName(Channel channel) {
    return channel.direct() ? "directmessage" : channel.name();
  }

  private JsonObject user(Person person) {
    return new JsonObject()
        .put("id", person.id())
        .put("username", person.name())
        .put("name", person.name())
        .put("team_id", workspace.team());
  }

  private String triggerId() {
    return System.nanoTime() + "." + workspace.ids.secret();
  }

  Delivery shortcut(String channelName, String ts, String user, String callbackId)
      throws InterruptedException {
    var message = message(channel(channelName), ts);
    var by = person(user);
    return deliveries.interact(
        new JsonObject()
            .put("type", "message_action")
            .put("callback_id", callbackId)
            .put("api_app_id", Workspace.APP)
            .put("trigger_id", triggerId())
            .put("action_ts", workspace.nextTs())
            .put("team", team())
            .put("user", user(by))
            .put(
                "channel",
                new JsonObject()
                    .put("id", message.channel.id())
                    .put("name", shownName(message.channel)))
            .put("message_ts", message.ts)
            .put("message", workspace.changes.read(() -> wire.message(message)))
            .put("response_url", responseUrls.about(message, by)));
  }

  Delivery command(String channelName, String user, String command, String text)
      throws InterruptedException {
    var channel = channel(channelName);
    var by = person(user);
    return deliveries.command(
        Map.ofEntries(
            Map.entry("token", "local"),
            Map.entry("team_id", workspace.team()),
            Map.entry("team_domain", "local"),
            Map.entry("channel_id", channel.id()),
            Map.entry("channel_name", shownName(channel)),
            Map.entry("user_id", by.id()),
            Map.entry("user_name", by.name()),
            Map.entry("command", command),
            Map.entry("text", text),
            Map.entry("api_app_id", Workspace.APP),
            Map.entry("is_enterprise_install", "false"),
            Map.entry("response_url", responseUrls.in(channel, by)),
            Map.entry("trigger_id", triggerId())));
  }

  void pressStop(String channelName, String threadTs, String user) {
    var channel = channel(channelName);
    var streams = workspace.endStreams(channel, threadTs, Stream.End.BY_USER);
    events.sessionStopped(channel, threadTs, person(user), streams);
  }

  /// The channel somebody means.
  Channel channel(String reference) {
    return workspace
        .channel(reference)
        .orElseThrow(
            () -> new IllegalArgumentException("There is no channel " + reference + " at " + base));
  }

  Person person(String reference) {
    return workspace
        .person(reference)
        .orElseThrow(() -> new IllegalArgumentException("Nobody is called " + reference));
  }

  private Message message(Channel channel, String ts) {
    return workspace
        .message(channel, ts)
        .orElseThrow(
            () -> new IllegalArgumentException("No message " + ts + " in " + channel.name()));
  }
}
