package dev.gorkie.campaign;

import java.time.Duration;

/// What the functions are like for a part.
///
/// @param freezing whether their processes stand still between two invocations
/// @param functionMax after which Lambda ends the worker, undivided
/// @param doors how many of the ingress's processes are kept started beyond those that work
record Form(boolean freezing, Duration functionMax, int doors) {

  static Form usual() {
    return new Form(true, Duration.ofMinutes(15), 1);
  }

  Form withDoors(int newDoors) {
    return new Form(freezing, functionMax, newDoors);
  }
}
