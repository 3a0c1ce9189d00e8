package dev.gorkie.pi;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;
import java.util.Locale;

/// Why Pi has no answer.
public enum PiFailure implements FailureCode {
  DOES_NOT_START(
      Fault.OPERATOR,
      "The agent does not start on this thread's computer.",
      "Please tell whoever runs Gorkie."),
  NO_MODEL(
      Fault.OPERATOR,
      "The agent has no usable model.",
      "Please ask whoever runs Gorkie to check the model's settings."),
  MODEL_NOT_ALLOWED(
      Fault.OPERATOR,
      "The model I am set to is not one of those that may be used here.",
      "Please tell whoever runs Gorkie."),
  MODEL_REFUSED(
      Fault.OPERATOR, "The model's provider refuses our key.", "Please tell whoever runs Gorkie."),
  OUT_OF_CREDIT(
      Fault.OPERATOR,
      "The account with the model's provider is used up.",
      "Please tell whoever runs Gorkie."),
  OVERLOADED(
      Fault.PROVIDER,
      "The model's provider is overloaded.",
      "Please send the message again in a few minutes.",
      "Your files are safe; say “continue” in a few minutes and I will pick it up."),
  TOO_LONG_FOR_MODEL(
      Fault.LIMIT,
      "This conversation has become too long for the model.",
      "Please write `!compact` to have it summarised, or go on in a new thread."),
  MODEL_SLOW(
      Fault.PROVIDER,
      "The model's provider took too long to answer, several times in a row.",
      PiFailure.AGAIN,
      PiFailure.GO_ON),
  MODEL_FAILED(
      Fault.PROVIDER,
      "The model's provider failed several times in a row.",
      PiFailure.AGAIN,
      PiFailure.GO_ON),
  CUT_OFF(Fault.PROVIDER, "The agent stopped in the middle of this.", PiFailure.GO_ON),
  REFUSED(Fault.PROVIDER, "The agent did not take this message.", "Please send it again."),
  UNREACHABLE(
      Fault.PROVIDER,
      "I lost the line to this thread's computer.",
      "Your files are safe; please send the message again.",
      PiFailure.GO_ON),
  NO_TERMINAL(
      Fault.PROVIDER,
      "This thread's computer lets me in by no way on which the model's key is safe, so I did not begin.",
      "Please try again in a few minutes; if that does not help, tell whoever runs Gorkie."),
  WENT_SILENT(
      Fault.PROVIDER,
      "The agent stopped answering, so I ended it.",
      PiFailure.AGAIN,
      PiFailure.GO_ON),
  MODEL_SILENT(
      Fault.PROVIDER,
      "The model's provider stopped answering, so I ended the run.",
      PiFailure.AGAIN,
      PiFailure.GO_ON),
  RUN_TOO_LONG(
      Fault.LIMIT,
      "This took longer than one run may take.",
      "Say “continue” and I will pick it up.");

  private static final String AGAIN = "Please send the message again.";
  private static final String GO_ON = "Your files are safe; say “continue” and I will pick it up.";

  private final Fault fault;
  private final String what;
  private final String advice;
  private final String adviceAfterWork;

  PiFailure(Fault fault, String what, String advice) {
    this(fault, what, advice, advice);
  }

  PiFailure(Fault fault, String what, String advice, String adviceAfterWork) {
    this.fault = fault;
    this.what = what;
    this.advice = advice;
    this.adviceAfterWork = adviceAfterWork;
  }

  @Override
  public Fault fault() {
    return fault;
  }

  @Override
  public String sentence() {
    return what + " " + advice;
  }

  @Override
  public String sentenceAfterWork() {
    return what + " " + adviceAfterWork;
  }

  /// What a provider's error comes to. Providers agree on no code, and Pi hands their words through.
  static PiFailure ofProvider(String words) {
    var lower = words.toLowerCase(Locale.ROOT);
    if (lower.contains("no api key") || lower.contains("no model")) {
      return NO_MODEL;
    }
    if (lower.contains("401")
        || lower.contains("403")
        || lower.contains("unauthorized")
        || lower.contains("invalid api key")) {
      return MODEL_REFUSED;
    }
    if (lower.contains("402")
        || lower.contains("quota")
        || lower.contains("billing")
        || lower.contains("credit")) {
      return OUT_OF_CREDIT;
    }
    if (lower.contains("context length")
        || lower.contains("context window")
        || lower.contains("maximum context")) {
      return TOO_LONG_FOR_MODEL;
    }
    if (lower.contains("429")
        || lower.contains("rate limit")
        || lower.contains("overloaded")
        || lower.contains("503")) {
      return OVERLOADED;
    }
    if (lower.contains("timed out") || lower.contains("timeout") || lower.contains("504")) {
      return MODEL_SLOW;
    }
    return MODEL_FAILED;
  }
}
