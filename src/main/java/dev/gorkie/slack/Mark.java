package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Optional;

/// What a message of ours says about itself where only programs look, so that it is known again: which thing said it
/// is, in the outbox's words.
record Mark(String subject, String part) {

  private static final String TYPE = "gorkie";

  String metadata() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("event_type", TYPE);
    json.putObject("event_payload").put("subject", subject).put("part", part);
    return json.toString();
  }

  /// Empty for what is no mark of ours.
  static Optional<Mark> read(Wire.Metadata metadata) {
    return TYPE.equals(metadata.eventType) && metadata.eventPayload instanceof JsonObject payload
        ? text(payload, "subject")
            .flatMap(subject -> text(payload, "part").map(part -> new Mark(subject, part)))
        : Optional.empty();
  }

  private static Optional<String> text(JsonObject payload, String field) {
    return payload.get(field) instanceof JsonPrimitive value && value.isString()
        ? Optional.of(value.getAsString())
        : Optional.empty();
  }
}
