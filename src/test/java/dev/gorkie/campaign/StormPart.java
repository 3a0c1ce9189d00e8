package dev.gorkie.campaign;

import dev.gorkie.local.slack.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

/// For up to half an hour at a time Slack takes nothing: it says when to come back, or it is broken, each method in its
/// own way.
final class StormPart implements StagedPart {

  private static final int HISTORIES = 200;
  private static final Duration STORM_MIN = Duration.ofMinutes(1);
  private static final Duration STORM_MAX = Duration.ofMinutes(30);
  private static final Duration CALM = Duration.ofMinutes(1);
  private static final Duration BACK_MIN = Duration.ofSeconds(1);
  // Slack's own, after which it is worth another try.
  private static final int BROKEN = 503;
  private static final double IS_BROKEN = 0.2;
  private static final List<String> METHODS =
      List.of(
          "chat.postMessage",
          "chat.update",
          "chat.delete",
          "chat.startStream",
          "chat.appendStream",
          "chat.stopStream",
          "conversations.replies",
          "files.getUploadURLExternal",
          "files.completeUploadExternal",
          "files.info",
          "agents.sessions.setStatus",
          "reactions.add",
          "users.info");

  @Override
  public String name() {
    return "storm";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var bare = size.ofEach(HISTORIES, seed -> new Weather.Bare("w" + seed, seed, Wish.of(seed)));
    var weather = new Weather(number -> storm(scene, figures, new Random(number)), size.at());
    weather.over(new Histories(scene, size, figures), bare, figures);
  }

  private static Weather.Spell storm(Scene scene, Figures figures, Random random) {
    random.nextLong();
    var lasts = between(STORM_MIN, STORM_MAX, random);
    var faults = new LinkedHashMap<String, Fault>();
    METHODS.forEach(method -> faults.put(method, fault(scene.pace(), lasts, random)));
    return new Weather.Spell(
        scene.pace().scaled(lasts),
        scene.pace().scaled(CALM),
        () -> {
          faults.forEach(scene.world().slack()::fail);
          figures.count("minutes of storm", lasts.toMinutes());
        },
        scene.world().slack()::heal);
  }

  /// Whoever is told to come back sooner than it makes sense is told again.
  private static Fault fault(Pace pace, Duration storm, Random random) {
    return random.nextDouble() < IS_BROKEN
        ? new Fault.Status(BROKEN)
        : new Fault.RateLimited(pace.scaled(between(BACK_MIN, storm, random)));
  }

  /// As many short ones as long ones.
  private static Duration between(Duration least, Duration most, Random random) {
    var times = (double) most.toMillis() / least.toMillis();
    return Duration.ofMillis((long) (least.toMillis() * Math.pow(times, random.nextDouble())));
  }
}
