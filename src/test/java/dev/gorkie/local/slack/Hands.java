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

  /// Clicks a button, and waits until the app has taken note of it or failed to.
  Delivery click(String channelName, String ts, String user, String actionId)
      throws InterruptedException {
    var channel = channel(channelName);
    var message = message(channel, ts);
    var button =
        workspace.changes.read(
            () ->
                Rendering.find(message.blocks, "button").stream()
                    .filter(one -> actionId.equals(one.json().getString("action_id")))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "No button " + actionId + " in " + message.blocks)));
    return deliveries.interact(payload(message, person(user), button));
  }

  private JsonObject payload(Message message, Person by, Rendering.Placed button) {
    var container =
        new JsonObject()
            .put("type", "message")
            .put("message_ts", message.ts)
            .put("channel_id", message.channel.id())
            .put("is_ephemeral", message.onlyFor.isPresent());
    message.threadTs.ifPresent(ts -> container.put("thread_ts", ts));
    var action =
        new JsonObject()
            .put("type", "button")
            .put("action_id", button.json().getString("action_id"))
            .put("block_id", button.blockId())
            .put("text", button.json().getJsonObject("text"))
            .put("action_ts", workspace.nextTs());
    for (var optional : new String[] {"value", "style"}) {
      if (button.json().containsKey(optional)) {
        action.put(optional, button.json().getString(optional));
      }
    }
    return new JsonObject()
        .put("type", "block_actions")
        .put("user", user(by))
        .put("api_app_id", Workspace.APP)
        .put("token", "local")
        .put("container", container)
        .put("trigger_id", triggerId())
        .put("team", new JsonObject().put("id", workspace.team()).put("domain", "local"))
        .putNull("enterprise")
        .put("is_enterprise_install", false)
        .put(
            "channel",
            new JsonObject()
                .put("id", message.channel.id())
                .put("name", shownName(message.channel)))
        .put("message", workspace.changes.read(() -> wire.message(message)))
        .put("state", new JsonObject().put("values", new JsonObject()))
        .put("response_url", responseUrls.about(message, by))
        .put("actions", new JsonArray().add(action));
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
            .put("team", new JsonObject().put("id", workspace.team()).put("domain", "local"))
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

  Delivery submitHome(String user, String actionId, String field, String value)
      throws InterruptedException {
    var action =
        new JsonObject()
            .put("type", "button")
            .put("action_id", actionId)
            .put("action_ts", workspace.nextTs());
    var typed = new JsonObject().put("type", "plain_text_input").put("value", value);
    var values = new JsonObject().put(field, new JsonObject().put(field, typed));
    return deliveries.interact(
        new JsonObject()
            .put("type", "block_actions")
            .put("user", user(person(user)))
            .put("api_app_id", Workspace.APP)
            .put("container", new JsonObject().put("type", "view"))
            .put("trigger_id", triggerId())
            .put("team", new JsonObject().put("id", workspace.team()).put("domain", "local"))
            .put(
                "view",
                new JsonObject()
                    .put("type", "home")
                    .put("state", new JsonObject().put("values", values)))
            .put("actions", new JsonArray().add(action)));
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
