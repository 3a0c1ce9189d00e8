package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/// A worker stands still for 1 to 900 s at some boundary, while another takes over, and goes on then.
final class FrozenPart implements StagedPart {

  private static final int HISTORIES = 1_000;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final double SPREAD = 900;

  @Override
  public String name() {
    return "frozen";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var boundaries =
        size.boundary().isPresent()
            ? Boundaries.named(size.boundary().get())
            : Boundaries.learn(scene, size, figures);
    new Histories(scene, size, figures)
        .run(size.ofEach(HISTORIES, seed -> one(seed, boundaries, scene.pace())));
  }

  private static Histories.Planned one(long seed, Boundaries boundaries, Pace pace) {
    var random = new Random(seed);
    random.nextLong();
    var frozen = pace.scaled(duration(random.nextDouble()));
    var boundary = boundaries.names().get(random.nextInt(boundaries.names().size()));
    return new Histories.Planned(
        "f" + seed,
        seed,
        boundaries.turnWith(boundary, seed),
        Plan.of(Fault.freeze(boundary, frozen)));
  }

  /// As many between 1 and 30 s as between 30 and 900.
  private static Duration duration(double share) {
    return Duration.ofMillis((long) (SHORTEST.toMillis() * Math.pow(SPREAD, share)));
  }
}
