package dev.gorkie.turns;

import java.util.StringJoiner;

/// What Pi has answered in this turn. A run that takes up a further message on the way answers more than once.
final class Answer {

  // Whoever reads an answer that broke off does not read on after some pages.
  private static final int DRAFT_CHARACTERS_MAX = 100_000;

  // Nobody reads a book in a thread, and what is longer would be meant for our memory.
  private static final int CHARACTERS_MAX = 1_000_000;
  private static final int PARTS_MAX = 200;

  private int count;
  private final StringJoiner parts = new StringJoiner("\n\n");
  private final StringBuilder draft = new StringBuilder();
  private boolean brokenOff;

  /// A piece of what may become an answer, or a remark before more work.
  void say(String delta) {
    if (brokenOff) {
      forgetDraft();
    }
    draft.append(delta, 0, Math.min(delta.length(), DRAFT_CHARACTERS_MAX - draft.length()));
  }

  /// It comes to nothing; what is tried next begins from the start.
  void breakOff() {
    brokenOff = true;
  }

  void add(String text, boolean cutShort) {
    forgetDraft();
    if (!text.isBlank() && count < PARTS_MAX && parts.length() + text.length() <= CHARACTERS_MAX) {
      count++;
      parts.add(
          cutShort ? text + "\n\n_(The model's limit for one answer was reached here.)_" : text);
    }
  }

  void forgetDraft() {
    draft.setLength(0);
    brokenOff = false;
  }

  String text() {
    return parts.toString();
  }

  /// With what was under way when it ended.
  String soFar() {
    var all = new StringJoiner("\n\n");
    if (parts.length() > 0) {
      all.add(text());
    }
    if (!draft.toString().isBlank()) {
      all.add(draft.toString().stripTrailing() + " …" + (endsInCode() ? "\n```" : ""));
    }
    return all.toString();
  }

  /// Whether what comes after it would be code, too.
  private boolean endsInCode() {
    return draft.toString().lines().filter(line -> line.stripLeading().startsWith("```")).count()
            % 2
        == 1;
  }
}
