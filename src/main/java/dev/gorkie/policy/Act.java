package dev.gorkie.policy;

/// What somebody wants of us.
public enum Act {
  /// Have us begin to work.
  START,
  /// Say something to work that is under way.
  STEER,
  /// End it.
  STOP,
  /// Allow what we have asked for.
  APPROVE,
  /// Change what counts for others, too.
  CONFIGURE,
  /// Change what counts for oneself, or ask how things are.
  CHOOSE,
  /// Have us read what was not written or shown here.
  READ,
  /// Take back what one has written.
  WITHDRAW
}
