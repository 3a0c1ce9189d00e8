package dev.gorkie.turns;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;

/// Why a turn had to be given up.
enum TurnFailure implements FailureCode {
  SWITCHED_OFF(
      Fault.LIMIT,
      "Whoever runs Gorkie has switched me off for now. Please send the message again later."),
  TRIED_TOO_OFTEN(
      Fault.OPERATOR,
      "I tried this several times and something on my side broke each time. Please tell whoever runs Gorkie, or put it differently."),
  COMPUTER_REPLACED(
      Fault.PROVIDER,
      "This thread's computer was replaced while I was at this, and I do not know how far I had come. Please send the message again."),
  THREAD_SPENT(
      Fault.LIMIT, "This thread has used up what it may cost in a day." + TurnFailure.TOMORROW),
  PERSON_SPENT(
      Fault.LIMIT,
      "You have used up what your questions may cost in a day." + TurnFailure.TOMORROW),
  CHANNEL_SPENT(
      Fault.LIMIT, "This channel has used up what it may cost in a day." + TurnFailure.TOMORROW),
  WORKSPACE_SPENT(
      Fault.LIMIT, "This workspace has used up what I may cost in a day." + TurnFailure.TOMORROW),
  TOO_LONG_TO_SHORTEN(
      Fault.PROVIDER,
      "Summarising took too long, so I ended it. Nothing is lost: go on as it is, or try !compact again later."),
  HANDED_ON_TOO_OFTEN(
      Fault.LIMIT,
      "This has been going on for longer than I may work in one go. Say “continue” and I will pick it up.");

  private static final String TOMORROW =
      " Please send the message again after midnight UTC; whoever runs Gorkie can raise the limit.";

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
