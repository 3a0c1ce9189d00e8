package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// A worker is killed at every tenth millisecond of turns of three seconds.
final class MomentPart implements StagedPart {

  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration TURN = Duration.ofSeconds(3);
  // What it takes until Pi is spoken to, and afterwards, is part of the turn.
  private static final int PI_MILLIS = 2_300;

  @Override
  public String name() {
    return "moment";
  }

  // In the last moments of some turns nobody is there to be killed.
  @Override
  public double faultsLeast() {
    return 0.5;
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var planned = new ArrayList<Histories.Planned>();
    var seed = 0L;
    for (var shape : List.of("tools", "plain", "file")) {
      for (var at = STEP; at.compareTo(TURN) <= 0; at = at.plus(STEP)) {
        seed++;
        if (size.isWanted(seed)) {
          var moment = at;
          Tale tale =
              history -> {
                history.say(history.wish(), Plan.none());
                Thread.sleep(moment);
                history.trace().killHolder();
              };
          var wish = new Wish(shape, PI_MILLIS, false, false);
          planned.add(new Histories.Planned("m" + seed, seed, wish, Plan.none(), tale));
        }
      }
    }
    // Whatever there is time for is a fair sample.
    Collections.shuffle(planned, new Random(1));
    new Histories(scene, size, figures).run(planned);
  }
}
