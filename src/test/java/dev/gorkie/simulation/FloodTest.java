package dev.gorkie.simulation;

import dev.gorkie.attack.Attack;
import dev.gorkie.turns.FairLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A workspace in which one person has far more done than one may, without a pause, and the others ask now and then.
class FloodTest {

  private static final int PLACES = 20;
  // Far more than one may have under way.
  private static final int FLOODS = 500;
  private static final int OTHERS = 40;
  private static final Duration LASTS = Duration.ofHours(2);
  // The others keep a quarter of the places busy.
  private static final int SECONDS_BETWEEN = 240;
  private static final String FLOOD = "UFLOOD";

  @Test
  void who_floods_a_workspace_keeps_nobody_else_waiting() {
    var quiet = new ArrayList<Double>();
    var flooded = new ArrayList<Double>();
    // One workspace's slowest twentieth is some sixty answers, and scatters; all of them together
    // do not.
    var workspaces = Attack.cases(4, 40);
    for (var seed = 0; seed < workspaces; seed++) {
      quiet.addAll(new Hours(Attack.seed() + seed).run(0));
      flooded.addAll(new Hours(Attack.seed() + seed).run(FLOODS));
    }
    var times = slowest(flooded) / slowest(quiet);

    Attack.of("S15", "others' time to an answer while one person floods")
        .withstood(
            flooded.size(),
            times <= 1.1 ? List.of() : List.of("%.2f times as long".formatted(times)),
            String.format(Locale.ROOT, "95 of 100 within %.2f of usual", times));
  }

  /// The time within which 95 of 100 are answered, in seconds.
  private static double slowest(List<Double> answers) {
    return answers.stream().sorted().toList().get(answers.size() * 95 / 100);
  }

  /// Two hours of such a workspace.
  private static final class Hours {

    private final Course course = new Course();
    private final FairLine line = new FairLine(PLACES);
    private final Random random;
    private final Map<Long, Runnable> waiting = new HashMap<>();
    private final List<Double> others = new ArrayList<>();
    private long turns;

    Hours(long seed) {
      random = new Random(seed);
    }

    /// How long the others waited for each of their answers, in seconds.
    private List<Double> run(int flood) {
      for (var one = 0; one < flood; one++) {
        course.in(Duration.ofMillis(one), () -> ask(FLOOD));
      }
      for (var person = 0; person < OTHERS; person++) {
        var user = "U" + person;
        course.in(pause(), () -> ask(user));
      }
      course.run();
      return others;
    }

    private Duration pause() {
      return Duration.ofMillis(
          (long) (-Math.log(1 - random.nextDouble()) * SECONDS_BETWEEN * 1_000));
    }

    private void ask(String user) {
      var turn = turns++;
      var asked = course.now();
      // What is asked of the agent is the same with the flood and without.
      var takes =
          Duration.ofSeconds(
              20 + new Random(user.hashCode() * 31L + asked.getEpochSecond()).nextInt(20));
      Runnable works = () -> course.in(takes, () -> answered(turn, user, asked));
      if (line.line(turn, user).isEmpty()) {
        works.run();
      } else {
        waiting.put(turn, works);
      }
    }

    private void answered(long turn, String user, Instant asked) {
      line.leaves(turn);
      line.next().map(waiting::remove).ifPresent(Runnable::run);
      if (course.now().isAfter(course.begun().plus(LASTS))) {
        return;
      }
      if (user.equals(FLOOD)) {
        ask(user);
      } else {
        others.add(Duration.between(asked, course.now()).toMillis() / 1_000.0);
        course.in(pause(), () -> ask(user));
      }
    }
  }
}
