package dev.gorkie.seal;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;

/// Why a secret cannot be sealed or opened.
public enum SealFailure implements FailureCode {
  NOT_CONFIGURED;

  @Override
  public Fault fault() {
    return Fault.OPERATOR;
  }

  @Override
  public String sentence() {
    return "I cannot open what I keep locked away for this. Please tell whoever runs Gorkie.";
  }
}
