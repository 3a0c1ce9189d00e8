package dev.gorkie;

/// What a failure is called in logs and rows, whose fault it is, and what the person in the thread reads.
public interface FailureCode {

  String name();

  Fault fault();

  /// One sentence: what happened and what to do. Never the text of an exception.
  String sentence();

  /// The same where something was done already that is kept.
  default String sentenceAfterWork() {
    return sentence();
  }
}
