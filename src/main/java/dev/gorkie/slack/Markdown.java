package dev.gorkie.slack;

import dev.gorkie.slack.Block.Fence;
import dev.gorkie.slack.Block.Prose;
import dev.gorkie.slack.Block.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Markdown from a model, made fit for Slack: safe to show, and cut into messages.
public final class Markdown {

  static final int PIECE_BYTES_MIN = 512;
  private static final Pattern MAY_BE_A_BLOCK = Pattern.compile("^\\s*[`~|>]|\\|");

  private Markdown() {}

  /// Nobody is pinged, every link shows where it goes, images are links. Tables, lists and code stay as they are.
  public static String neutralise(String markdown) {
    var safe = new StringBuilder();
    for (var part : Document.read(SafeText.disarm(markdown))) {
      if (!safe.isEmpty()) {
        safe.append(part.separator());
      }
      safe.append(
          switch (part.block()) {
            case Prose(var text) -> Links.shown(text);
            case Fence fence -> fence.text();
            case Table table -> Links.shown(table.text());
          });
    }
    // Again, because what was taken out may have joined what stood beside it.
    return SafeText.disarm(safe.toString());
  }

  /// Of Markdown that is still being written as much as what follows will hardly change, made safe. A fence that is open
  /// stays open.
  static String beginning(String markdown) {
    var certain = certain(markdown);
    var safe = neutralise(certain);
    return Document.endsInFence(certain) ? safe.substring(0, safe.lastIndexOf('\n')) : safe;
  }

  /// Whole lines, and of the last one whole words of prose before whatever may become a link or code.
  private static String certain(String markdown) {
    var end = markdown.lastIndexOf('\n') + 1;
    var last = markdown.substring(end);
    if (Document.endsInFence(markdown.substring(0, end)) || MAY_BE_A_BLOCK.matcher(last).find()) {
      return markdown.substring(0, end);
    }
    return markdown.substring(0, end + wordsOf(last));
  }

  private static int wordsOf(String line) {
    var end = line.lastIndexOf(' ');
    if (line.substring(0, Math.max(end, 0)).chars().filter(c -> c == '`').count() % 2 == 1) {
      end = Math.min(end, line.lastIndexOf('`', end));
    }
    if (line.lastIndexOf('<') > line.lastIndexOf('>')) {
      end = Math.min(end, line.lastIndexOf('<'));
    }
    if (line.lastIndexOf('[') > line.lastIndexOf(')')) {
      end = Math.min(end, line.lastIndexOf('[') - 1);
    }
    return Math.max(end, 0);
  }

  /// Pieces of at most so many bytes: cut between blocks where that is possible, fences closed and opened again,
  /// tables with their head.
  public static List<String> cut(String markdown, int pieceBytesMax) {
    if (pieceBytesMax < PIECE_BYTES_MIN) {
      throw new IllegalArgumentException("Pieces this small cannot be cut: " + pieceBytesMax);
    }
    var pieces = new Pieces(pieceBytesMax);
    for (var part : Document.read(markdown)) {
      pieces.add(part.block(), part.separator());
    }
    return pieces.done();
  }

  /// Pieces being filled, one after the other.
  private static final class Pieces {
    private final int bytesMax;
    private final List<String> full = new ArrayList<>();
    private final StringBuilder piece = new StringBuilder();
    private int bytes;

    Pieces(int bytesMax) {
      this.bytesMax = bytesMax;
    }

    void add(Block block, String separator) {
      var rest = block;
      while (!put(rest.text(), separator)) {
        var isTooLongForAny = Utf8.bytes(rest.text()) > bytesMax;
        if (!isTooLongForAny || room(separator) < bytesMax / 2) {
          end();
          continue;
        }
        var cut = rest.cut(room(separator));
        if (cut.isPresent()) {
          put(cut.get().head().text(), separator);
          rest = cut.get().rest();
          end();
        } else if (piece.isEmpty()) {
          rest = new Prose(rest.text());
        } else {
          end();
        }
      }
    }

    List<String> done() {
      end();
      return List.copyOf(full);
    }

    private int room(String separator) {
      return piece.isEmpty() ? bytesMax : bytesMax - bytes - separator.length();
    }

    private boolean put(String text, String separator) {
      var size = Utf8.bytes(text);
      if (size > room(separator)) {
        return false;
      }
      if (!piece.isEmpty()) {
        piece.append(separator);
        bytes += separator.length();
      }
      piece.append(text);
      bytes += size;
      return true;
    }

    private void end() {
      if (!piece.toString().isBlank()) {
        full.add(piece.toString());
      }
      piece.setLength(0);
      bytes = 0;
    }
  }
}
