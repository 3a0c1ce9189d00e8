package dev.gorkie.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.slack.Attachment.Access;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads Slack's file object, the same in an event and in `files.info`.
final class Attachments {

  private Attachments() {}

  static Attachment read(JsonNode file) {
    return new Attachment(
        file.path("id").asText(""),
        file.path("name").asText(""),
        file.path("mimetype").asText(""),
        file.path("size").canConvertToLong()
            ? OptionalLong.of(file.path("size").longValue())
            : OptionalLong.empty(),
        link(file, "url_private_download").or(() -> link(file, "url_private")),
        access(file));
  }

  private static Access access(JsonNode file) {
    var isGone =
        switch (file.path("mode").asText("")) {
          case "tombstone", "hidden_by_limit" -> true;
          default -> false;
        };
    if (isGone) {
      return Access.GONE;
    }
    return switch (file.path("file_access").asText("")) {
      case "check_file_info" -> Access.ASK_FIRST;
      case "file_not_found" -> Access.GONE;
      case "access_denied" -> Access.DENIED;
      default -> file.path("is_external").asBoolean() ? Access.EXTERNAL : Access.OPEN;
    };
  }

  private static Optional<URI> link(JsonNode file, String field) {
    var link = file.path(field).asText("");
    try {
      return link.isEmpty() ? Optional.empty() : Optional.of(new URI(link));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }
}
