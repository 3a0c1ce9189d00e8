package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.attack.Attack;
import dev.gorkie.local.slack.ThreadView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What runs in one person's sandbox takes all it can, and nobody else is left without an answer. How much of the machine under it a
/// sandbox may have is Daytona's to hold; here all share one.
class AbuseIT {

  // A tree of 255 processes that sleep for longer than anybody waits, each in a session of its own.
  private static final String TREE =
      "$ f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; exec setsid sleep 987; }; f 7 >/dev/null 2>&1 & sleep 1; echo planted";
  private static final String FLOOD = "$ head -c %d /dev/zero | tr '\\0' x; echo; echo flooded";
  private static final String LINES = "$ seq 1 %d; echo counted";

  private final Stage stage = Stage.open();

  @Test
  void who_takes_all_of_a_sandbox_takes_nothing_from_others() throws Exception {
    stage.slack().addPerson("mallory", "Mallory");
    var megabytes = Attack.cases(32, 1_000);
    var abuses =
        List.of(TREE, FLOOD.formatted(megabytes * 1_000_000L), LINES.formatted(megabytes * 10_000));
    var through = new ArrayList<String>();
    var usual = new ArrayList<Duration>();
    var meanwhile = new ArrayList<Duration>();
    asks(usual, through);

    var roots = new ArrayList<String>();
    for (var abuse : abuses) {
      roots.add(stage.slack().say("general", "mallory", "@gorkie " + abuse));
      asks(meanwhile, through);
    }

    for (var root : roots) {
      var ended = stage.answered("general", root, 1);
      var left = sleepers(ended);
      if (left > 0) {
        through.add(left + " processes outlived their turn: " + ended.plain());
      }
    }
    if (!stage.gorkie().process().isAlive()) {
      through.add("The worker has ended");
    }
    Attack.of("S15", "turns beside a fork bomb, a flood of output and of lines")
        .withstood(
            abuses.size() + meanwhile.size(),
            through,
            String.format(
                Locale.ROOT,
                "%.1f s, and %.1f s meanwhile on one machine for all",
                worst(usual),
                worst(meanwhile)));
    assertTrue(meanwhile.size() >= abuses.size(), Map.of("meanwhile", meanwhile).toString());
  }

  private void asks(List<Duration> times, List<String> through) throws InterruptedException {
    var begun = System.nanoTime();
    var thread = stage.ask("general", "$ echo $((6*7))-of-ada");
    times.add(Duration.ofNanos(System.nanoTime() - begun));
    if (!Stage.answer(thread).contains("42-of-ada")) {
      through.add(thread.plain());
    }
  }

  private long sleepers(ThreadView thread) {
    return stage.sandboxOf(thread).processes().stream()
        .filter(process -> process.info().commandLine().orElse("").contains("sleep 987"))
        .count();
  }

  private static double worst(List<Duration> times) {
    return times.stream().mapToLong(Duration::toMillis).max().orElse(0) / 1_000.0;
  }
}
