package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Random;

/// A run of 40 minutes goes through the hands of four workers and more; every other one is killed besides.
final class HandoverPart implements StagedPart {

  private static final int HISTORIES = 6;
  private static final Duration RUN = Duration.ofMinutes(40);
  // With Lambda's quarter of an hour it would be three workers.
  private static final Duration WORKER_MAX = Duration.ofMinutes(10);
  private static final long HOPS_MIN = 3;
  private static final int SHORTER = 4;

  @Override
  public String name() {
    return "handover";
  }

  @Override
  public Form form(Size size) {
    return new Form(true, ofSelection(size, WORKER_MAX), 1);
  }

  // Every other one is killed.
  @Override
  public double faultsLeast() {
    return 0.25;
  }

  /// In a selection there is no time for so long a run, and a quarter of it has as many workers.
  private static Duration ofSelection(Size size, Duration duration) {
    return size.part().isEmpty() ? duration.dividedBy(SHORTER) : duration;
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var wish =
        new Wish(
            "long", (int) scene.pace().scaled(ofSelection(size, RUN)).toMillis(), false, false);
    var planned = size.ofEach(HISTORIES, seed -> one(seed, wish));
    var pauses = new ArrayList<Duration>();
    for (var outcome : new Histories(scene, size, figures).run(planned)) {
      var hops =
          scene.books().turns(outcome.about().thread()).stream()
              .mapToLong(turn -> Books.number(turn, "hops"))
              .sum();
      figures.count("hand-overs", hops);
      pauses.addAll(outcome.pauses());
      if (hops < HOPS_MIN) {
        figures.violated(
            outcome.name(),
            new Violation("R18", "only %d hand-overs".formatted(hops)),
            size.again(name(), outcome.seed(), outcome.wish(), outcome.plan()));
      }
    }
    Collections.sort(pauses);
    if (!pauses.isEmpty()) {
      figures.count("card stood still ms, p50", pauses.get(pauses.size() / 2).toMillis());
      figures.count("card stood still ms, max", pauses.getLast().toMillis());
    }
  }

  private static Histories.Planned one(long seed, Wish wish) {
    var tale = seed % 2 == 0 ? killedAt(new Random(seed).nextDouble()) : Tale.ofOneMessage();
    return new Histories.Planned("h" + seed, seed, wish, Plan.none(), tale);
  }

  private static Tale killedAt(double share) {
    return history -> {
      history.say(history.wish(), Plan.none());
      Thread.sleep((long) (history.wish().millis() * share));
      history.trace().killHolder();
    };
  }
}
