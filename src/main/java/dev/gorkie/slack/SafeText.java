package dev.gorkie.slack;

import java.util.regex.Matcher;
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
  // Control characters but line feed and tab; what turns the direction of writing; what is there
  // and is not seen. What joins or parts letters that are seen stays.
  private static final Pattern CONTROLS =
      Pattern.compile(
          "[\\p{Cc}&&[^\\n"
              + "\\t]]|[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
              + "|[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]"
              + "|[\\x{1D173}-\\x{1D17A}\\x{E0000}-\\x{E0FFF}]");
  private static final Pattern LONE_SURROGATES = Pattern.compile("[\\ud800-\\udfff]");
  private static final Pattern UNSEEN =
      Pattern.compile(CONTROLS + "|" + LONE_SURROGATES + "|[\\u200b-\\u200d]");
  // A doctype cannot be one of Slack's commands, and broken it would harm the HTML somebody copies.
  private static final Pattern TOKENS =
      Pattern.compile("(<|&lt;)(?=[@#]|!(?!doctype)[a-z])", Pattern.CASE_INSENSITIVE);
  // Written as a number or by its name, a character means what it is where HTML's names are read.
  private static final Pattern ENTITIES =
      Pattern.compile(
          "&(?=#0*(?:33|35|40|41|60|62|64|91|93)(?!\\d)|#x0*(?:21|23|28|29|3c|3e|40|5b|5d)(?![0-9a-f])"
              + "|(?:excl|num|lpar|rpar|commat|lsqb|lbrack|rsqb|rbrack)\\b)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern BROADCASTS =
      Pattern.compile("(?<!\\w)@(?=(?:here|channel|everyone)\\b)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CUT_ADDRESS =
      Pattern.compile("(https?:)//(?=\\S*$)", Pattern.CASE_INSENSITIVE);
  private static final Pattern BLANKS = Pattern.compile("[\\s\\u0085\\u2028\\u2029]+");

  private SafeText() {}

  /// Nobody is pinged, nothing is hidden; lines and all that can be seen stay.
  static String disarm(String text) {
    var plain = text.replace("\r\n", "\n").replace('\r', '\n');
    if (!plain.chars().allMatch(SafeText::isOrdinary)) {
      plain = ESCAPE_SEQUENCES.matcher(plain).replaceAll("");
      plain = CONTROLS.matcher(plain).replaceAll("");
      plain = LONE_SURROGATES.matcher(plain).replaceAll("\ufffd");
    }
    if (plain.indexOf('&') >= 0) {
      plain = ENTITIES.matcher(plain).replaceAll("&" + BREAK);
    }
    if (plain.indexOf('<') >= 0 || plain.indexOf('&') >= 0) {
      plain = TOKENS.matcher(plain).replaceAll("$1" + BREAK);
    }
    return plain.indexOf('@') < 0 ? plain : BROADCASTS.matcher(plain).replaceAll("@" + BREAK);
  }

  /// What most text consists of, and none of it is a control character: ASCII that is seen, and Latin letters.
  private static boolean isOrdinary(int character) {
    return character >= ' ' && character <= '~'
        || character == '\n'
        || character == '\t'
        || character > '\u00ad' && character < '\u034f';
  }

  /// Character for character what somebody is to decide on: what cannot be seen is written out.
  static String visible(String text) {
    var seen = UNSEEN.matcher(text).replaceAll(it -> named(it.group().codePointAt(0)));
    seen = ENTITIES.matcher(seen).replaceAll("&" + BREAK);
    return TOKENS.matcher(seen).replaceAll("$1" + BREAK);
  }

  private static String named(int character) {
    return Matcher.quoteReplacement("\\u{%x}".formatted(character));
  }

  /// Whether there is anything in it that a person could see.
  static boolean isSeen(String text) {
    return UNSEEN
        .matcher(text)
        .replaceAll("")
        .codePoints()
        .anyMatch(it -> !Character.isWhitespace(it) && !Character.isSpaceChar(it) && !isEmpty(it));
  }

  /// A pattern of no dots, and what only says how the character before it looks.
  private static boolean isEmpty(int character) {
    return character == 0x2800 || character >= 0xfe00 && character <= 0xfe0f;
  }

  /// One line of at most so many characters, in which no link and no image is one.
  static String line(String text, int charactersMax) {
    var line = Links.addresses(BLANKS.matcher(disarm(text)).replaceAll(" ").strip());
    return cut(line.replace("![", "[").replace("](", "] ("), charactersMax);
  }

  /// At most so many characters of a line; an address that is not whole is none.
  static String cut(String line, int charactersMax) {
    var cut = clamp(line, charactersMax);
    return cut.length() == line.length()
        ? cut
        : CUT_ADDRESS.matcher(cut).replaceAll("$1" + BREAK + "//");
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
