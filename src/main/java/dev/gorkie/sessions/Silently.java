package dev.gorkie.sessions;

import java.time.Duration;
import java.time.Instant;

/// There is nobody who would read why it takes a moment.
final class Silently implements Waking {

  @Override
  public void settingUp() {}

  @Override
  public void wakingUp() {}

  @Override
  public void awake(Duration took, Instant filesOf) {}

  @Override
  public void waitingForRoom(int before) {}

  @Override
  public void startingAnew() {}

  @Override
  public void leavingBehind(int files) {}
}
