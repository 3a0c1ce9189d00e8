package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/// A worker is killed at every boundary of a turn; at each it is also frozen once, and once loses what passes.
final class KillPart implements Part {

  private static final int SEEDS = 25;
  // The process dies the same death on both sides of what only reads, or of what the next boundary
  // stands right behind.
  private static final Pattern UNEVENTFUL =
      Pattern.compile(
          "db (something|begin|select|pg_advisory|commit of select|commit of pg_).*|db commit .* before#1");
  private static final int MILLIS = 200;
  // From before the lease has lapsed to long after.
  private static final Duration FROZEN_MIN = Duration.ofSeconds(10);
  private static final Duration FROZEN_SPREAD = Duration.ofSeconds(120);

  @Override
  public String name() {
    return "kill";
  }

  /// These and no others, for who has no time to learn what boundaries there are.
  static List<Histories.Planned> these(List<Fault> faults) {
    var planned = new ArrayList<Histories.Planned>();
    for (var fault : faults) {
      var place = planned.size();
      planned.add(
          new Histories.Planned("i" + place, place, wish(kinds(), place), Optional.of(fault)));
    }
    return planned;
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var boundaries = new LinkedHashMap<String, List<Wish>>();
    if (size.boundary().isEmpty()) {
      learn(scene, size, figures, boundaries);
      figures.count("boundaries", boundaries.size());
      boundaries.keySet().forEach(boundary -> System.out.println("  " + boundary));
    } else {
      var named = size.boundary().get().split(Size.KIND, 2);
      boundaries.put(
          named[0],
          kinds().stream().filter(it -> named.length < 2 || it.kind().equals(named[1])).toList());
    }
    new Histories(scene, size, figures).run(planned(size, scene.pace(), boundaries));
  }

  /// Of what comes more often only the first counts here: the rest are the same at another time, which is tried elsewhere.
  /// Turns of each kind without a fault show what boundaries there are.
  private void learn(Scene scene, Size size, Figures figures, Map<String, List<Wish>> boundaries)
      throws IOException, InterruptedException {
    var quiet = new ArrayList<Histories.Planned>();
    for (var wish : kinds()) {
      quiet.add(new Histories.Planned("t" + quiet.size(), 1, wish, Optional.empty()));
    }
    for (var outcome : new Histories(scene, size, figures).run(quiet)) {
      for (var boundary : outcome.boundaries()) {
        if (boundary.endsWith("#1") && !UNEVENTFUL.matcher(boundary).matches()) {
          boundaries.computeIfAbsent(boundary, _ -> new ArrayList<>()).add(outcome.wish());
        }
      }
    }
  }

  private static List<Wish> kinds() {
    var kinds = new ArrayList<Wish>();
    for (var shape : List.of("tools", "plain", "file")) {
      kinds.add(new Wish(shape, MILLIS, false, false));
    }
    kinds.add(new Wish("tools", MILLIS, true, false));
    return kinds;
  }

  private static List<Histories.Planned> planned(
      Size size, Pace pace, Map<String, List<Wish>> boundaries) {
    var planned = new ArrayList<Histories.Planned>();
    var place = 0;
    for (var boundary : boundaries.entrySet()) {
      place++;
      for (var seed = 1L; seed <= size.seedsOr(SEEDS) + 2L; seed++) {
        if (size.seed().isPresent() && size.seed().get() != seed) {
          continue;
        }
        var kinds = boundary.getValue();
        planned.add(
            new Histories.Planned(
                "k" + place + "s" + seed,
                seed,
                wish(kinds, seed),
                Optional.of(fault(boundary.getKey(), seed, size, pace))));
      }
    }
    // Whatever there is time for is a fair sample.
    Collections.shuffle(planned, new Random(1));
    return planned;
  }

  private static Wish wish(List<Wish> kinds, long seed) {
    return kinds.get((int) (seed % kinds.size()));
  }

  /// All but the last two seeds kill.
  private static Fault fault(String boundary, long seed, Size size, Pace pace) {
    var kills = size.seedsOr(SEEDS);
    if (seed <= kills) {
      return Fault.kill(boundary);
    }
    if (seed == kills + 1) {
      return Fault.cut(boundary);
    }
    var random = new Random(boundary.hashCode());
    var frozen = FROZEN_MIN.plusMillis((long) (random.nextDouble() * FROZEN_SPREAD.toMillis()));
    return Fault.freeze(boundary, pace.scaled(frozen));
  }
}
