package dev.gorkie.inbox;

/// What somebody has us do just now, beside a message of the same person.
///
/// @param here whether the message's own thread is among it
/// @param threads how many others are
/// @param messages how many messages of that person are not done with
/// @param since the first of these; empty text where there is none
public record UnderWay(boolean here, int threads, int messages, String since) {

  /// All that wait in a thread become one prompt, so that there is an end to it.
  static final int MESSAGES_MAX = 200;

  /// Whether one more is more than one person may have.
  ///
  /// @param most how many threads that may be
  public boolean isMoreThan(int most) {
    return messages >= MESSAGES_MAX || !here && threads >= most;
  }
}
