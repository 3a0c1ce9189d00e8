package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The addresses at which the app may answer a click or a command without a token: five times within half an hour.
final class ResponseUrls {
  private static final int USES_MAX = 5;
  private static final Duration LIFE = Duration.ofMinutes(30);
  private final Workspace workspace;
  private final Wire wire;
  private final Events events;
  private final URI base;
  private final Clock clock;
  private final Map<String, Place> places = new HashMap<>();

  private record Place(
      Channel channel, Optional<Message> message, Person reader, Instant since, int uses) {
    Place used() {
      return new Place(channel, message, reader, since, uses + 1);
    }
  }

  ResponseUrls(Workspace workspace, Wire wire, Events events, URI base, Clock clock) {
    this.workspace = workspace;
    this.wire = wire;
    this.events = events;
    this.base = base;
    this.clock = clock;
  }

  String about(Message message, Person reader) {
    return give(new Place(message.channel, Optional.of(message), reader, clock.instant(), 0));
  }

  String in(Channel channel, Person reader) {
    return give(new Place(channel, Optional.empty(), reader, clock.instant(), 0));
  }

  private String give(Place place) {
    var secret = workspace.ids.secret();
    workspace.changes.change(() -> places.put(secret, place));
    return base + "actions/" + workspace.team() + "/" + secret;
  }

  Answer answer(String secret, JsonObject body) {
    var place = use(secret);
    if (place.isEmpty()) {
      return Answer.text(404, "expired_url");
    }
    try {
      carryOut(place.get(), body);
      return Answer.text(200, "ok");
    } catch (Refusal refusal) {
      return Answer.text(400, refusal.error());
    }
  }

  private Optional<Place> use(String secret) {
    return workspace.changes.change(
        () -> {
          var place =
              Optional.ofNullable(places.get(secret))
                  .filter(
                      one ->
                          one.uses() < USES_MAX
                              && clock.instant().isBefore(one.since().plus(LIFE)));
          place.ifPresent(one -> places.put(secret, one.used()));
          return place;
        });
  }

  private void carryOut(Place place, JsonObject body) {
    var original = place.message().filter(one -> one.onlyFor.isEmpty());
    if (body.getBoolean("delete_original", false)) {
      original.ifPresent(
          message -> {
            var before = workspace.changes.read(() -> wire.message(message));
            workspace.remove(message);
            events.removed(message, before, DeliveryOptions.usual());
          });
      return;
    }
    var blocks = body.getJsonArray("blocks", new JsonArray());
    BlockRules.check(blocks);
    var draft = Message.Draft.of(body.getString("text", ""), blocks);
    if (draft.text().isEmpty() && blocks.isEmpty()) {
      throw new Refusal("no_text");
    }
    if (body.getBoolean("replace_original", false) && original.isPresent()) {
      replace(original.get(), draft);
    } else if ("in_channel".equals(body.getString("response_type"))) {
      var thread = original.map(Message::rootTs);
      events.posted(
          workspace.post(place.channel(), thread, Workspace.APP_USER, draft),
          DeliveryOptions.usual());
    } else {
      workspace.postOnlyFor(
          place.channel(),
          original.map(Message::rootTs),
          place.reader(),
          Workspace.APP_USER,
          draft);
    }
  }

  private void replace(Message message, Message.Draft draft) {
    var before = workspace.changes.read(() -> wire.message(message));
    workspace.changes.change(
        () -> {
          message.text = draft.text();
          message.blocks = draft.blocks();
          message.editedTs = Optional.of(workspace.nextTs());
          message.edits++;
        });
    events.edited(message, before, DeliveryOptions.usual());
  }
}
