package dev.gorkie.slack;

import java.util.Optional;

/// What we prove ourselves by in a workspace.
@FunctionalInterface
interface Tokens {

  /// Empty where nobody has let us in.
  Optional<String> of(String team);

  /// Slack does not take it any more: it is not to be believed in without asking.
  default void refused(String team) {}
}
