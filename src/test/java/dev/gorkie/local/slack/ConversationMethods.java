package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// `conversations.*`: what the app reads back, a page at a time.
final class ConversationMethods {
  static final int PAGE_MAX = 200;
  private final Workspace workspace;
  private final Places places;
  private final Wire wire;
  private final AgentState agent;
  private final AtomicInteger pageMax = new AtomicInteger(PAGE_MAX);

  ConversationMethods(Workspace workspace, Places places, Wire wire, AgentState agent) {
    this.workspace = workspace;
    this.places = places;
    this.wire = wire;
    this.agent = agent;
  }

  /// How many messages a page holds at most, whatever the call asks for.
  void pageMax(int messages) {
    pageMax.set(messages);
  }

  Map<String, Method> methods() {
    return Map.of(
        "conversations.leave", this::leave,
        "conversations.replies", this::replies,
        "conversations.history", this::history,
        "conversations.info", this::info,
        "conversations.members", this::members,
        "users.conversations", this::ours,
        "conversations.open", this::open);
  }

  private JsonObject members(Call call) {
    var all = places.channel(call, "channel").members().stream().sorted().toList();
    var from = call.number("cursor", 0);
    var to = Math.min(from + Math.min(call.number("limit", 100), pageMax.get()), all.size());
    return new JsonObject()
        .put("members", new JsonArray(all.subList(Math.min(from, to), to)))
        .put(
            "response_metadata",
            new JsonObject().put("next_cursor", to < all.size() ? Integer.toString(to) : ""));
  }

  private JsonObject replies(Call call) {
    var channel = readable(call);
    var root = places.message(channel, call.required("ts"), "thread_not_found");
    var all = new ArrayList<Message>();
    all.add(root);
    workspace.replies(root).stream().filter(reply -> inside(call, reply)).forEach(all::add);
    return page(call, all);
  }

  private JsonObject history(Call call) {
    var channel = readable(call);
    var newestFirst =
        workspace.messages(channel).stream()
            .filter(
                message -> !message.isReply() && message.onlyFor.isEmpty() && inside(call, message))
            .sorted(Comparator.comparing((Message message) -> message.ts).reversed())
            .toList();
    return page(call, newestFirst);
  }

  private Channel readable(Call call) {
    var channel = places.channel(call, "channel");
    if (!channel.members().contains(Workspace.APP_USER.id())) {
      throw new Refusal("not_in_channel");
    }
    return channel;
  }

  private static boolean inside(Call call, Message message) {
    var inclusive = call.flag("inclusive") ? 0 : 1;
    return call.text("oldest").filter(ts -> message.ts.compareTo(ts) < inclusive).isEmpty()
        && call.text("latest").filter(ts -> message.ts.compareTo(ts) > -inclusive).isEmpty();
  }

  private JsonObject page(Call call, List<Message> all) {
    var limit = Math.min(call.number("limit", pageMax.get()), pageMax.get());
    if (limit < 1) {
      throw new Refusal("invalid_limit");
    }
    var from = call.text("cursor").map(cursor -> position(cursor, all)).orElse(0);
    var to = Math.min(from + limit, all.size());
    var more = to < all.size();
    var withMetadata = call.flag("include_all_metadata");
    var messages =
        workspace.changes.read(
            () ->
                new JsonArray(
                    all.subList(from, to).stream().map(it -> json(it, withMetadata)).toList()));
    var next = more ? cursor(all.get(to)) : "";
    return new JsonObject()
        .put("messages", messages)
        .put("has_more", more)
        .put("pin_count", 0)
        .put("response_metadata", new JsonObject().put("next_cursor", next));
  }

  // A cursor names the next message, so that what is written meanwhile moves nothing.
  private static String cursor(Message next) {
    return Base64.getEncoder()
        .encodeToString(("next_ts:" + next.ts).getBytes(StandardCharsets.UTF_8));
  }

  private static int position(String cursor, List<Message> all) {
    try {
      var ts =
          new String(Base64.getDecoder().decode(cursor), StandardCharsets.UTF_8)
              .replace("next_ts:", "");
      for (var i = 0; i < all.size(); i++) {
        if (all.get(i).ts.equals(ts)) {
          return i;
        }
      }
    } catch (IllegalArgumentException _) {
      // Not one of ours: refused like one whose message is gone.
    }
    throw new Refusal("invalid_cursor");
  }

  private JsonObject json(Message message, boolean withMetadata) {
    var json = wire.message(message);
    if (withMetadata) {
      message.metadata.ifPresent(metadata -> json.put("metadata", metadata.copy()));
    }
    agent
        .session(message.channel, message.ts)
        .ifPresent(
            status -> {
              var session = new JsonObject().put("status", status);
              agent
                  .title(message.channel, message.ts)
                  .ifPresent(title -> session.put("title", title));
              json.put("agent_session", session);
            });
    return json;
  }

  private JsonObject leave(Call call) {
    var channel = places.channel(call, "channel");
    if (channel.direct()) {
      throw new Refusal("method_not_supported_for_channel_type");
    }
    if (channel.name().equals("general")) {
      throw new Refusal("cant_leave_general");
    }
    if (!channel.members().contains(Workspace.APP_USER.id())) {
      return new JsonObject().put("not_in_channel", true);
    }
    workspace.leave(channel, Workspace.APP_USER);
    return new JsonObject();
  }

  private JsonObject info(Call call) {
    return new JsonObject().put("channel", wire.channel(places.channel(call, "channel")));
  }

  /// The places in which the app is.
  private JsonObject ours(Call call) {
    var kinds = List.of(call.text("types").orElse("public_channel").split(","));
    var found =
        workspace.channels().stream()
            .filter(one -> one.members().contains(Workspace.APP_USER.id()))
            .filter(one -> kinds.contains(kind(one)))
            .map(wire::channel)
            .toList();
    return new JsonObject()
        .put("channels", new JsonArray(found))
        .put("response_metadata", new JsonObject().put("next_cursor", ""));
  }

  private static String kind(Channel channel) {
    return switch (channel.kind()) {
      case PUBLIC -> "public_channel";
      case PRIVATE -> "private_channel";
      case DIRECT -> "im";
      case GROUP_DIRECT -> "mpim";
    };
  }

  private JsonObject open(Call call) {
    if (call.text("channel").isPresent()) {
      return new JsonObject().put("channel", opened(places.channel(call, "channel"), call));
    }
    var users = call.required("users").split(",");
    if (users.length > 1) {
      throw new Refusal("method_not_supported_for_channel_type");
    }
    var channel =
        Optional.of(users[0])
            .flatMap(workspace::person)
            .filter(one -> !one.bot() && one.id().equals(users[0]))
            .map(workspace::direct)
            .orElseThrow(() -> new Refusal("user_not_found"));
    return new JsonObject().put("channel", opened(channel, call));
  }

  private JsonObject opened(Channel channel, Call call) {
    return call.flag("return_im")
        ? wire.channel(channel)
        : new JsonObject().put("id", channel.id());
  }
}
