package dev.gorkie.slack;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What one worker has a thread by. Slack knows nothing of it, so we say nothing that might arrive after it is lost.
public interface Hold {

  /// Higher than that of everybody who had the thread before.
  long fence();

  /// Whether the thread is ours for so long at least, as far as one can know without asking.
  boolean lasts(Duration atLeast);

  /// Since when the one before us had the thread no more, when he did not give it back himself: his last words may
  /// still be on their way.
  Optional<Instant> lapsed();

  /// How many turns are at work in this workspace, this one among them, as far as one can know without asking.
  int turns();
}
