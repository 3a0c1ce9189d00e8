package dev.gorkie.policy;

/// What somebody is in the workspace, as Slack tells it.
public enum Standing {
  MEMBER,
  /// In some channels only.
  GUEST,
  /// Of another company, met in a channel that is shared with it.
  STRANGER,
  /// A program that the operator has named.
  PROGRAM,
  /// Any other program.
  UNKNOWN_PROGRAM,
  /// Whose account is closed.
  GONE,
  /// Slack did not tell in time. What harms nobody else is not kept from a person for that.
  UNTOLD
}
