package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/// A slash command: given anywhere but in a thread, and answered to its giver alone.
public record Slash(String team, String channel, String user, String text, URI answerTo) {

  private static final int TEXT_CHARACTERS_MAX = 300;

  /// Its command, as if it had been given behind an exclamation mark; `help` where there is none.
  public Command command() {
    return Command.read("!" + text.strip()).orElse(new Command(Command.Word.HELP, ""));
  }

  static boolean isOne(byte[] body) {
    return body.length > 0
        && Character.isLetter(body[0])
        && new String(body, UTF_8).contains("command=");
  }

  static SlackEvent read(byte[] body) {
    try {
      var form = form(new String(body, UTF_8));
      var slash =
          new Slash(
              form.getOrDefault("team_id", ""),
              form.getOrDefault("channel_id", ""),
              form.getOrDefault("user_id", ""),
              form.getOrDefault("text", ""),
              URI.create(form.getOrDefault("response_url", "")));
      var isWhole =
          Stream.of(slash.team(), slash.channel(), slash.user())
                  .allMatch(word -> EventReader.ID.matcher(word).matches())
              && slash.text().length() <= TEXT_CHARACTERS_MAX;
      return isWhole
          ? new SlackEvent.Slashed(slash)
          : new SlackEvent.Malformed("a slash command without its place");
    } catch (IllegalArgumentException _) {
      return new SlackEvent.Malformed("no form");
    }
  }

  static Map<String, String> form(String body) {
    var form = new HashMap<String, String>();
    for (var field : body.split("&")) {
      var at = field.indexOf('=');
      if (at > 0) {
        form.put(
            URLDecoder.decode(field.substring(0, at), UTF_8),
            URLDecoder.decode(field.substring(at + 1), UTF_8));
      }
    }
    return form;
  }
}
