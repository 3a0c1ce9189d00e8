package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/// The database is away for 5 to 60 s, again and again: whatever is connected is cut off in the middle of what it says or is told, and
/// nobody is let in.
final class OutagePart implements StagedPart {

  private static final int HISTORIES = 300;
  private static final Duration AWAY_MIN = Duration.ofSeconds(5);
  private static final double AWAY_SPREAD = 12;
  // Shorter than a turn takes, and long enough for a thread to get further than it was.
  private static final Duration BACK_MIN = Duration.ofSeconds(10);
  private static final double BACK_SPREAD = 9;

  @Override
  public String name() {
    return "outage";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var bare = size.ofEach(HISTORIES, seed -> new Weather.Bare("b" + seed, seed, Wish.of(seed)));
    var weather = new Weather(number -> outage(scene, figures, new Random(number)), size.at());
    weather.over(new Histories(scene, size, figures), bare, figures);
  }

  private static Weather.Spell outage(Scene scene, Figures figures, Random random) {
    random.nextLong();
    var away = between(AWAY_MIN, AWAY_SPREAD, random);
    return new Weather.Spell(
        scene.pace().scaled(away),
        scene.pace().scaled(between(BACK_MIN, BACK_SPREAD, random)),
        () -> {
          scene.database().goAway();
          figures.count("seconds away", away.toSeconds());
        },
        scene.database()::comeBack);
  }

  /// As many short ones as long ones.
  private static Duration between(Duration least, double spread, Random random) {
    return Duration.ofMillis((long) (least.toMillis() * Math.pow(spread, random.nextDouble())));
  }
}
