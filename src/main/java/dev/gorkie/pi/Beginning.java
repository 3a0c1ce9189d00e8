package dev.gorkie.pi;

/// What happens to a keeper that runs when somebody comes to have one started.
enum Beginning {
  /// It goes on.
  IF_NEEDED,
  /// It is killed, with whatever Pi is at, and another one is begun; but not for whoever lost the thread.
  ANEW,
  /// The same, and the next one has forgotten every fence that this one has heard of.
  BY_FORCE
}
