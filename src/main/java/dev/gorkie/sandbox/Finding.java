package dev.gorkie.sandbox;

/// What somebody found who looked whether everything is as it must be, in a sentence for whoever may change it.
public record Finding(Weight weight, String sentence) {

  public enum Weight {
    /// As it should be.
    GOOD,
    /// It works, and could be better or is worth knowing.
    NOTE,
    /// Nobody's message would be answered.
    BAD
  }

  public static Finding good(String sentence, Object... values) {
    return new Finding(Weight.GOOD, sentence.formatted(values));
  }

  public static Finding note(String sentence, Object... values) {
    return new Finding(Weight.NOTE, sentence.formatted(values));
  }

  public static Finding bad(String sentence, Object... values) {
    return new Finding(Weight.BAD, sentence.formatted(values));
  }
}
