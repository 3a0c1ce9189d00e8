package dev.gorkie.pi;

/// How a run ended, as its last words tell.
public sealed interface Outcome {

  Usage usage();

  record Done(Usage usage) implements Outcome {}

  /// By the command of this id; empty when it was none of ours.
  record Aborted(String by, Usage usage) implements Outcome {}

  record Failed(PiFailure failure, Usage usage) implements Outcome {}

  /// What the run used up.
  record Usage(long steps, long tokens, double cost) {

    public static final Usage NONE = new Usage(0, 0, 0);
  }
}
