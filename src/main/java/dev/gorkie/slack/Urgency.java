package dev.gorkie.slack;

/// What comes first when there is little left to say it with.
enum Urgency {
  /// Waits as long as it takes and is never left out.
  ANSWER,
  /// That somebody is at work, or has done.
  SIGN,
  /// The next state of a card makes up for one that was left out.
  PROGRESS
}
