package dev.gorkie.slack;

import java.util.Optional;

/// Somebody looks at our page in Slack, or has changed something on it.
public record AtHome(String team, String user, Optional<Change> change) {

  public sealed interface Change {
    record Model(String model) implements Change {}

    record Instructions(String text) implements Change {}
  }
}
