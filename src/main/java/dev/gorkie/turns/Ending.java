package dev.gorkie.turns;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;
import dev.gorkie.pi.Outcome;
import dev.gorkie.slack.LastWord;
import java.util.Optional;

/// What a turn comes to: its name in the books, what the people read, what it has used up, how far the journal was read.
///
/// @param unended whether the agent may still be at it
record Ending(
    String outcome,
    LastWord word,
    Outcome.Usage usage,
    long offset,
    Optional<Fault> fault,
    boolean unended) {

  /// One that is nobody's fault, and the agent's own end.
  Ending(String outcome, LastWord word, Outcome.Usage usage, long offset) {
    this(outcome, word, usage, offset, Optional.empty(), false);
  }

  /// The same where nobody knows whether the agent has ended.
  Ending unendedIf(boolean isUnended) {
    return new Ending(outcome, word, usage, offset, fault, isUnended);
  }

  /// How far Pi had come when it ended.
  ///
  /// @param begun whether it had said or done anything
  /// @param answer what it had said of an answer
  record Reached(boolean begun, String answer) {

    static final Reached NOTHING = new Reached(false, "");
  }

  /// What a turn comes to that somebody wanted to end.
  static final String STOPPED = "STOPPED";

  static Ending stopped(Outcome.Usage usage, long offset) {
    return new Ending(STOPPED, new LastWord.Stopped(), usage, offset);
  }

  /// @param turn by which whoever runs us finds in the logs what has happened
  static Ending sorry(
      FailureCode code, long turn, Reached reached, Outcome.Usage usage, long offset) {
    var said = reached.begun() ? code.sentenceAfterWork() : code.sentence();
    // Whoever is to be told needs to know of what.
    var sentence =
        code.fault() == Fault.OPERATOR
            ? said + " (`" + code.name() + "`, turn " + turn + ")"
            : said;
    var word =
        reached.answer().isBlank()
            ? new LastWord.Apology(sentence)
            : new LastWord.BrokenOff(reached.answer(), sentence);
    return new Ending(code.name(), word, usage, offset, Optional.of(code.fault()), false);
  }
}
