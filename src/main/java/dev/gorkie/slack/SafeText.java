package dev.gorkie.slack;

import java.util.regex.Pattern;

/// Takes out of hostile text what Slack or a terminal would act on, and leaves it readable.
final class SafeText {

  private static final String BREAK = "\u200b";
  private static final String ELLIPSIS = "…";

  private static final Pattern ESCAPE_SEQUENCES =
      Pattern.compile(
          "\\x1b\\[[0-?]*[ -/]*[@-~]" // colours and cursor movements
              + "|\\x1b\\][^\\x07\\x1b\\n]*(?:\\x07|\\x1b\\\\)" // titles and links
              + "|\\x1b[ -/]*[0-~]");
  // Control characters but line feed and tab; what turns the direction of writing; invisible tags.
  private static final Pattern CONTROLS =
      Pattern.compile(
          "[\\p{Cc}&&[^\\n\\t]]|[\\u202a-\\u202e\\u2066-\\u2069]|[\\x{E0000}-\\x{E007F}]");
  private static final Pattern LONE_SURROGATES = Pattern.compile("[\\ud800-\\udfff]");
  // A doctype cannot be one of Slack's commands, and broken it would harm the HTML somebody copies.
  private static final Pattern TOKENS =
      Pattern.compile("(<|&lt;)(?=[@#]|!(?!doctype)[a-z])", Pattern.CASE_INSENSITIVE);
  private static final Pattern BROADCASTS =
      Pattern.compile("(?<!\\w)@(?=(?:here|channel|everyone)\\b)", Pattern.CASE_INSENSITIVE);
  private static final Pattern BLANKS = Pattern.compile("[\\s\\u0085\\u2028\\u2029]+");

  private SafeText() {}

  /// Nobody is pinged, nothing is hidden; lines and all that can be seen stay.
  static String disarm(String text) {
    var plain = text.replace("\r\n", "\n").replace('\r', '\n');
    plain = ESCAPE_SEQUENCES.matcher(plain).replaceAll("");
    plain = CONTROLS.matcher(plain).replaceAll("");
    plain = LONE_SURROGATES.matcher(plain).replaceAll("\ufffd");
    plain = TOKENS.matcher(plain).replaceAll("$1" + BREAK);
    return BROADCASTS.matcher(plain).replaceAll("@" + BREAK);
  }

  /// One line of at most so many characters, in which no link and no image is one.
  static String line(String text, int charactersMax) {
    var line = BLANKS.matcher(disarm(text)).replaceAll(" ").strip();
    return clamp(line.replace("![", "[").replace("](", "] ("), charactersMax);
  }

  /// At most so many characters, the last of them an ellipsis where something is missing.
  static String clamp(String text, int charactersMax) {
    if (text.codePointCount(0, text.length()) <= charactersMax) {
      return text;
    }
    var end = text.offsetByCodePoints(0, charactersMax - 1);
    return text.substring(0, end).stripTrailing() + ELLIPSIS;
  }

  /// For fields in Slack's own dialect, `mrkdwn`.
  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
