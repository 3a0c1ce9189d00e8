package dev.gorkie.local.aws;

import java.time.Duration;
import java.time.Instant;

/// A payload in a function's queue.
record Event(String requestId, String payload, Instant accepted) {

  Duration age() {
    return Duration.between(accepted, Instant.now());
  }
}
