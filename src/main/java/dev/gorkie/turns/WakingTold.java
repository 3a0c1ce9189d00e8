package dev.gorkie.turns;

import dev.gorkie.sessions.Waking;
import dev.gorkie.slack.Reply;
import java.time.Duration;
import java.time.Instant;

/// Tells in the thread how its computer is had.
record WakingTold(Reply reply) implements Waking {

  @Override
  public void settingUp() {
    reply.note("Setting up this thread's computer");
  }

  @Override
  public void wakingUp() {
    reply.note("Waking up this thread's computer");
  }

  @Override
  public void awake(Duration took, Instant filesOf) {
    reply.note(Phrases.awake(took, filesOf));
  }

  @Override
  public void waitingForRoom(int before) {
    reply.note(
        before == 0
            ? "All computers are in use; this thread gets the next one"
            : "All computers are in use; %d threads are in line before this one".formatted(before));
  }

  @Override
  public void startingAnew() {
    reply.note("Setting up a new computer");
  }

  @Override
  public void leavingBehind(int files) {
    reply.note(
        files == 1
            ? "One file cannot be read and stays on the old computer"
            : files + " files cannot be read and stay on the old computer");
  }
}
