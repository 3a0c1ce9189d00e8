package dev.gorkie.pi;

import dev.gorkie.FailureCode;
import dev.gorkie.Fault;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

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
      Fault.OPERATOR,
      "The model's provider refuses our key.",
      PiFailure.TELL_OPERATOR,
      PiFailure.TELL_OPERATOR_AND_GO_ON),
  OUT_OF_CREDIT(
      Fault.OPERATOR,
      "The account with the model's provider is used up.",
      PiFailure.TELL_OPERATOR,
      PiFailure.TELL_OPERATOR_AND_GO_ON),
  OVERLOADED(
      Fault.PROVIDER,
      "The model's provider is overloaded.",
      "Please send the message again in a few minutes.",
      "Your files are safe; say “continue” in a few minutes and I will pick it up."),
  TOO_LONG_FOR_MODEL(
      Fault.LIMIT,
      "This conversation has become too long for the model.",
      "Please write `!compact` to have it summarised, or go on in a new thread.",
      "Your files are safe; write `!compact` to have it summarised, then say “continue” and I will pick it up."),
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

  private static final String TELL_OPERATOR = "Please tell whoever runs Gorkie.";
  private static final String TELL_OPERATOR_AND_GO_ON =
      "Your files are safe. Please tell whoever runs Gorkie, and say “continue” when that is mended.";

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

  // The first that fits. Sizes come first, since they tell numbers; and a code is a number of its
  // own, no part of another one.
  private static final List<Words> OF_PROVIDERS =
      List.of(
          new Words(OVERLOADED, "throttl|too many requests|please wait before"),
          new Words(
              TOO_LONG_FOR_MODEL,
              "context length|context_length|context window|maximum context|prompt is too long"
                  + "|input is too long|too many (input )?tokens"),
          new Words(NO_MODEL, "no api key|no model"),
          new Words(
              MODEL_REFUSED, "\\b40[13]\\b|unauthorized|authentication_error|invalid api key"),
          new Words(OUT_OF_CREDIT, "\\b402\\b|quota|billing|credit|out of budget"),
          new Words(OVERLOADED, "\\b(429|503|529)\\b|rate limit|rate_limit|overloaded"),
          new Words(MODEL_SLOW, "timed out|timeout|\\b504\\b"));

  private record Words(PiFailure failure, Pattern pattern) {
    Words(PiFailure failure, String pattern) {
      this(failure, Pattern.compile(pattern));
    }
  }

  /// What a provider's error comes to. Providers agree on no code, and Pi hands their words through.
  static PiFailure ofProvider(String error) {
    var lower = error.toLowerCase(Locale.ROOT);
    return OF_PROVIDERS.stream()
        .filter(words -> words.pattern().matcher(lower).find())
        .map(Words::failure)
        .findFirst()
        .orElse(MODEL_FAILED);
  }
}
