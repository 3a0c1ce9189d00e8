package dev.gorkie.handoff;

import java.io.IOException;

/// The clock that makes functions look for abandoned work. It runs only while something is open, so that an idle
/// installation costs nothing.
public interface Alarm {

  void switchOn() throws IOException;

  void switchOff() throws IOException;
}
