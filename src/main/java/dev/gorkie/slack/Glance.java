package dev.gorkie.slack;

import java.util.List;
import java.util.Optional;

/// A person has turned to us in Slack, or to something else while our conversation stands beside it.
///
/// @param direct the person's conversation with us, where Slack says which it is
/// @param opened whether the person has just come into it
public record Glance(
    String team, String user, Optional<String> direct, boolean opened, List<Seen> seen) {

  public Glance {
    seen = List.copyOf(seen);
  }

  /// Whether it is a channel that the person has before them.
  boolean isAtChannel() {
    return seen.stream()
        .anyMatch(it -> it.kind() == Seen.Kind.CHANNEL || it.kind() == Seen.Kind.MESSAGE);
  }
}
