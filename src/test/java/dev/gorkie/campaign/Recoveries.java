package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// How long it takes until somebody sees the work go on that a worker left, killed or in order.
public final class Recoveries {

  private Recoveries() {}

  /// What a part of the campaign came to, in the time that passes without its hurry.
  ///
  /// @throws IllegalStateException when anything was lost or said twice
  public static List<Duration> of(String part, Duration most)
      throws IOException, InterruptedException {
    var size = Size.from(Map.of("CAMPAIGN_PART", part)).within(most);
    var figures = Campaign.run(Campaign.part(part), size);
    if (figures.violations() > 0) {
      throw new IllegalStateException(
          figures.violations() + " promises were broken, as said above");
    }
    return figures.recoveries().stream().map(it -> it.multipliedBy(size.time())).toList();
  }
}
