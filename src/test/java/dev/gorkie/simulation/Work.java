package dev.gorkie.simulation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// What one turn is made of, drawn by chance as turns are: most are short, a few take many minutes.
///
/// @param runs how long Pi works
/// @param isStreamed whether the answer is long enough to be seen while it is written
/// @param writes for how long it is written
public record Work(Duration runs, boolean isStreamed, Duration writes) {

  // A median of half a minute; one turn in twenty takes three and a half minutes and more.
  private static final double MEDIAN_SECONDS = 30;
  private static final double SIGMA = 1.2;
  private static final double SECONDS_MOST = 1_200;

  /// Of these, with the long ones cut off at the run's limit.
  static final double SECONDS_MEAN = 61;

  private static final double STREAMED = 0.4;
  private static final double WRITING_SECONDS = 15;

  static Work draw(RandomGenerator random) {
    var seconds = Math.min(SECONDS_MOST, MEDIAN_SECONDS * Math.exp(SIGMA * random.nextGaussian()));
    return new Work(
        seconds(seconds),
        random.nextDouble() < STREAMED,
        seconds(Math.min(seconds / 2, WRITING_SECONDS)));
  }

  /// One that always takes as long.
  public static Work of(Duration runs, Duration writes) {
    return new Work(runs, true, writes);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }
}
