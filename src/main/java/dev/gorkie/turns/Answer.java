package dev.gorkie.turns;

import java.util.StringJoiner;

/// What Pi has answered in this turn. A run that takes up a further message on the way answers more than once.
final class Answer {

  private final StringJoiner parts = new StringJoiner("\n\n");

  void add(String text, boolean cutShort) {
    if (!text.isBlank()) {
      parts.add(
          cutShort ? text + "\n\n_(The model's limit for one answer was reached here.)_" : text);
    }
  }

  String text() {
    return parts.toString();
  }
}
