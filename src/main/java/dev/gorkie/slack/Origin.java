package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Optional;

/// Of which organisation a workspace is, where the whole of it has let us in: then there is one token for all its workspaces.
record Origin(String team, String org) {

  // In every delivery for such an installation, in one form or another.
  private static final String SIGN = "is_enterprise_install";

  /// Empty for what is delivered to a workspace by itself, which is nearly everything.
  static Optional<Origin> read(byte[] body) {
    var text = new String(body, UTF_8);
    if (!text.contains(SIGN)) {
      return Optional.empty();
    }
    try {
      if (text.startsWith("{")) {
        return ofEvent(DoorJson.READER.readTree(text));
      }
      return Slash.isOne(body)
          ? ofSlash(text)
          : ofClick(
              DoorJson.READER.readTree(
                  URLDecoder.decode(text.substring(text.indexOf('=') + 1), UTF_8)));
    } catch (IOException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<Origin> ofEvent(JsonNode event) {
    var installation = event.path("authorizations").path(0);
    return installation.path(SIGN).asBoolean()
        ? of(
            installation.path("team_id").asText(event.path("team_id").asText()),
            installation.path("enterprise_id").asText())
        : Optional.empty();
  }

  private static Optional<Origin> ofClick(JsonNode click) {
    return click.path(SIGN).asBoolean()
        ? of(click.path("team").path("id").asText(), click.path("enterprise").path("id").asText())
        : Optional.empty();
  }

  private static Optional<Origin> ofSlash(String form) {
    var fields = Slash.form(form);
    return "true".equals(fields.get(SIGN))
        ? of(fields.getOrDefault("team_id", ""), fields.getOrDefault("enterprise_id", ""))
        : Optional.empty();
  }

  private static Optional<Origin> of(String team, String org) {
    return EventReader.ID.matcher(team).matches() && EventReader.ID.matcher(org).matches()
        ? Optional.of(new Origin(team, org))
        : Optional.empty();
  }
}
