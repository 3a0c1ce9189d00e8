package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Looks at what the app writes for the ways in which a message leaks or pings: previews, mentions, remote images.
final class Safety {
  private static final Set<String> WRITING =
      Set.of(
          "chat.postMessage",
          "chat.update",
          "chat.postEphemeral",
          "chat.startStream",
          "chat.appendStream",
          "chat.stopStream",
          "files.completeUploadExternal");
  private static final Pattern MENTION =
      Pattern.compile("<!(channel|here|everyone|subteam)[^>]*>?|<@[UW][^>]*>?");
  private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]*\\]\\(\\s*https?://[^)]*\\)");
  private static final Set<String> MENTIONING_ELEMENTS = Set.of("user", "usergroup", "broadcast");
  private boolean mentionsAllowed;

  void allowMentions(boolean allowed) {
    mentionsAllowed = allowed;
  }

  List<Violation> check(ApiCall call) {
    var found = new ArrayList<Violation>();
    if (call.method().equals("chat.postMessage")) {
      List.of("unfurl_links", "unfurl_media").stream()
          .filter(flag -> !Set.of("false", "0").contains(call.field(flag)))
          .forEach(
              flag ->
                  found.add(
                      new Violation(call.method(), flag + " is not false", call.field(flag))));
    }
    if (WRITING.contains(call.method())) {
      List.of("text", "markdown_text", "initial_comment")
          .forEach(field -> checkText(call.method(), call.field(field), found));
      List.of("blocks", "chunks").stream()
          .filter(field -> !call.field(field).isEmpty())
          .forEach(field -> checkBlocks(call.method(), new JsonArray(call.field(field)), found));
    }
    return found;
  }

  private void checkText(String method, String text, List<Violation> found) {
    if (!mentionsAllowed) {
      MENTION
          .matcher(text)
          .results()
          .forEach(it -> found.add(new Violation(method, "raw mention", it.group())));
    }
    IMAGE
        .matcher(text)
        .results()
        .forEach(it -> found.add(new Violation(method, "remote image", it.group())));
  }

  private void checkBlocks(String method, Object part, List<Violation> found) {
    switch (part) {
      case JsonArray all -> all.forEach(one -> checkBlocks(method, one, found));
      case JsonObject object -> {
        if (!mentionsAllowed && MENTIONING_ELEMENTS.contains(object.getString("type", ""))) {
          found.add(new Violation(method, "raw mention", object.encode()));
        }
        if (object.containsKey("image_url")) {
          found.add(new Violation(method, "remote image", object.getString("image_url")));
        }
        object.forEach(field -> checkBlocks(method, field.getValue(), found));
      }
      case String text -> checkText(method, text, found);
      default -> {}
    }
  }
}
