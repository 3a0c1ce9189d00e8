package dev.gorkie.slack;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a person tells Gorkie itself and not the agent: a word behind an exclamation mark, and what stands behind it.
public record Command(Word word, String argument) {

  private static final Pattern FORM = Pattern.compile("!([a-z]{2,16})(?:[ \\t]+(.{0,200}))?");

  public enum Word {
    HELP,
    STATUS,
    MODEL,
    PERMISSIONS,
    LEAVE,
    JOBS,
    TASKS,
    NEW,
    COMPACT;

    /// Whether it is about the conversation as it will be when all that was written before it has been answered.
    public boolean waitsItsTurn() {
      return switch (this) {
        case NEW, COMPACT -> true;
        case HELP, STATUS, MODEL, PERMISSIONS, LEAVE, JOBS, TASKS -> false;
      };
    }
  }

  /// Empty for all that is a message: a word that is none of ours is the agent's to read.
  static Optional<Command> read(String written) {
    var match = FORM.matcher(written.strip());
    if (!match.matches()) {
      return Optional.empty();
    }
    var argument = Optional.ofNullable(match.group(2)).orElse("").strip();
    for (var word : Word.values()) {
      if (word.name().toLowerCase(Locale.ROOT).equals(match.group(1))) {
        return Optional.of(new Command(word, argument));
      }
    }
    return Optional.empty();
  }
}
