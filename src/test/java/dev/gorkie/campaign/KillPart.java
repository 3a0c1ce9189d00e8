package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// A worker is killed at every boundary of a turn; at each it is also frozen once, and once loses what passes.
final class KillPart implements StagedPart {

  private static final int SEEDS = 25;
  // A turn has some hundred; with so few, whoever names them has forgotten how.
  private static final int BOUNDARIES_LEAST = 40;
  // From before the lease has lapsed to long after.
  private static final Duration FROZEN_MIN = Duration.ofSeconds(10);
  private static final Duration FROZEN_SPREAD = Duration.ofSeconds(120);

  @Override
  public String name() {
    return "kill";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var boundaries =
        size.boundary().isPresent()
            ? Boundaries.named(size.boundary().get())
            : Boundaries.learn(scene, size, figures);
    if (size.boundary().isEmpty() && boundaries.names().size() < BOUNDARIES_LEAST) {
      figures.missed("only %d boundaries are known".formatted(boundaries.names().size()));
    }
    new Histories(scene, size, figures).run(planned(size, scene.pace(), boundaries));
  }

  private static List<Histories.Planned> planned(Size size, Pace pace, Boundaries boundaries) {
    var planned = new ArrayList<Histories.Planned>();
    var place = 0;
    for (var boundary : boundaries.names()) {
      place++;
      // All but the last two seeds kill.
      for (var seed = 1L; seed <= size.seedsOr(SEEDS) + 2L; seed++) {
        if (size.isWanted(seed)) {
          planned.add(
              new Histories.Planned(
                  "k" + place + "s" + seed,
                  seed,
                  boundaries.turnWith(boundary, seed),
                  Plan.of(fault(boundary, seed, size, pace))));
        }
      }
    }
    // Whatever there is time for is a fair sample.
    Collections.shuffle(planned, new Random(1));
    return planned;
  }

  private static Fault fault(String boundary, long seed, Size size, Pace pace) {
    var kills = size.seedsOr(SEEDS);
    if (seed <= kills) {
      return Fault.kill(boundary);
    }
    if (seed == kills + 1L) {
      return Fault.cut(boundary);
    }
    var random = new Random(boundary.hashCode());
    var frozen = FROZEN_MIN.plusMillis((long) (random.nextDouble() * FROZEN_SPREAD.toMillis()));
    return Fault.freeze(boundary, pace.scaled(frozen));
  }
}
