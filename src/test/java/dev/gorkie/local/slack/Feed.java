package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// What one page is told: all there is at first, then whatever differs from what it was told before.
///
/// Differences are found by looking, not by being told, so nothing that changes a message has to think of a page.
final class Feed implements EventStream.Source {

  // Some things end by time alone: a status that nobody renewed.
  private static final Duration LOOK_AT_LEAST = Duration.ofSeconds(1);

  private final Workspace workspace;
  private final AgentState agent;
  private final ViewMethods views;
  private final JsonObject offers = Manifest.here().offers();
  // By channel and timestamp, what was told of it.
  private final Map<Place, Integer> messages = new HashMap<>();
  private final Map<Place, JsonObject> threads = new HashMap<>();
  private final Map<String, JsonObject> homes = new HashMap<>();
  private int around;
  private long seen;
  private boolean begun;

  private record Place(String channel, String ts) {
    JsonObject json() {
      return new JsonObject().put("channel", channel).put("ts", ts);
    }
  }

  Feed(Workspace workspace, AgentState agent, ViewMethods views) {
    this.workspace = workspace;
    this.agent = agent;
    this.views = views;
  }

  @Override
  public Optional<JsonObject> next(Duration atMost) throws InterruptedException {
    var end = System.nanoTime() + atMost.toNanos();
    while (true) {
      // Before looking: what changes meanwhile is looked at again.
      var now = workspace.changes.count();
      var news = workspace.changes.read(this::news);
      seen = now;
      if (!news.isEmpty()) {
        return Optional.of(news);
      }
      if (System.nanoTime() > end) {
        return Optional.empty();
      }
      workspace.changes.awaitAfter(seen, LOOK_AT_LEAST);
    }
  }

  private JsonObject news() {
    var news = new JsonObject();
    if (!begun) {
      begun = true;
      news.put("all", true).put("name", workspace.name()).put("offers", offers);
    }
    addAround(news);
    addMessages(news);
    addThreads(news);
    addHomes(news);
    return news;
  }

  /// Who and where.
  private void addAround(JsonObject news) {
    var people = workspace.people();
    var channels = workspace.channels();
    var hash = Objects.hash(people, channels);
    if (hash == around) {
      return;
    }
    around = hash;
    news.put("people", new JsonArray(people.stream().map(Feed::person).toList()))
        .put("channels", new JsonArray(channels.stream().map(Feed::channel).toList()));
  }

  private static JsonObject person(Person person) {
    return new JsonObject()
        .put("id", person.id())
        .put("name", person.name())
        .put("real_name", person.realName())
        .put("bot", person.bot());
  }

  private static JsonObject channel(Channel channel) {
    return new JsonObject()
        .put("id", channel.id())
        .put("name", channel.name())
        .put("direct", channel.direct())
        .put("private", channel.kind() != Channel.Kind.PUBLIC)
        .put("members", new JsonArray(channel.members().stream().sorted().toList()));
  }

  private void addMessages(JsonObject news) {
    var changed = new JsonArray();
    var there = new HashSet<Place>();
    for (var channel : workspace.channels()) {
      for (var message : workspace.messages(channel)) {
        var place = new Place(channel.id(), message.ts);
        there.add(place);
        var hash = hash(message);
        if (!Objects.equals(messages.put(place, hash), hash)) {
          changed.add(message(message));
        }
      }
    }
    var gone = messages.keySet().stream().filter(place -> !there.contains(place)).toList();
    gone.forEach(messages::remove);
    if (!changed.isEmpty()) {
      news.put("messages", changed);
    }
    if (!gone.isEmpty()) {
      news.put("gone", new JsonArray(gone.stream().map(Place::json).toList()));
    }
  }

  private int hash(Message message) {
    return Objects.hash(
        message.text,
        message.blocks,
        message.reactions,
        message.tombstone,
        message.markedEdited,
        message.edits,
        workspace.isStreaming(message),
        message.files.stream().map(file -> file.id + file.title).toList());
  }

  private JsonObject message(Message message) {
    var reactions = new JsonArray();
    message.reactions.forEach(
        (name, who) ->
            reactions.add(
                new JsonObject().put("name", name).put("users", new JsonArray(List.copyOf(who)))));
    var json =
        new JsonObject()
            .put("channel", message.channel.id())
            .put("ts", message.ts)
            .put("thread", message.rootTs())
            .put("user", message.author.id())
            .put("text", message.text)
            .put("blocks", message.blocks.copy())
            .put("files", new JsonArray(message.files.stream().map(Feed::file).toList()))
            .put("reactions", reactions)
            .put("streaming", workspace.isStreaming(message))
            .put("edited", message.markedEdited)
            .put("tombstone", message.tombstone);
    message.onlyFor.ifPresent(reader -> json.put("only_for", reader.id()));
    return json;
  }

  private static JsonObject file(StoredFile file) {
    return new JsonObject()
        .put("id", file.id)
        .put("name", file.name)
        .put("title", file.title)
        .put("mimetype", Wire.mimeType(file.name))
        .put("size", file.length);
  }

  private void addThreads(JsonObject news) {
    var changed = new ArrayList<JsonObject>();
    for (var channel : workspace.channels()) {
      for (var ts : agent.places(channel)) {
        var place = new Place(channel.id(), ts);
        var now = thread(channel, place);
        if (!now.equals(threads.put(place, now))) {
          changed.add(now);
        }
      }
    }
    if (!changed.isEmpty()) {
      news.put("threads", new JsonArray(changed));
    }
  }

  private JsonObject thread(Channel channel, Place place) {
    var json = place.json();
    agent
        .status(channel, place.ts())
        .ifPresent(
            status ->
                json.put("status", status.status())
                    .put("loading", new JsonArray(status.loadingMessages())));
    agent.session(channel, place.ts()).ifPresent(state -> json.put("session", state));
    agent.title(channel, place.ts()).ifPresent(title -> json.put("title", title));
    json.put(
        "prompts",
        new JsonArray(
            agent.prompts(channel, place.ts()).stream()
                .map(
                    one -> new JsonObject().put("title", one.title()).put("message", one.message()))
                .toList()));
    return json;
  }

  /// What the app shows of itself to each person alone.
  private void addHomes(JsonObject news) {
    var changed = new JsonArray();
    views
        .homes()
        .forEach(
            (user, view) -> {
              if (!view.equals(homes.put(user, view))) {
                changed.add(
                    new JsonObject()
                        .put("user", user)
                        .put("blocks", view.getJsonArray("blocks").copy()));
              }
            });
    if (!changed.isEmpty()) {
      news.put("homes", changed);
    }
  }
}
