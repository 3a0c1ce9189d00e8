package dev.gorkie.campaign;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/// A worker is killed, and several go round at once to look for what it left, while its thread wakes by itself or somebody writes in it.
/// Some of those who go round are killed on their way.
final class SweepPart implements StagedPart {

  private static final int HISTORIES = 400;

  // Each leaves something else: an unclaimed message, a lease, a machine without a row, a prompt,
  // words, an outcome.
  private static final List<String> BOUNDARIES =
      List.of(
          "db insert inbox after#1",
          "db update threads lease_owner after#1",
          "daytona POST /api/sandbox after#1",
          "daytona frame in give before#1",
          "slack chat.postMessage answer-1 before#1",
          "slack chat.postMessage answer-1 after#1",
          "db update inbox settled_at before#1",
          "db update inbox settled_at after#1");

  @Override
  public String name() {
    return "sweep";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var rounds = new AtomicLong();
    var planned = size.ofEach(HISTORIES, seed -> one(seed, rounds));
    new Histories(scene, size, figures).run(planned);
    figures.count("rounds", rounds.get());
  }

  private static Histories.Planned one(long seed, AtomicLong rounds) {
    var boundary = BOUNDARIES.get((int) (seed % BOUNDARIES.size()));
    var random = new Random(seed);
    random.nextLong();
    return new Histories.Planned(
        "r" + seed,
        seed,
        new Wish("tools", 200, false, false),
        Plan.of(Fault.kill(boundary)),
        history -> {
          Tale.ofOneMessage().tell(history);
          rounds.addAndGet(history.sweep(new Wish("plain", 200, true, false), random));
        });
  }
}
