package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs histories side by side, and looks at each a second time when all are over.
final class Histories {

  private static final Duration TOLD_EVERY = Duration.ofSeconds(30);

  private final Scene scene;
  private final Size size;
  private final Figures figures;
  private final List<History.Outcome> judged = new ArrayList<>();
  private Instant told = Instant.now();
  private int awaited;
  private int reached;

  /// One that is to be run.
  record Planned(String name, long seed, Wish wish, Plan plan, Tale tale) {

    Planned(String name, long seed, Wish wish, Plan plan) {
      this(name, seed, wish, plan, Tale.ofOneMessage());
    }

    private History in(Scene scene) {
      return new History(scene, name, seed, wish, plan);
    }
  }

  Histories(Scene scene, Size size, Figures figures) {
    this.scene = scene;
    this.size = size;
    this.figures = figures;
  }

  /// Those for which there was time.
  List<History.Outcome> run(List<Planned> planned) throws IOException, InterruptedException {
    var until = Instant.now().plus(size.most());
    try (var side = Executors.newFixedThreadPool(size.side(), Thread.ofVirtual().factory())) {
      var running = planned.stream().map(one -> side.submit(() -> run(one, until))).toList();
      for (var one : running) {
        await(one);
      }
    }
    lookAgain();
    if (awaited > 0 && reached * 2 < awaited) {
      figures.missed("of %d planned faults %d struck".formatted(awaited, reached));
    }
    return List.copyOf(judged);
  }

  private boolean run(Planned planned, Instant until) throws IOException, InterruptedException {
    if (Instant.now().isAfter(until)) {
      figures.count("left out for want of time", 1);
      return false;
    }
    var outcome = planned.in(scene).run(planned.tale());
    figures.add(outcome);
    keep(outcome);
    if (planned.plan().isAwaited() && outcome.strikes() == 0) {
      figures.count("boundary not reached", 1);
      System.out.println("  not reached: " + planned.plan() + Size.KIND + planned.wish().kind());
    }
    return true;
  }

  private synchronized void keep(History.Outcome outcome) {
    judged.add(outcome);
    if (outcome.plan().isAwaited()) {
      awaited++;
      reached += outcome.strikes() > 0 ? 1 : 0;
    }
    if (Instant.now().isAfter(told.plus(TOLD_EVERY))) {
      told = Instant.now();
      System.out.printf(
          "%s: %d histories, %d violations, %d s%n",
          figures.part(), figures.histories(), figures.violations(), figures.took().toSeconds());
    }
  }

  /// Something may have come late: Lambda's retries, a word of an older holder's.
  private void lookAgain() throws IOException, InterruptedException {
    var judge = new Judge(scene);
    var durable = judge.durable();
    for (var one : judged) {
      var found = new ArrayList<>(durable.getOrDefault(one.about().channel(), List.of()));
      if (one.violations().isEmpty()) {
        found.addAll(judge.look(one.about()));
      }
      for (var violation : found) {
        figures.violated(
            one.name() + ", later",
            violation,
            size.again(figures.part(), one.seed(), one.wish(), one.plan()));
      }
    }
  }

  private static void await(Future<Boolean> one) throws IOException, InterruptedException {
    try {
      one.get();
    } catch (ExecutionException failed) {
      throw new IOException("A history could not be run to its end", failed.getCause());
    }
  }
}
