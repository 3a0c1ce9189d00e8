package dev.gorkie.slack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An answer that grows, cut into messages on the way: what stands in one that is full stays there.
///
/// It is fed with what is safe to show of the whole answer, each time from its beginning.
final class Growing {

  // One message holds about 11 KB and 12,000 characters of Markdown.
  static final int MESSAGE_BYTES_MAX = 9_000;
  // From here on the next border between paragraphs will do.
  private static final int MESSAGE_BYTES_FULL = 7_500;
  private static final String BORDER = "\n\n";
  private static final String LINE = "\n";
  private static final List<String> PLACES = List.of(LINE, " ");
  // For what closes a fence.
  private static final int CLOSING_BYTES_MAX = 100;

  private final List<String> full = new ArrayList<>();
  // What the full ones hold, and what the present one says again: the head of a fence or table in
  // which it was cut.
  private String before = "";
  private String again = "";

  /// How many messages are full.
  int count() {
    return full.size();
  }

  /// The text of the message that grows at present. Empty when the answer does not go on from what was cut.
  Optional<String> present(String safe) {
    return safe.startsWith(before)
        ? Optional.of(again + safe.substring(before.length()))
        : Optional.empty();
  }

  /// The text of the present message when it is full now, or old and at a good place; from then on the next one grows.
  ///
  /// @param shown what stands in it already
  Optional<String> fill(String safe, String shown, boolean isOld) {
    var present = present(safe).filter(text -> text.startsWith(shown));
    if (present.isEmpty()) {
      return Optional.empty();
    }
    var text = present.get();
    var at = place(text, shown.length(), isOld);
    if (at < 0) {
      return Optional.empty();
    }
    var head = text.substring(0, at);
    var rest = at;
    while (rest < text.length() && Character.isWhitespace(text.charAt(rest))) {
      rest++;
    }
    before = safe.substring(0, safe.length() - text.length() + rest);
    switch (lastBlock(head)) {
      case Block.Fence fence when Document.endsInFence(head) -> {
        again = fence.quote() + fence.ticks() + fence.info() + "\n";
        full.add(head + "\n" + fence.quote() + fence.ticks());
      }
      case Block.Table table when goesOn(text, at) -> {
        again = table.head() + "\n";
        full.add(head);
      }
      default -> {
        again = "";
        full.add(head);
      }
    }
    return Optional.of(full.getLast());
  }

  private static Block lastBlock(String head) {
    var parts = Document.read(head);
    return parts.isEmpty() ? new Block.Prose("") : parts.getLast().block();
  }

  /// Whether the next line belongs to the same table.
  private static boolean goesOn(String text, int at) {
    var end = text.indexOf('\n', at + 1);
    return text.substring(at, end < 0 ? text.length() : end).contains("|");
  }

  /// Where to end it, behind what is shown; negative when it may grow on.
  private static int place(String text, int shown, boolean isOld) {
    var most = Utf8.fitting(text, MESSAGE_BYTES_MAX - CLOSING_BYTES_MAX);
    var isTooLong = Utf8.bytes(text) > MESSAGE_BYTES_MAX - CLOSING_BYTES_MAX;
    var least = isOld || isTooLong ? shown : Utf8.fitting(text, MESSAGE_BYTES_FULL);
    var border = border(text, Math.max(shown, least), most);
    if (border >= 0 || !isOld && !isTooLong) {
      return border;
    }
    for (var place : isTooLong ? PLACES : List.of(LINE)) {
      var at = text.lastIndexOf(place, most);
      if (at >= shown && at > 0) {
        return at;
      }
    }
    return isTooLong ? Math.max(most, shown) : -1;
  }

  private static int border(String text, int least, int most) {
    for (var at = text.lastIndexOf(BORDER, most); at >= least && at > 0; ) {
      if (!Document.endsInFence(text.substring(0, at))) {
        return at;
      }
      at = text.lastIndexOf(BORDER, at - 1);
    }
    return -1;
  }

  /// All messages of an answer that has come to its end: those that are full, and the rest.
  List<String> pieces(String safe) {
    var rest = present(safe);
    if (rest.isEmpty()) {
      return Markdown.cut(safe, MESSAGE_BYTES_MAX);
    }
    var pieces = new ArrayList<>(full);
    pieces.addAll(Markdown.cut(rest.get(), MESSAGE_BYTES_MAX));
    return List.copyOf(pieces);
  }
}
