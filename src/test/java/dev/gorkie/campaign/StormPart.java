package dev.gorkie.campaign;

import dev.gorkie.local.slack.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

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
    var planned = new ArrayList<Histories.Planned>();
    for (var seed = 1L; seed <= size.seedsOr(HISTORIES); seed++) {
      if (size.isWanted(seed)) {
        planned.add(new Histories.Planned("w" + seed, seed, Wish.of(seed), Plan.none()));
      }
    }
    var weather =
        new FutureTask<>(
            () -> blow(scene, figures, new Random(size.seed().orElse(1L))), "it is over");
    var blowing = Thread.ofVirtual().name("weather").start(weather);
    try {
      new Histories(scene, size, figures).run(planned);
    } finally {
      blowing.interrupt();
      blowing.join();
    }
    try {
      weather.get();
    } catch (ExecutionException failed) {
      throw new IOException("The weather did not last", failed.getCause());
    }
  }

  private static void blow(Scene scene, Figures figures, Random random) {
    var slack = scene.world().slack();
    try {
      while (true) {
        var lasts = between(STORM_MIN, STORM_MAX, random);
        for (var method : METHODS) {
          slack.fail(method, fault(scene.pace(), lasts, random));
        }
        figures.faults(1);
        figures.count("minutes of storm", lasts.toMinutes());
        Thread.sleep(scene.pace().scaled(lasts));
        slack.heal();
        Thread.sleep(scene.pace().scaled(CALM));
      }
    } catch (InterruptedException _) {
      slack.heal();
    }
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
