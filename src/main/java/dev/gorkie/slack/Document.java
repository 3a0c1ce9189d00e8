package dev.gorkie.slack;

import dev.gorkie.slack.Block.Fence;
import dev.gorkie.slack.Block.Prose;
import dev.gorkie.slack.Block.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Markdown, taken apart into the blocks in which it is made safe and cut.
///
/// Fences come out in one form: not indented, of backticks, closed. So ours and Slack's reading cannot differ in
/// where code begins and ends, and no link passes as code.
final class Document {

  private static final Pattern FENCE =
      Pattern.compile("([ \\t]*(?:>[ \\t]*)*+)(`{3,}|~{3,})([^\\n]*)");
  private static final Pattern QUOTE_MARKS = Pattern.compile("[ \\t]*(?:>[ \\t]?)*+");
  private static final Pattern TABLE_RULE =
      Pattern.compile("[ \\t]*\\|?[ \\t]*:?-+:?[ \\t]*(?:\\|[ \\t]*:?-+:?[ \\t]*)*+\\|?[ \\t]*");
  private static final Pattern LONG_RUN_OF_TICKS = Pattern.compile("`{16}");
  // What stands behind it is for no reader.
  private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z0-9+#._-]{1,40}");

  private final List<Part> parts = new ArrayList<>();
  private final List<String> paragraph = new ArrayList<>();
  private final String[] lines;
  private int at;
  private boolean afterBlank;
  // Whether the last fence was closed by nothing but the end.
  private boolean open;

  /// A block and whether a blank line stands before it.
  record Part(Block block, boolean apart) {
    String separator() {
      return apart ? "\n\n" : "\n";
    }
  }

  private Document(String markdown) {
    lines = markdown.split("\n", -1);
  }

  static List<Part> read(String markdown) {
    return whole(markdown).partsRead();
  }

  /// Whether what would follow is code, too.
  static boolean endsInFence(String markdown) {
    return whole(markdown).open;
  }

  private static Document whole(String markdown) {
    var document = new Document(markdown);
    while (document.at < document.lines.length) {
      document.readLine();
    }
    document.endParagraph();
    return document;
  }

  private List<Part> partsRead() {
    return List.copyOf(parts);
  }

  private void readLine() {
    var line = lines[at];
    if (line.isBlank()) {
      endParagraph();
      afterBlank = true;
      at++;
      return;
    }
    var fence = FENCE.matcher(line);
    if (fence.matches() && !(fence.group(2).startsWith("`") && fence.group(3).contains("`"))) {
      endParagraph();
      add(fence(fence));
    } else if (isTable()) {
      endParagraph();
      add(table());
    } else {
      paragraph.add(line);
      at++;
    }
  }

  private void endParagraph() {
    if (!paragraph.isEmpty()) {
      add(new Prose(String.join("\n", paragraph)));
      paragraph.clear();
    }
  }

  private void add(Block block) {
    parts.add(new Part(block, afterBlank));
    afterBlank = false;
  }

  private Fence fence(Matcher opening) {
    var indent = opening.group(1);
    var isQuoted = indent.contains(">");
    var marks = opening.group(2);
    var code = new ArrayList<String>();
    at++;
    open = true;
    while (at < lines.length) {
      var line = lines[at];
      if (isQuoted && !line.stripLeading().startsWith(">")) {
        open = false;
        break;
      }
      at++;
      var inside = isQuoted ? QUOTE_MARKS.matcher(line).replaceFirst("") : dedent(line, indent);
      if (closes(inside.strip(), marks)) {
        open = false;
        break;
      }
      code.add(LONG_RUN_OF_TICKS.matcher(inside).replaceAll("$0\u200b"));
    }
    var info = LANGUAGE.matcher(opening.group(3).strip());
    var language = info.lookingAt() ? info.group() : "";
    return new Fence(isQuoted ? "> " : "", ticksFor(code), language, code);
  }

  private static boolean closes(String line, String marks) {
    return line.startsWith(marks) && line.chars().allMatch(c -> c == marks.charAt(0));
  }

  private static String dedent(String line, String indent) {
    var from = 0;
    while (from < Math.min(indent.length(), line.length())
        && Character.isWhitespace(line.charAt(from))) {
      from++;
    }
    return line.substring(from);
  }

  /// More than any run inside, so that nothing inside can close the fence.
  private static String ticksFor(List<String> code) {
    var longest = 2;
    for (var line : code) {
      var run = 0;
      for (var i = 0; i < line.length(); i++) {
        run = line.charAt(i) == '`' ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
    }
    return "`".repeat(longest + 1);
  }

  private boolean isTable() {
    return lines[at].contains("|")
        && at + 1 < lines.length
        && lines[at + 1].contains("|")
        && TABLE_RULE.matcher(lines[at + 1]).matches();
  }

  private Table table() {
    var head = lines[at] + "\n" + lines[at + 1];
    var rows = new ArrayList<String>();
    for (at += 2; at < lines.length && lines[at].contains("|"); at++) {
      rows.add(lines[at]);
    }
    return new Table(head, rows);
  }
}
