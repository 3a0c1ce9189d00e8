package dev.gorkie.turns;

import dev.gorkie.slack.Conversations.Written;
import dev.gorkie.slack.MessageText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What people wrote among themselves, as Pi reads it: who, when, which files. The latest of it when it is too much.
final class Transcript {

  private static final int CHARACTERS_MAX = 20_000;
  private static final int MESSAGE_CHARACTERS_MAX = 4_000;

  private Transcript() {}

  static String of(List<Written> lines, UnaryOperator<String> nameOf) {
    var told = new ArrayList<String>();
    var left = CHARACTERS_MAX;
    for (var line : lines.reversed()) {
      var text = told(line, nameOf);
      left -= text.length();
      if (left < 0) {
        told.add("(earlier messages are left out)");
        break;
      }
      told.add(text);
    }
    return told.isEmpty() ? "Nothing was written here." : String.join("\n", told.reversed());
  }

  private static String told(Written line, UnaryOperator<String> nameOf) {
    var text =
        MessageText.written(line.text(), Optional.empty(), nameOf)
            .replace('\0', '\ufffd')
            .replace("\n", "\n  ");
    var author =
        line.author().map(user -> nameOf.apply(user) + " (" + user + ")").orElse("A program");
    var told = new StringBuilder();
    told.append('[').append(line.ts()).append("] ").append(author).append(": ");
    told.append(text, 0, Math.min(text.length(), MESSAGE_CHARACTERS_MAX));
    for (var file : line.files()) {
      told.append("\n  file %s: %s (%s)".formatted(file.id(), file.name(), file.mimetype()));
    }
    return told.toString();
  }
}
