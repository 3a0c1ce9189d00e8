package dev.gorkie.campaign;

import dev.gorkie.way.FunctionZip;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// How long it takes until somebody sees the work go on that a worker left, killed or in order.
public final class Recoveries {

  // Without any hurry nearly all of a history is waiting, so that many share the processors. A
  // process of classes takes 2.6 s of one to start, a native one next to nothing, and what is
  // measured is not how processes wait for each other.
  private static final String TIME = "1";
  private static final String SIDE = "5";
  private static final String SIDE_NATIVELY = "20";

  private Recoveries() {}

  /// What a part of the campaign came to, without the hurry that it usually has.
  ///
  /// @throws IllegalStateException when anything was lost or said twice
  public static List<Duration> of(String part, Duration most)
      throws IOException, InterruptedException {
    var side = FunctionZip.unpacked().isNative() ? SIDE_NATIVELY : SIDE;
    var size =
        Size.from(Map.of("CAMPAIGN_PART", part, "CAMPAIGN_TIME", TIME, "CAMPAIGN_SIDE", side))
            .within(most);
    var figures = Campaign.run(Campaign.part(part), size);
    if (figures.violations() > 0) {
      throw new IllegalStateException(
          figures.violations() + " promises were broken, as said above");
    }
    return figures.shown();
  }
}
