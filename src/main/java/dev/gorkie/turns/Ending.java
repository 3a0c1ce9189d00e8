package dev.gorkie.turns;

import dev.gorkie.FailureCode;
import dev.gorkie.pi.Outcome;
import dev.gorkie.slack.LastWord;

/// What a turn comes to: its name in the books, what the people read, what it has used up, how far the journal was read.
record Ending(String outcome, LastWord word, Outcome.Usage usage, long offset) {

  static Ending sorry(FailureCode code, Outcome.Usage usage, long offset) {
    return new Ending(code.name(), new LastWord.Apology(code.sentence()), usage, offset);
  }
}
