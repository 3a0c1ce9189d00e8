package dev.gorkie.slack;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes every link in a stretch of Markdown say where it goes, and every image a link. Code is left alone.
final class Links {

  private static final int LABEL_CHARACTERS_MAX = 2_000;
  private static final int TARGET_CHARACTERS_MAX = 8_000;
  private static final Pattern ADDRESS =
      Pattern.compile("https?://[^\\s<>\"`|)\\[\\]]*", Pattern.CASE_INSENSITIVE);
  private static final String BREAK = "\u200b";
  // Slack may pair backticks in another way than we do, so a link in them is broken too.
  private static final Pattern LINK_IN_CODE =
      Pattern.compile("\\]\\((?=\\s*<?(?:[a-z][a-z0-9+.-]*:|//))", Pattern.CASE_INSENSITIVE);
  // What may stand before a definition: quote and list marks.
  private static final Pattern LINE_START = Pattern.compile("[\\s>*+\\-\\d.)]*");

  private static final Pattern DEFINITION =
      Pattern.compile("(?m)^([\\s>*+\\-\\d.)]*\\[[^\\]\\n]+\\]):");

  private final String text;
  private final StringBuilder shown = new StringBuilder();
  private int at;

  private Links(String text) {
    this.text = text;
  }

  static String shown(String text) {
    var links = new Links(text);
    while (links.at < text.length()) {
      links.step();
    }
    // Whether a line begins a block is decided before what stands in it is read, so no code and no
    // label hides one.
    return DEFINITION.matcher(links.shown).replaceAll("$1" + BREAK + ":");
  }

  /// The same for text that is no Markdown: what a reader may make a link by itself goes where it says.
  static String addresses(String text) {
    return ADDRESS
        .matcher(text)
        .replaceAll(
            it ->
                Matcher.quoteReplacement(
                    Target.read(it.group())
                        .map(Target::address)
                        .orElseGet(() -> broken(it.group()))));
  }

  private static String broken(String address) {
    return address.replace("://", ":" + BREAK + "//");
  }

  private void step() {
    switch (text.charAt(at)) {
      case '\\' -> {
        if (text.startsWith("\\![", at)) {
          at += 2; // not everybody takes the backslash for one
        } else {
          copy(isEscaping() ? 2 : 1);
          if (text.startsWith("](", at - 1)) {
            shown.append(BREAK);
          }
        }
      }
      case '`' -> codeSpan();
      case '!' -> {
        if (text.startsWith("![", at)) {
          at++; // what is left of an image is a link
        } else {
          copy(1);
        }
      }
      case '[' -> labelled();
      case ']' -> {
        copy(1);
        // Whatever was not read as a link here shall not be read as one by Slack.
        if (text.startsWith("(", at)) {
          shown.append(BREAK);
        }
      }
      case '<' -> bracketed();
      case 'h', 'H' -> bare();
      default -> copy(1);
    }
  }

  /// Before a letter it means nothing, and what follows may be an address.
  private boolean isEscaping() {
    return at + 1 < text.length() && !Character.isLetterOrDigit(text.charAt(at + 1));
  }

  private void copy(int characters) {
    shown.append(text, at, at + characters);
    at += characters;
  }

  private void codeSpan() {
    var run = runOfTicks(at);
    for (var end = text.indexOf('`', at + run); end >= 0; end = text.indexOf('`', end)) {
      var closing = runOfTicks(end);
      end += closing;
      if (closing == run) {
        shown.append(LINK_IN_CODE.matcher(text.substring(at, end)).replaceAll("]" + BREAK + "("));
        at = end;
        return;
      }
    }
    copy(run);
  }

  private int runOfTicks(int from) {
    var end = from;
    while (end < text.length() && text.charAt(end) == '`') {
      end++;
    }
    return end - from;
  }

  /// `[label](target "title")`, or the definition `[name]: target`, which would hide a target elsewhere.
  private void labelled() {
    var labelEnd = closing('[', ']', at, LABEL_CHARACTERS_MAX);
    if (labelEnd < 0 || labelEnd + 1 >= text.length()) {
      copy(1);
      return;
    }
    var label = text.substring(at + 1, labelEnd);
    var after = text.charAt(labelEnd + 1);
    if (after == ':' && isLineStart(at)) {
      shown.append(label);
      at = labelEnd + 1;
      return;
    }
    var targetEnd = after == '(' ? closing('(', ')', labelEnd + 1, TARGET_CHARACTERS_MAX) : -1;
    if (targetEnd < 0) {
      copy(1);
      return;
    }
    link(label, destination(text.substring(labelEnd + 2, targetEnd)));
    at = targetEnd + 1;
  }

  private boolean isLineStart(int index) {
    var line = text.lastIndexOf('\n', index - 1) + 1;
    return LINE_START.matcher(text.substring(line, index)).matches();
  }

  private static String destination(String target) {
    var stripped = target.strip();
    if (stripped.startsWith("<") && stripped.contains(">")) {
      return stripped.substring(1, stripped.indexOf('>'));
    }
    var end = 0;
    while (end < stripped.length() && !Character.isWhitespace(stripped.charAt(end))) {
      end++;
    }
    return stripped.substring(0, end);
  }

  private int closing(char open, char close, int from, int charactersMax) {
    var depth = 0;
    var end = Math.min(text.length(), from + charactersMax);
    for (var i = from; i < end; i++) {
      var c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == open) {
        depth++;
      } else if (c == close && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  /// `<https://…>`, Slack's own `<https://…|label>`, or something else in angle brackets.
  private void bracketed() {
    var end = text.indexOf('>', at, Math.min(text.length(), at + TARGET_CHARACTERS_MAX));
    var inside = end < 0 ? "" : text.substring(at + 1, end);
    var bar = inside.indexOf('|');
    var address = bar < 0 ? inside : inside.substring(0, bar);
    if (!inside.contains("\n") && Target.read(address).isPresent()) {
      link(bar < 0 ? "" : inside.substring(bar + 1), address);
      at = end + 1;
      return;
    }
    copy(1);
    if (text.regionMatches(true, at, "img", 0, 3)) {
      shown.append(BREAK);
    }
  }

  private void bare() {
    var isAddress =
        text.regionMatches(true, at, "http://", 0, 7)
            || text.regionMatches(true, at, "https://", 0, 8);
    if (!isAddress) {
      copy(1);
      return;
    }
    var end = at;
    while (end < text.length()
        && "<>\"`|)[]".indexOf(text.charAt(end)) < 0
        && !text.startsWith("![", end)
        && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    var address = text.substring(at, end);
    shown.append(Target.read(address).map(Target::address).orElseGet(() -> broken(address)));
    at = end;
  }

  private void link(String label, String address) {
    var target = Target.read(address);
    var words = words(label, target);
    if (target.isEmpty()) {
      shown.append(words).append(address.isEmpty() ? "" : " (" + nothing(address) + ")");
    } else if (words.isBlank() || target.get().isCalled(words)) {
      shown.append('<').append(target.get().address()).append('>');
    } else {
      shown.append('[').append(words).append("](").append(target.get().address()).append(')');
      shown.append(" (").append(target.get().host()).append(')');
    }
  }

  /// What is no address may be a link within a link.
  private static String nothing(String address) {
    return addresses(address).replace("](", "]" + BREAK + "(").replace("![", "!" + BREAK + "[");
  }

  /// A label that holds a link or an image of its own is not worth taking apart.
  private static String words(String label, Optional<Target> target) {
    return label.contains("](") || label.contains("![") || label.contains("<")
        ? target.map(Target::host).orElse("")
        : addresses(label);
  }
}
