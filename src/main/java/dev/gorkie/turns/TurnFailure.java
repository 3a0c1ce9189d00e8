package dev.gorkie.turns;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;

/// Why a turn had to be given up.
enum TurnFailure implements FailureCode {
  TRIED_TOO_OFTEN(
      Fault.OPERATOR,
      "I tried this several times and something on my side broke each time. Please tell whoever runs Gorkie, or put it differently."),
  HANDED_ON_TOO_OFTEN(
      Fault.LIMIT,
      "This has been going on for longer than I may work in one go. Say “continue” and I will pick it up.");

  private final Fault fault;
  private final String sentence;

  TurnFailure(Fault fault, String sentence) {
    this.fault = fault;
    this.sentence = sentence;
  }

  @Override
  public Fault fault() {
    return fault;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
