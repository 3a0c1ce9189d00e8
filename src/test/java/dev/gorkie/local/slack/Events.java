package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tells the app what happened where it can hear it: in the channels it is a member of, and in direct messages.
final class Events {
  private final Workspace workspace;
  private final Wire wire;
  private final Deliveries deliveries;
  private final Views views;

  Events(Workspace workspace, Wire wire, Deliveries deliveries, Views views) {
    this.workspace = workspace;
    this.views = views;
    this.wire = wire;
    this.deliveries = deliveries;
  }

  /// A message appeared. A mention in a channel is delivered twice: as the mention, without files, and as the message.
  void posted(Message message, DeliveryOptions options) {
    var envelopes =
        workspace.changes.read(
            () -> {
              var both = new ArrayList<Envelope>();
              var json = wire.message(message);
              if (!message.channel.direct() && !message.author.bot() && mentionsApp(message)) {
                both.add(mention(message, json.copy()));
              }
              if (message.channel.direct()) {
                views.before(message.author).ifPresent(it -> json.put("app_context", it));
              }
              both.add(placed(message.channel, json, message.ts));
              return both;
            });
    send(message.channel, envelopes, options);
  }

  private static boolean mentionsApp(Message message) {
    return message.text.contains("<@" + Workspace.APP_USER.id() + ">");
  }

  private Envelope mention(Message message, JsonObject json) {
    for (var absent : List.of("files", "subtype", "upload", "parent_user_id")) {
      json.remove(absent);
    }
    json.put("type", "app_mention")
        .put("channel", message.channel.id())
        .put("event_ts", message.ts);
    return envelope(json, workspace.isShared(message.channel));
  }

  /// @param before the message as it stood
  void edited(Message message, JsonObject before, DeliveryOptions options) {
    var event =
        workspace.changes.read(
            () ->
                new JsonObject()
                    .put("type", "message")
                    .put("subtype", "message_changed")
                    .put("hidden", true)
                    .put("message", wire.message(message))
                    .put("previous_message", before));
    var ts = workspace.nextTs();
    send(message.channel, List.of(placed(message.channel, event.put("ts", ts), ts)), options);
  }

  /// A message is gone; one that left a tombstone was changed into it.
  void removed(Message message, JsonObject before, DeliveryOptions options) {
    if (message.tombstone) {
      edited(message, before, options);
      return;
    }
    var ts = workspace.nextTs();
    var event =
        new JsonObject()
            .put("type", "message")
            .put("subtype", "message_deleted")
            .put("hidden", true)
            .put("ts", ts)
            .put("deleted_ts", message.ts)
            .put("previous_message", before);
    send(message.channel, List.of(placed(message.channel, event, ts)), options);
  }

  void reacted(Message message, Person by, String name, boolean added) {
    var event =
        new JsonObject()
            .put("type", added ? "reaction_added" : "reaction_removed")
            .put("user", by.id())
            .put("reaction", name)
            .put("item_user", message.author.id())
            .put(
                "item",
                new JsonObject()
                    .put("type", "message")
                    .put("channel", message.channel.id())
                    .put("ts", message.ts))
            .put("event_ts", workspace.nextTs());
    send(message.channel, List.of(envelope(event)), DeliveryOptions.usual());
  }

  /// Somebody pressed the native Stop of an agent session.
  ///
  /// @param streams the messages that were being written
  void sessionStopped(Channel channel, String threadTs, Person by, List<String> streams) {
    var event =
        new JsonObject()
            .put("type", "agent_session_stopped")
            .put("channel", channel.id())
            .put("user", by.id())
            .put("thread_ts", threadTs)
            .put("streaming_message_ts", new JsonArray(streams))
            .put("event_ts", workspace.nextTs());
    send(channel, List.of(envelope(event)), DeliveryOptions.usual());
  }

  /// Somebody came into the conversation with the app.
  void messagesOpened(Person by) {
    var event =
        new JsonObject()
            .put("type", "app_home_opened")
            .put("user", by.id())
            .put("channel", workspace.direct(by).id())
            .put("tab", "messages")
            .put("event_ts", workspace.nextTs());
    views.before(by).ifPresent(context -> event.put("context", context));
    deliveries.send(List.of(envelope(event)), DeliveryOptions.usual());
  }

  /// Somebody who has the app open beside it turned to something else.
  void looked(Person by) {
    var event =
        new JsonObject()
            .put("type", "app_context_changed")
            .put("user", by.id())
            .put("channel", workspace.direct(by).id())
            .put("context", views.before(by).orElseGet(JsonObject::new))
            .put("event_ts", workspace.nextTs());
    deliveries.send(List.of(envelope(event)), DeliveryOptions.usual());
  }

  void homeOpened(Person by) {
    var event =
        new JsonObject()
            .put("type", "app_home_opened")
            .put("user", by.id())
            .put("channel", workspace.direct(by).id())
            .put("tab", "home")
            .put("event_ts", workspace.nextTs());
    deliveries.send(List.of(envelope(event)), DeliveryOptions.usual());
  }

  /// Any other event, as its sender describes it.
  void raw(JsonObject event, DeliveryOptions options) {
    deliveries.send(List.of(envelope(event)), options);
  }

  private void send(Channel channel, List<Envelope> envelopes, DeliveryOptions options) {
    var hears =
        workspace
            .channel(channel.id())
            .filter(now -> now.members().contains(Workspace.APP_USER.id()))
            .isPresent();
    if (hears) {
      deliveries.send(envelopes, options);
    }
  }

  private Envelope placed(Channel channel, JsonObject event, String eventTs) {
    return envelope(
        event
            .put("channel", channel.id())
            .put("event_ts", eventTs)
            .put("channel_type", channel.kind().wire()),
        workspace.isShared(channel));
  }

  private Envelope envelope(JsonObject event) {
    return envelope(event, false);
  }

  /// @param isShared whether it is about a channel with other companies in it
  private Envelope envelope(JsonObject event, boolean isShared) {
    var id = workspace.ids.fresh("Ev");
    var body =
        new JsonObject()
            .put("token", "local")
            .put("team_id", workspace.team())
            .put("context_team_id", workspace.team())
            .putNull("context_enterprise_id")
            .put("api_app_id", Workspace.APP)
            .put("event", event)
            .put("type", "event_callback")
            .put("event_id", id)
            .put("event_time", Instant.now().getEpochSecond())
            .put("authorizations", new JsonArray().add(authorization()))
            .put("is_ext_shared_channel", isShared)
            .put("event_context", "4-" + workspace.ids.secret());
    return new Envelope(Optional.ofNullable(event.getString("type")).orElse(""), id, body);
  }

  private JsonObject authorization() {
    return new JsonObject()
        .putNull("enterprise_id")
        .put("team_id", workspace.team())
        .put("user_id", Workspace.APP_USER.id())
        .put("is_bot", true)
        .put("is_enterprise_install", false);
  }
}
