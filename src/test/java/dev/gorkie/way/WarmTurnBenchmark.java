package dev.gorkie.way;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What Gorkie adds to a turn in a thread that is warm: from Slack's delivery to the answer in the thread, beside Pi
/// alone on the same prompt. Both in one run, so that the machine's own speed falls out.
final class WarmTurnBenchmark {

  private static final String PROMPT = "$ echo warm";
  private static final int TURNS = Integer.getInteger("turns", 20);

  // The first ones start the sandbox and warm the compilers up.
  private static final int UNCOUNTED = 3;

  private WarmTurnBenchmark() {}

  public static void main(String[] args) throws Exception {
    var stage = Stage.open();
    var alone = alone(stage);
    var through = through(stage);
    System.out.printf("Pi alone:       %s%n", Spread.of(alone));
    System.out.printf("through Gorkie: %s%n", Spread.of(through));
    System.out.printf(
        "of its own:     %d ms at the median, %.2f times Pi alone%n",
        Spread.of(through).median() - Spread.of(alone).median(),
        (double) Spread.of(through).median() / Spread.of(alone).median());
    System.exit(0);
  }

  private static List<Long> alone(Stage stage) throws IOException, InterruptedException {
    var image = Path.of(System.getenv("GORKIE"));
    var turns = Integer.toString(TURNS + UNCOUNTED);
    var program =
        new ProcessBuilder(
            image.resolve("bin/node").toString(), "src/test/sandbox/alone.mjs", PROMPT, turns);
    program.environment().putAll(stage.world().environment());
    program.redirectError(ProcessBuilder.Redirect.INHERIT);
    var running = program.start();
    var lines = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines();
    if (running.waitFor() != 0) {
      throw new IOException("Pi alone ended with " + running.exitValue());
    }
    return lines.skip(UNCOUNTED).map(line -> Math.round(Double.parseDouble(line))).toList();
  }

  private static List<Long> through(Stage stage) throws InterruptedException {
    var thread = stage.ask("general", PROMPT);
    var millis = new ArrayList<Long>();
    for (var turn = 1; turn < TURNS + UNCOUNTED; turn++) {
      var began = System.nanoTime();
      var wanted = Stage.answers(thread).size() + 1;
      stage.slack().reply(thread.channel(), thread.rootTs(), "ada", PROMPT);
      thread =
          stage
              .slack()
              .awaitThread(
                  thread.channel(),
                  thread.rootTs(),
                  now -> Stage.answers(now).size() >= wanted,
                  Stage.PATIENCE);
      millis.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
      thread = stage.answered(thread.channel(), thread.rootTs(), wanted);
    }
    return millis.subList(UNCOUNTED - 1, millis.size());
  }

  private record Spread(long least, long median, long most, int times) {

    static Spread of(List<Long> millis) {
      var sorted = millis.stream().sorted().toList();
      return new Spread(
          sorted.getFirst(), sorted.get(sorted.size() / 2), sorted.getLast(), sorted.size());
    }

    @Override
    public String toString() {
      return "%d ms (%d to %d, %d turns)".formatted(median, least, most, times);
    }
  }
}
