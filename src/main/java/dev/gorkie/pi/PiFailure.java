package dev.gorkie.pi;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;
import java.util.Locale;

/// Why Pi has no answer.
public enum PiFailure implements FailureCode {
  DOES_NOT_START(
      Fault.OPERATOR,
      "The agent does not start on this thread's computer. Please tell whoever runs Gorkie."),
  NO_MODEL(
      Fault.OPERATOR,
      "The agent has no usable model. Please ask whoever runs Gorkie to check the model's settings."),
  MODEL_REFUSED(
      Fault.OPERATOR, "The model's provider refuses our key. Please tell whoever runs Gorkie."),
  OUT_OF_CREDIT(
      Fault.OPERATOR,
      "The account with the model's provider is used up. Please tell whoever runs Gorkie."),
  OVERLOADED(
      Fault.PROVIDER,
      "The model's provider is overloaded. Your files are safe; please send the message again in a few minutes."),
  TOO_LONG_FOR_MODEL(
      Fault.LIMIT,
      "This conversation has become too long for the model. Please go on in a new thread."),
  MODEL_FAILED(
      Fault.PROVIDER,
      "The model's provider failed several times in a row. Your files are safe; please send the message again."),
  CUT_OFF(
      Fault.PROVIDER,
      "The agent stopped in the middle of this. Your files are safe; say “continue” and I will pick it up."),
  REFUSED(Fault.PROVIDER, "The agent did not take this message. Please send it again."),
  UNREACHABLE(
      Fault.PROVIDER,
      "I lost the line to this thread's computer. Your files are safe; please send the message again."),
  NO_TERMINAL(
      Fault.PROVIDER,
      "This thread's computer gives me no terminal, and without one I cannot hand the model's key over safely. Please try again in a few minutes."),
  WENT_SILENT(
      Fault.PROVIDER,
      "The agent stopped answering, so I ended it. Your files are safe; say “continue” and I will pick it up."),
  MODEL_SILENT(
      Fault.PROVIDER,
      "The model's provider stopped answering, so I ended the run. Your files are safe; say “continue” and I will pick it up."),
  RUN_TOO_LONG(
      Fault.LIMIT, "This took longer than one run may take. Say “continue” and I will pick it up.");

  private final Fault fault;
  private final String sentence;

  PiFailure(Fault fault, String sentence) {
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
    return MODEL_FAILED;
  }
}
