package dev.gorkie.policy;

import java.util.Optional;

/// Whether we do it, and else what the person reads.
public sealed interface Verdict {

  record Allowed() implements Verdict {}

  record Refused(Why why) implements Verdict {}

  /// A program has asked often enough, or a person has enough under way.
  ///
  /// @param since the message that was the last to be answered, or the first that is not done with
  record Enough(String since, String sentence) implements Verdict {}

  Verdict ALLOWED = new Allowed();

  default boolean isAllowed() {
    return this instanceof Allowed;
  }

  /// Why not. Where there is no sentence nobody is to be told, or nobody is there who could read it.
  enum Why {
    NOT_SO(""),
    GONE(""),
    UNKNOWN_PROGRAM(""),
    PROGRAM(""),
    STRANGER(
        "I work for the people of the workspace that runs me. Somebody of them can ask me for"
            + " you."),
    GUEST("I work for the members of this workspace. One of them can ask me for you."),
    PERSON_DENIED("I was told not to work for you. Whoever runs me can tell why."),
    PERSON_NOT_NAMED(
        "I work for some people of this workspace only. Whoever runs me can add you to them."),
    NOT_OPTED_IN("Please join the channel #%s first; from then on I work for you."),
    PLACE("I was told not to work here. Whoever runs me can tell where I do."),
    NOT_FOR_GUESTS("That is for members of this workspace. One of them can do it."),
    CANNOT_TELL("Slack does not tell me in time who you are. Please try again in a minute.");

    private final String sentence;

    Why(String sentence) {
      this.sentence = sentence;
    }

    /// @param channel what the channel is called that somebody has to be in
    public Optional<String> sentence(String channel) {
      return sentence.isEmpty() ? Optional.empty() : Optional.of(sentence.formatted(channel));
    }
  }
}
