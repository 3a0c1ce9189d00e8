package dev.gorkie.campaign;

import dev.gorkie.way.FunctionZip;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/// The release before is deployed and the present one again, time after time, while turns run: both work on the same rows. Who is at work
/// goes on, or is killed, so that a worker of the other release takes over what he had in hand.
final class DeployPart implements StagedPart {

  private static final int HISTORIES = 300;
  // From what one turn takes to several; all processes start anew each time, which takes a JVM
  // longer.
  private static final Duration LIVE_MIN = Duration.ofSeconds(30);
  private static final Duration LIVE_MIN_ON_JVM = Duration.ofMinutes(2);
  private static final double LIVE_SPREAD = 8;
  // So long that many turns see another release come.
  private static final int LONGER = 10;

  @Override
  public String name() {
    return "deploy";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var now = FunctionZip.unpacked();
    var before = size.old().isPresent() ? FunctionZip.unpacked(size.old().get()) : now;
    var bare =
        size.ofEach(
            HISTORIES, seed -> new Weather.Bare("d" + seed, seed, Wish.of(seed).lasting(LONGER)));
    var weather =
        new Weather(
            number -> {
              var random = new Random(number);
              random.nextLong();
              return new Weather.Spell(
                  scene.pace().scaled(live(now, random)),
                  scene.pace().scaled(live(now, random)),
                  deployment(scene, before, random.nextBoolean(), figures),
                  deployment(scene, now, random.nextBoolean(), figures));
            },
            size.at());
    weather.over(new Histories(scene, size, figures), bare, figures);
  }

  private static Runnable deployment(
      Scene scene, FunctionZip release, boolean abrupt, Figures figures) {
    return () -> {
      var workers = scene.crew().workers();
      scene.publish(release);
      figures.count("deployments", 1);
      if (abrupt) {
        for (var worker : workers) {
          scene.crew().kill(worker);
          figures.count("killed at work", 1);
        }
      }
    };
  }

  /// As many short ones as long ones.
  private static Duration live(FunctionZip release, Random random) {
    var least = release.isNative() ? LIVE_MIN : LIVE_MIN_ON_JVM;
    return Duration.ofMillis(
        (long) (least.toMillis() * Math.pow(LIVE_SPREAD, random.nextDouble())));
  }
}
