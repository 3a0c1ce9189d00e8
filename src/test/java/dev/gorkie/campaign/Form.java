package dev.gorkie.campaign;

import java.time.Duration;

/// What the functions are like for a part.
///
/// @param freezing whether their processes stand still between two invocations
/// @param functionMax after which Lambda ends the worker, undivided
record Form(boolean freezing, Duration functionMax) {

  static Form usual() {
    return new Form(true, Duration.ofMinutes(15));
  }
}
