package dev.gorkie.slack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A stretch of Markdown, and how it is cut where it is too long.
sealed interface Block {

  /// The Markdown, without a line break at its end.
  String text();

  /// The first part, in at most so many bytes, and the rest. Empty where not even a little of it fits.
  Optional<Cut> cut(int bytesMax);

  record Cut(Block head, Block rest) {}

  /// How many of the lines fit, each of which takes some bytes more.
  private static int fitting(List<String> lines, int bytesMore, int bytesMax) {
    var left = bytesMax;
    var count = 0;
    for (var line : lines) {
      left -= Utf8.bytes(line) + bytesMore;
      if (left < 0) {
        break;
      }
      count++;
    }
    return count;
  }

  /// Paragraphs, lists, headings: cut after a line, else after a sentence, else after a word.
  record Prose(String text) implements Block {

    private static final List<String> PLACES = List.of("\n", ". ", " ");

    @Override
    public Optional<Cut> cut(int bytesMax) {
      var most = Utf8.fitting(text, bytesMax);
      if (most == 0 || most == text.length()) {
        return Optional.empty();
      }
      for (var place : PLACES) {
        var found = text.lastIndexOf(place, most - place.length());
        var at = found < 0 ? 0 : outsideToken(found + place.length());
        if (at > most / 2) {
          return Optional.of(at(at));
        }
      }
      var at = outsideToken(most);
      return Optional.of(at(at > 0 ? at : most));
    }

    private Cut at(int index) {
      return new Cut(
          new Prose(text.substring(0, index).stripTrailing()), new Prose(text.substring(index)));
    }

    /// Before the `<…>` in which the index lies, if it lies in one.
    private int outsideToken(int index) {
      var opened = text.lastIndexOf('<', index - 1);
      if (opened < 0 || text.substring(opened, index).contains(">")) {
        return index;
      }
      var closed = text.indexOf('>', index);
      var isToken = closed >= 0 && !text.substring(opened, closed).contains("\n");
      return isToken ? opened : index;
    }
  }

  /// Code. Each part is fenced by itself and says the language again.
  record Fence(String quote, String ticks, String info, List<String> lines) implements Block {

    public Fence {
      lines = List.copyOf(lines);
    }

    @Override
    public String text() {
      var all = new ArrayList<String>();
      all.add(quote + ticks + info);
      lines.forEach(line -> all.add(quote + line));
      all.add(quote + ticks);
      return String.join("\n", all);
    }

    @Override
    public Optional<Cut> cut(int bytesMax) {
      var room = bytesMax - Utf8.bytes(of(List.of()).text());
      var whole = fitting(lines, Utf8.bytes(quote) + 1, room);
      return whole > 0
          ? Optional.of(
              new Cut(of(lines.subList(0, whole)), of(lines.subList(whole, lines.size()))))
          : cutLine(bytesMax);
    }

    private Optional<Cut> cutLine(int bytesMax) {
      var line = lines.getFirst();
      var at = Utf8.fitting(line, bytesMax - Utf8.bytes(of(List.of("")).text()));
      if (at == 0) {
        return Optional.empty();
      }
      var rest = new ArrayList<>(lines);
      rest.set(0, line.substring(at));
      return Optional.of(new Cut(of(List.of(line.substring(0, at))), of(rest)));
    }

    private Fence of(List<String> some) {
      return new Fence(quote, ticks, info, some);
    }
  }

  /// A table. Each part has its head.
  record Table(String head, List<String> rows) implements Block {

    public Table {
      rows = List.copyOf(rows);
    }

    @Override
    public String text() {
      return rows.isEmpty() ? head : head + "\n" + String.join("\n", rows);
    }

    @Override
    public Optional<Cut> cut(int bytesMax) {
      var count = fitting(rows, 1, bytesMax - Utf8.bytes(head));
      return count == 0
          ? Optional.empty()
          : Optional.of(new Cut(of(rows.subList(0, count)), of(rows.subList(count, rows.size()))));
    }

    private Table of(List<String> some) {
      return new Table(head, some);
    }
  }
}
