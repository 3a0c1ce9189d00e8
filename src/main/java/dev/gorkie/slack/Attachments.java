package dev.gorkie.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.slack.Attachment.Access;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Reads Slack's file object, the same in an event and in `files.info`.
final class Attachments {

  // What a line is: a name that had several could speak in a prompt as somebody else.
  private static final Pattern NO_LINE = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,100}/[A-Za-z0-9!#$&^_.+-]{1,100}");
  private static final Pattern ID = Pattern.compile("[A-Z0-9]{1,64}");
  // A file system takes 255 bytes for a name, and so does Slack about.
  private static final int NAME_CHARACTERS_MAX = 300;

  private Attachments() {}

  static Attachment read(JsonNode file) {
    return new Attachment(
        matching(ID, file.path("id").asText("")),
        name(file.path("name").asText("")),
        matching(MEDIA_TYPE, file.path("mimetype").asText("")),
        file.path("size").canConvertToLong()
            ? OptionalLong.of(file.path("size").longValue())
            : OptionalLong.empty(),
        link(file, "url_private_download").or(() -> link(file, "url_private")),
        access(file));
  }

  private static String matching(Pattern form, String value) {
    return form.matcher(value).matches() ? value : "";
  }

  private static String name(String name) {
    return NO_LINE
        .matcher(name.substring(0, Math.min(name.length(), NAME_CHARACTERS_MAX)))
        .replaceAll("_");
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
