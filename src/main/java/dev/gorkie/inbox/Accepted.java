package dev.gorkie.inbox;

/// What the inbox made of a delivery.
public enum Accepted {
  /// It waits for its turn now.
  WAITING,
  /// It waits for its turn, which does not come before somebody has answered a question of ours.
  HELD_UP,
  /// It is known already; at most it was fuller than before.
  KNOWN,
  /// It changed a message that waits, or took it back.
  CHANGED,
  /// It was a command, and is obeyed in the same transaction.
  OBEYED,
  /// Nobody asked us: it is talk in a thread that we do not follow.
  NOT_FOR_US,
}
