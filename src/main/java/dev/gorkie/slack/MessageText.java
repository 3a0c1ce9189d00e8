package dev.gorkie.slack;

import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What a person wrote, read out of what Slack made of it.
///
/// Slack escapes `&`, `<` and `>`, and puts mentions and links into angle brackets. All else is the person's,
/// character for character.
public final class MessageText {

  private static final Pattern TOKEN = Pattern.compile("<([^<>|\\n][^<>\\n]*)>");
  private static final Pattern ENTITY = Pattern.compile("&(amp|lt|gt);");
  // Slack's own composer puts a no-break space after a mention at times.
  private static final String BLANKS = "[ \\t\\u00a0]*";
  private static final Pattern LEADING_MENTIONS =
      Pattern.compile("^" + BLANKS + "(?:<@[A-Z0-9]+(?:\\|[^<>\\n]*)?>" + BLANKS + ")++");
  private static final String ASIDE = "##";

  private MessageText() {}

  /// A person marks what is not meant for us by `##` at the start of a line, behind mentions if there are any.
  public static boolean isAside(String slackText) {
    return slackText.lines().anyMatch(line -> withoutLeadingMentions(line).startsWith(ASIDE));
  }

  private static String withoutLeadingMentions(String line) {
    return LEADING_MENTIONS.matcher(line).replaceFirst("");
  }

  /// The text with readable names and links, and without our own mention in front.
  public static String written(
      String slackText, Optional<String> ourUser, UnaryOperator<String> nameOf) {
    var text = ourUser.map(us -> withoutMention(us, slackText)).orElse(slackText);
    var read = new StringBuilder();
    var from = 0;
    var tokens = TOKEN.matcher(text);
    while (tokens.find()) {
      read.append(unescaped(text.substring(from, tokens.start())));
      read.append(token(tokens.group(1), nameOf));
      from = tokens.end();
    }
    return read.append(unescaped(text.substring(from))).toString();
  }

  private static String withoutMention(String user, String text) {
    var mention = "<@" + Pattern.quote(user) + "(?:\\|[^<>\\n]*)?>" + BLANKS;
    return Pattern.compile("^" + BLANKS + "(?:" + mention + ")++").matcher(text).replaceFirst("");
  }

  private static String token(String token, UnaryOperator<String> nameOf) {
    var bar = token.indexOf('|');
    var target = bar < 0 ? token : token.substring(0, bar);
    var label = bar < 0 ? "" : unescaped(token.substring(bar + 1));
    var name = target.substring(1);
    return switch (target.charAt(0)) {
      case '@' -> "@" + nameOf.apply(name);
      case '#' -> "#" + (label.isEmpty() ? name : label);
      case '!' -> command(name, label);
      default -> link(unescaped(target), label);
    };
  }

  /// `<!here>`, `<!subteam^S123|@crew>`, `<!date^1392734382^{date}|yesterday>`.
  private static String command(String command, String label) {
    if (!label.isEmpty()) {
      return label;
    }
    return "@" + command.substring(command.indexOf('^') + 1);
  }

  /// What Slack made a link by itself is given back as it was typed.
  private static String link(String target, String label) {
    if (label.isEmpty() || label.equals(target)) {
      return target;
    }
    var isTypedAddress =
        target.endsWith(label)
            && switch (target.substring(0, target.length() - label.length())) {
              case "http://", "https://", "mailto:", "tel:" -> true;
              default -> false;
            };
    return isTypedAddress ? label : label + " (" + target + ")";
  }

  static String unescaped(String text) {
    return ENTITY.matcher(text).replaceAll(MessageText::character);
  }

  private static String character(MatchResult entity) {
    return switch (entity.group(1)) {
      case "lt" -> "<";
      case "gt" -> ">";
      default -> "&";
    };
  }
}
