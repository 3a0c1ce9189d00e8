package dev.gorkie.sessions;

import java.time.Duration;
import java.time.Instant;

/// Who tells the people in the thread why it takes a moment.
public interface Waking {

  /// For whoever would not read it: a program asks again.
  static Waking silently() {
    return new Silently();
  }

  /// There was none before.
  void settingUp();

  void wakingUp();

  /// It runs again, with everything that was in it when it was last worked with.
  void awake(Duration took, Instant filesOf);

  /// All machines there may be are in use, and so many threads are to have one before this one has its turn.
  void waitingForRoom(int before);

  /// The old one is gone for good. What that means for the people is the workspace's news.
  void startingAnew();

  /// So many files could not be read and do not come along to another sandbox.
  void leavingBehind(int files);
}
