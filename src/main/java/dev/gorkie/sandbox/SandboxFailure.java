package dev.gorkie.sandbox;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;

/// Why a machine cannot be had.
public enum SandboxFailure implements FailureCode {
  UNREACHABLE(
      Fault.PROVIDER,
      "I cannot reach this thread's computer right now. Your files are safe; please send the message again in a few minutes."),
  TOO_SLOW(
      Fault.PROVIDER,
      "This thread's computer did not wake up in time. Your files are safe; please send the message again in a few minutes."),
  NO_ROOM(
      Fault.OPERATOR,
      "There is no room for another computer right now. Please try again later, or ask whoever runs Gorkie for a larger quota."),
  NOT_ALLOWED(
      Fault.OPERATOR,
      "I may not use the computers that threads work on. Please tell whoever runs Gorkie."),
  NO_IMAGE(
      Fault.OPERATOR,
      "This thread's computer cannot be set up: what it is made from is not there. Please tell whoever runs Gorkie."),
  BROKEN(
      Fault.PROVIDER,
      "This thread's computer is broken and cannot be repaired. Please send the message again."),
  NOT_CARRIED(
      Fault.OPERATOR,
      "This thread's computer is too old for me, and its files could not be carried over to a new one. They are still"
          + " there; please tell whoever runs Gorkie."),
  NO_FILE(
      Fault.PERSON, "That file is not there. Please look at its name, or ask me to make it again."),
  REFUSED(
      Fault.PROVIDER, "This thread's computer could not be used. Please send the message again.");

  private final Fault fault;
  private final String sentence;

  SandboxFailure(Fault fault, String sentence) {
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
