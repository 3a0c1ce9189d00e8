package dev.gorkie.pi;

/// What happens to a keeper that runs when somebody comes to have one started.
sealed interface Beginning {

  /// It goes on.
  record IfNeeded() implements Beginning {}

  /// It is killed, with whatever Pi is at, and another one is begun; but not for whoever lost the thread, and not once it has recorded
  /// this command, since what Pi is at then was wanted after it.
  record Anew(String before) implements Beginning {}

  /// It is killed, and the next one has forgotten every fence that this one has heard of.
  record ByForce() implements Beginning {}
}
