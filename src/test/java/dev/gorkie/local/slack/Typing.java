package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Turns what a person types into what Slack makes of it: escaped, with mentions, channels and links as tokens.
final class Typing {
  private static final Pattern TYPED =
      Pattern.compile(
          "(?<![\\w@#])@(?<name>[\\w.-]+)|(?<![\\w@#&])#(?<channel>[\\w-]+)|(?<link>https?://[^\\s<>]*[^\\s<>.,;:!?)])");
  private static final Pattern TOKEN = Pattern.compile("<([^<>]+)>");
  private final Workspace workspace;

  Typing(Workspace workspace) {
    this.workspace = workspace;
  }

  String encode(String typed) {
    return TYPED.matcher(escape(typed)).replaceAll(found -> Matcher.quoteReplacement(token(found)));
  }

  private String token(MatchResult found) {
    var all = found.group();
    if (found.group("link") instanceof String link) {
      return "<" + link + ">";
    }
    if (found.group("channel") instanceof String name) {
      return workspace
          .channel(name)
          .map(channel -> "<#" + channel.id() + "|" + channel.name() + ">")
          .orElse(all);
    }
    var name = found.group("name");
    return switch (name) {
      case "channel", "here", "everyone" -> "<!" + name + ">";
      // A full stop that ends the sentence is not part of a name.
      default -> {
        var bare = name.replaceAll("[.-]+$", "");
        yield workspace
            .person(bare)
            .map(person -> "<@" + person.id() + ">" + name.substring(bare.length()))
            .orElse(all);
      }
    };
  }

  static String escape(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  static String unescape(String escaped) {
    return escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  /// The `rich_text` block Slack keeps beside what somebody typed.
  JsonArray blocks(String encoded) {
    if (encoded.isEmpty()) {
      return new JsonArray();
    }
    var elements = new JsonArray();
    var tokens = TOKEN.matcher(encoded);
    var at = 0;
    while (tokens.find()) {
      addText(elements, encoded.substring(at, tokens.start()));
      elements.add(element(tokens.group(1)));
      at = tokens.end();
    }
    addText(elements, encoded.substring(at));
    var section = new JsonObject().put("type", "rich_text_section").put("elements", elements);
    return new JsonArray()
        .add(
            new JsonObject()
                .put("type", "rich_text")
                .put("block_id", workspace.ids.secret().substring(0, 5))
                .put("elements", new JsonArray().add(section)));
  }

  private static void addText(JsonArray elements, String escaped) {
    if (!escaped.isEmpty()) {
      elements.add(new JsonObject().put("type", "text").put("text", unescape(escaped)));
    }
  }

  private static JsonObject element(String token) {
    var id = token.split("\\|", 2)[0];
    return switch (id.charAt(0)) {
      case '@' -> new JsonObject().put("type", "user").put("user_id", id.substring(1));
      case '#' -> new JsonObject().put("type", "channel").put("channel_id", id.substring(1));
      case '!' -> new JsonObject().put("type", "broadcast").put("range", id.substring(1));
      default -> new JsonObject().put("type", "link").put("url", unescape(id));
    };
  }
}
