package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Looks at what the app writes for the ways in which a message leaks, pings, or is not what it looks like: previews, mentions,
/// remote images, links that hide where they go, characters that nobody sees.
///
/// It knows nothing of how the app makes text safe; it reads as Slack does.
public final class Safety {
  // What is no text that anybody reads.
  private static final Set<String> MACHINES =
      Set.of("metadata", "token", "view_id", "cursor", "private_metadata");
  private static final Set<String> MARKDOWN = Set.of("markdown_text");
  private static final Set<String> MRKDWN = Set.of("text", "initial_comment");
  private static final Set<String> JSON =
      Set.of("blocks", "chunks", "view", "files", "attachments");

  private static final Pattern MENTION =
      Pattern.compile(
          "(?:<|&lt;?|&#0*60;?|&#x0*3c;?)(?:!(?:channel|here|everyone|subteam|date)|[@#][A-Z0-9])",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern ENTITY =
      Pattern.compile(
          "&#(?:0*(?:60|64|33|91|93)(?!\\d)|x0*(?:3c|40|21|5b|5d)(?![0-9a-f]))",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern BROADCAST =
      Pattern.compile("(?<!\\w)@(?:channel|here|everyone)\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern IMAGE = Pattern.compile("!\\[[^\\]]*\\](?:\\(|\\[)");
  private static final Pattern UNSEEN =
      Pattern.compile(
          "[\\p{Cc}&&[^\\n"
              + "\\t]]|[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u00ad\\u2060-\\u2064\\ufeff\\u3164\\uffa0]"
              + "|[\\x{E0000}-\\x{E0FFF}]|[\\ud800-\\udfff]");
  private static final Pattern MASKED =
      Pattern.compile(
          "\\]\\(\\s*<?((?:https?:)?//[^\\s)>]+)[^)]*\\)(?: \\(([^)\\s]*)\\))?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern OTHER_SCHEME =
      Pattern.compile(
          "\\]\\(\\s*<?(?:javascript|data|vbscript|file|slack):", Pattern.CASE_INSENSITIVE);
  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?m)^[\\s>*+\\-\\d.)]*\\[[^\\]]+\\]:\\s*<?https?:", Pattern.CASE_INSENSITIVE);
  private static final Pattern LABELLED =
      Pattern.compile("<(https?:[^|>]+)\\|([^>]*)>", Pattern.CASE_INSENSITIVE);
  private static final Pattern ADDRESS =
      Pattern.compile(
          "https?://([^\\s/?#<>()\\[\\]|\"`]*)[^\\s<>()\\[\\]|\"`]*", Pattern.CASE_INSENSITIVE);
  private static final Pattern FENCED =
      Pattern.compile("(?ms)^(?:> ?)?(`{3,})[^\\n`]*\\n.*?(?:^(?:> ?)?\\1`*[ \\t]*$|\\z)");
  private static final Pattern IN_CODE =
      Pattern.compile("(?<!`)(`+)(?!`).*?(?<!`)\\1(?!`)", Pattern.DOTALL);
  // On its page the app names the channel in which something runs, and links there; neither pings
  // anybody.
  private static final Pattern OWN_PLACE =
      Pattern.compile(
          "<#[CGD][A-Z0-9]+>|<https?://[^|>\\s]+/archives/[CGD][A-Z0-9]+/p\\d+\\|[^<>]*>");
  private static final int QUERY_CHARACTERS_MAX = 256;
  private static final Set<String> MENTIONING_ELEMENTS = Set.of("user", "usergroup", "broadcast");
  private final Map<String, String> streams = new HashMap<>();
  private boolean mentionsAllowed;
  private final Set<String> named = new HashSet<>();

  void allowMentions(boolean allowed) {
    mentionsAllowed = allowed;
  }

  /// This person may be named at the beginning of a message.
  void allowNaming(String user) {
    named.add("<@" + user + ">");
  }

  /// Before anything is done with the call.
  public List<Violation> check(String method, Map<String, String> form) {
    var found = new ArrayList<Violation>();
    if (method.equals("chat.postMessage")) {
      List.of("unfurl_links", "unfurl_media").stream()
          .filter(flag -> !Set.of("false", "0").contains(form.getOrDefault(flag, "")))
          .forEach(
              flag ->
                  found.add(
                      new Violation(method, flag + " is not false", form.getOrDefault(flag, ""))));
    }
    form.forEach((name, value) -> checkField(method, form, name, value, found));
    return found;
  }

  private void checkField(
      String method, Map<String, String> form, String name, String value, List<Violation> found) {
    if (MACHINES.contains(name) || value.isEmpty()) {
      return;
    }
    if (JSON.contains(name)) {
      checkJson(method, value, found);
    } else if (MARKDOWN.contains(name)) {
      // What is written bit by bit is read as a whole in the end.
      var isPart = method.equals("chat.startStream") || method.equals("chat.appendStream");
      if (isPart) {
        checkPlain(method, value, found);
      } else {
        checkMarkdown(method, streams.getOrDefault(stream(form), "") + value, found);
      }
    } else if (MRKDWN.contains(name)) {
      checkMrkdwn(method, value, found);
    } else {
      checkPlain(method, value, found);
    }
  }

  private void checkJson(String method, String value, List<Violation> found) {
    var json = value.stripLeading().startsWith("[") ? new JsonArray(value) : new JsonObject(value);
    checkPart(method, json, found);
  }

  /// After it was done.
  void heard(ApiCall call) {
    switch (call.method()) {
      case "chat.startStream" ->
          streams.put(
              call.field("channel") + call.answer().getString("ts", ""),
              call.field("markdown_text"));
      case "chat.appendStream" ->
          streams.merge(stream(call.form()), call.field("markdown_text"), String::concat);
      case "chat.stopStream" -> streams.remove(stream(call.form()));
      default -> {}
    }
  }

  private static String stream(Map<String, String> form) {
    return form.getOrDefault("channel", "") + form.getOrDefault("ts", "");
  }

  private void checkPart(String method, @Nullable Object part, List<Violation> found) {
    switch (part) {
      case JsonArray all -> all.forEach(one -> checkPart(method, one, found));
      case JsonObject object -> checkObject(method, object, found);
      case String text -> checkPlain(method, text, found);
      case null, default -> {}
    }
  }

  private void checkObject(String method, JsonObject object, List<Violation> found) {
    var type = object.getString("type", "");
    if (!mentionsAllowed && MENTIONING_ELEMENTS.contains(type)) {
      found.add(new Violation(method, "raw mention", object.encode()));
    }
    if (object.containsKey("image_url")) {
      found.add(new Violation(method, "remote image", object.getString("image_url")));
    }
    if (type.equals("link") || type.equals("button") && object.containsKey("url")) {
      found.add(new Violation(method, "link that hides its target", object.encode()));
    }
    object.forEach(
        field -> {
          if (field.getKey().equals("text") && field.getValue() instanceof String text) {
            switch (type) {
              case "markdown" -> checkMarkdown(method, text, found);
              case "mrkdwn" -> checkMrkdwn(method, text, found);
              default -> checkPlain(method, text, found);
            }
          } else {
            checkPart(method, field.getValue(), found);
          }
        });
  }

  /// For all that is text at all.
  private void checkPlain(String method, String text, List<Violation> found) {
    if (!mentionsAllowed) {
      all(MENTION, method, "raw mention", withoutNames(text), found);
    }
    all(UNSEEN, method, "character that nobody sees", text, found);
  }

  /// Behind the people who may be named.
  private String withoutNames(String text) {
    var own = text;
    for (var name = ahead(own); !name.isEmpty(); name = ahead(own)) {
      own = own.substring(name.length()).stripLeading();
    }
    return own;
  }

  private String ahead(String text) {
    return named.stream().filter(text::startsWith).findFirst().orElse("");
  }

  private void checkMrkdwn(String method, String written, List<Violation> found) {
    var text = method.equals("views.publish") ? OWN_PLACE.matcher(written).replaceAll("") : written;
    checkPlain(method, text, found);
    if (!mentionsAllowed) {
      all(BROADCAST, method, "raw mention", text, found);
    }
    LABELLED
        .matcher(text)
        .results()
        .filter(it -> !it.group(1).equals(it.group(2)))
        .forEach(it -> found.add(new Violation(method, "link that hides its target", it.group())));
    var open = IN_CODE.matcher(FENCED.matcher(text).replaceAll("")).replaceAll(" ");
    all(IMAGE, method, "remote image", open, found);
    checkAddresses(method, unescaped(open), found);
  }

  private static String unescaped(String text) {
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  private void checkMarkdown(String method, String markdown, List<Violation> found) {
    checkPlain(method, markdown, found);
    if (!mentionsAllowed) {
      all(BROADCAST, method, "raw mention", markdown, found);
    }
    var open = FENCED.matcher(markdown).replaceAll("");
    // Where code begins and ends within a line is read in more than one way, so a link in it
    // counts, too.
    checkLinks(method, open, found);
    all(IMAGE, method, "remote image", IN_CODE.matcher(open).replaceAll(" "), found);
    checkAddresses(method, IN_CODE.matcher(open).replaceAll(" "), found);
  }

  private static void checkLinks(String method, String markdown, List<Violation> found) {
    MASKED
        .matcher(markdown)
        .results()
        .filter(it -> !host(it.group(1)).equals(it.group(2)))
        .forEach(it -> found.add(new Violation(method, "link that hides its target", it.group())));
    all(OTHER_SCHEME, method, "link of another kind", markdown, found);
    all(DEFINITION, method, "link that hides its target", markdown, found);
    all(ENTITY, method, "character by its number", markdown, found);
  }

  private static String host(String address) {
    try {
      return String.valueOf(URI.create(address).getAuthority());
    } catch (IllegalArgumentException _) {
      var address2 = ADDRESS.matcher(address);
      return address2.find() ? address2.group(1) : "";
    }
  }

  private static void checkAddresses(String method, String text, List<Violation> found) {
    ADDRESS
        .matcher(text)
        .results()
        .forEach(
            it -> {
              var address = it.group();
              var query = address.split("[?#]", 2);
              if (query.length == 2 && query[1].length() > QUERY_CHARACTERS_MAX) {
                found.add(new Violation(method, "query that carries something out", address));
              }
              if (it.group(1).contains("@") || it.group(1).chars().anyMatch(c -> c > 0x7f)) {
                found.add(new Violation(method, "host that looks like another", address));
              }
            });
  }

  private static void all(
      Pattern pattern, String method, String rule, String text, List<Violation> found) {
    pattern
        .matcher(text)
        .results()
        .forEach(it -> found.add(new Violation(method, rule, it.group())));
  }
}
