package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `assistant.threads.*` and `agents.sessions.*`: what the app shows of itself beside its messages.
final class AgentMethods {
  private static final Set<String> SESSION_STATES =
      Set.of("active", "processing", "suspended", "closed");
  private static final int TITLE_CHARACTERS_MAX = 200;
  private static final int LOADING_MESSAGES_MAX = 10;
  private static final int LOADING_MESSAGE_CHARACTERS_MAX = 50;
  private static final int PROMPTS_MAX = 4;
  private final Places places;
  private final AgentState agent;

  AgentMethods(Places places, AgentState agent) {
    this.places = places;
    this.agent = agent;
  }

  Map<String, Method> methods() {
    return Map.of(
        "assistant.threads.setStatus", this::setStatus,
        "assistant.threads.setTitle", this::setTitle,
        "assistant.threads.setSuggestedPrompts", this::setPrompts,
        "agents.sessions.setStatus", this::setSession,
        "agents.sessions.rename", this::rename);
  }

  private JsonObject setStatus(Call call) {
    var root = root(call);
    var loading =
        strings(call.array("loading_messages", "invalid_arguments").orElseGet(JsonArray::new));
    if (loading.size() > LOADING_MESSAGES_MAX
        || loading.stream().anyMatch(one -> one.length() > LOADING_MESSAGE_CHARACTERS_MAX)) {
      throw new Refusal(
          "invalid_arguments",
          "[ERROR] loading_messages: at most 10 of at most 50 characters each");
    }
    if (!call.form().containsKey("status")) {
      throw new Refusal("invalid_arguments", "[ERROR] missing required field: status");
    }
    agent.setStatus(root.channel, root.ts, call.form().getOrDefault("status", ""), loading);
    return new JsonObject();
  }

  private JsonObject setTitle(Call call) {
    var root = root(call);
    agent.setTitle(root.channel, root.ts, call.required("title"));
    return new JsonObject();
  }

  private JsonObject setPrompts(Call call) {
    var channel = places.channel(call, "channel_id");
    var given = call.array("prompts", "invalid_arguments").orElseGet(JsonArray::new);
    if (given.isEmpty() || given.size() > PROMPTS_MAX) {
      throw new Refusal("invalid_arguments", "[ERROR] prompts: between 1 and 4 items");
    }
    var prompts =
        given.stream()
            .map(JsonObject.class::cast)
            .map(one -> new Prompt(one.getString("title", ""), one.getString("message", "")))
            .toList();
    // With a thread's name an agent app's call says yes and does nothing.
    if (call.text("thread_ts").isEmpty()) {
      agent.setPrompts(channel, "", prompts);
    }
    return new JsonObject();
  }

  private JsonObject setSession(Call call) {
    var root = root(call);
    var status = call.required("status");
    checkStatus(status);
    var first = agent.session(root.channel, root.ts).isEmpty();
    if (call.text("title").isPresent()) {
      var title = title(call);
      if (first) {
        agent.setTitle(root.channel, root.ts, title);
      }
    }
    agent.setSession(root.channel, root.ts, status);
    return new JsonObject();
  }

  static void checkStatus(String status) {
    if (!SESSION_STATES.contains(status)) {
      throw new Refusal("invalid_arguments", "[ERROR] status must be one of: " + SESSION_STATES);
    }
  }

  private JsonObject rename(Call call) {
    var root = root(call);
    if (agent.session(root.channel, root.ts).isEmpty()) {
      throw new Refusal("not_authorized");
    }
    agent.setTitle(root.channel, root.ts, title(call));
    return new JsonObject();
  }

  private static String title(Call call) {
    var title = call.required("title");
    if (title.length() > TITLE_CHARACTERS_MAX) {
      throw new Refusal("invalid_arguments", "[ERROR] title must be less than 201 characters");
    }
    return title.replace(':', '_');
  }

  private Message root(Call call) {
    var channel = places.writable(call, "channel_id");
    return places.message(channel, call.required("thread_ts"), "thread_not_found");
  }

  private static List<String> strings(JsonArray array) {
    return array.stream().map(String::valueOf).toList();
  }
}
