package dev.gorkie.handoff;

import java.io.IOException;
import java.time.Instant;

/// The clock that makes functions look for abandoned work. It runs only while something is open, so that an idle
/// installation costs nothing.
public interface Alarm {

  void switchOn() throws IOException;

  void switchOff() throws IOException;

  /// Nothing is open, and then something is due: it rests until that minute. If nobody heard it then, it goes off again at that
  /// time of each day.
  void switchOnAt(Instant due) throws IOException;
}
