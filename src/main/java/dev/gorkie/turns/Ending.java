package dev.gorkie.turns;

import dev.gorkie.FailureCode;
import dev.gorkie.pi.Outcome;
import dev.gorkie.slack.LastWord;

/// What a turn comes to: its name in the books, what the people read, what it has used up, how far the journal was read.
record Ending(String outcome, LastWord word, Outcome.Usage usage, long offset) {

  /// How far Pi had come when it ended.
  ///
  /// @param begun whether it had said or done anything
  /// @param answer what it had said of an answer
  record Reached(boolean begun, String answer) {

    static final Reached NOTHING = new Reached(false, "");
  }

  static Ending sorry(FailureCode code, Reached reached, Outcome.Usage usage, long offset) {
    var sentence = reached.begun() ? code.sentenceAfterWork() : code.sentence();
    var word =
        reached.answer().isBlank()
            ? new LastWord.Apology(sentence)
            : new LastWord.BrokenOff(reached.answer(), sentence);
    return new Ending(code.name(), word, usage, offset);
  }
}
