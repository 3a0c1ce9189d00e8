package dev.gorkie.local.slack;

import java.time.Duration;
import java.util.List;

/// How long Slack takes over things. What the app is granted to answer is never divided, since the app's own work is not.
///
/// @param cutOff how long a delivery may take before it counts as failed
/// @param retries the waits before the second and each later attempt of a delivery
/// @param statusLife when an assistant status that nobody renewed disappears
/// @param processingLife when a session's `processing` that nobody renewed disappears
/// @param streamLife after which a message can be appended to no more, however much is written
/// @param fileAppears how long after its completion an uploaded file shows up as a message
public record Delays(
    Duration cutOff,
    List<Duration> retries,
    Duration statusLife,
    Duration processingLife,
    Duration streamLife,
    Duration fileAppears) {

  public Delays {
    retries = List.copyOf(retries);
  }

  /// As Slack has them.
  public static Delays real() {
    return dividedBy(1);
  }

  public static Delays dividedBy(long scale) {
    return new Delays(
        Duration.ofSeconds(3),
        List.of(
            Duration.ZERO,
            Duration.ofMinutes(1).dividedBy(scale),
            Duration.ofMinutes(5).dividedBy(scale)),
        Duration.ofMinutes(2).dividedBy(scale),
        Duration.ofSeconds(3601).dividedBy(scale),
        Duration.ofMinutes(5).dividedBy(scale),
        Duration.ofMillis(400).dividedBy(scale));
  }
}
