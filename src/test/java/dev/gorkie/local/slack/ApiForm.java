package dev.gorkie.local.slack;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the arguments of a Web API call: from the address, a form, or JSON where the method takes that.
final class ApiForm {
  // These overlook a JSON body altogether.
  private static final Set<String> FORM_ONLY =
      Set.of(
          "conversations.replies",
          "conversations.history",
          "conversations.info",
          "conversations.members",
          "users.info",
          "team.info",
          "files.info",
          "files.getUploadURLExternal",
          "reactions.get");

  private ApiForm() {}

  static Map<String, String> read(HttpServerRequest request, String method, Buffer body) {
    var fields = Door.query(request);
    var type =
        Optional.ofNullable(request.getHeader("content-type")).orElse("").toLowerCase(Locale.ROOT);
    if (type.startsWith("application/x-www-form-urlencoded")) {
      for (var pair : body.toString().split("&")) {
        var at = pair.indexOf('=');
        if (at > 0) {
          fields.put(decoded(pair.substring(0, at)), decoded(pair.substring(at + 1)));
        }
      }
    } else if (type.startsWith("application/json") && !FORM_ONLY.contains(method)) {
      body.toJsonObject().forEach(field -> fields.put(field.getKey(), flat(field.getValue())));
    }
    return fields;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String flat(Object value) {
    return switch (value) {
      case JsonObject object -> object.encode();
      case JsonArray array -> array.encode();
      default -> String.valueOf(value);
    };
  }
}
