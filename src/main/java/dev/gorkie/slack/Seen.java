package dev.gorkie.slack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One thing that a person has before them in Slack, by its id. What it says nobody tells us, and that a person may see it does not
/// mean that we may.
///
/// @param id the channel's, canvas's or list's; of a message its channel's
/// @param ts a message's own, else empty
public record Seen(Kind kind, String id, String ts) {

  static final int MOST = 5;

  private static final String TYPES = "slack#/types/";

  public enum Kind {
    CHANNEL,
    CANVAS,
    LIST,
    MESSAGE
  }

  /// The first few, the most relevant first, as Slack has them. What we do not know is left out.
  static List<Seen> read(JsonNode context) {
    var seen = new ArrayList<Seen>();
    for (var entity : context.path("entities")) {
      if (seen.size() == MOST) {
        break;
      }
      one(entity).ifPresent(seen::add);
    }
    return List.copyOf(seen);
  }

  private static Optional<Seen> one(JsonNode entity) {
    var value = entity.path("value");
    return switch (entity.path("type").asText()) {
      case TYPES + "channel_id" -> of(Kind.CHANNEL, value.asText(), "");
      case TYPES + "canvas_id" -> of(Kind.CANVAS, value.asText(), "");
      case TYPES + "list_id" -> of(Kind.LIST, value.asText(), "");
      case TYPES + "message_context" ->
          of(Kind.MESSAGE, value.path("channel_id").asText(), value.path("message_ts").asText());
      default -> Optional.empty();
    };
  }

  private static Optional<Seen> of(Kind kind, String id, String ts) {
    var isWhole =
        EventReader.ID.matcher(id).matches()
            && EventReader.TS.matcher(ts).matches() == (kind == Kind.MESSAGE);
    return isWhole ? Optional.of(new Seen(kind, id, ts)) : Optional.empty();
  }

  String written() {
    return kind + " " + id + " " + ts;
  }

  /// As it was written down.
  static Optional<Seen> readWritten(String written) {
    var parts = written.split(" ", 3);
    return parts.length == 3
        ? Optional.of(new Seen(Kind.valueOf(parts[0]), parts[1], parts[2]))
        : Optional.empty();
  }
}
