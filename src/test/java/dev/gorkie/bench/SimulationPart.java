package dev.gorkie.bench;

import dev.gorkie.simulation.Limits;
import dev.gorkie.simulation.Outcome;
import dev.gorkie.simulation.Scenario;
import dev.gorkie.simulation.Simulation;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What becomes of answers, cards and costs where nobody here can run it.
final class SimulationPart implements Part {

  private static final int AT_ONCE = 10_000;
  private static final int THREADS = 100_000;
  private static final int WORKSPACES = 200;
  private static final int TIMES = 10;
  private static final int NOISE = 100;
  private static final double EDIT_INTERVAL_SECONDS = 2;
  private static final double LATE_PERCENT_MOST = 0.1;
  // A workspace's share, four times over.
  private static final int IN_LINE = 20;
  private static final double QUIET_LONGER_MOST = 1.1;
  private static final Duration OUTAGE = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMinutes(16);
  private static final Duration FULL = Duration.ofMinutes(30);
  private static final String OTHERS = ": waited beside Pi's work, in the other workspaces";

  @Override
  public String name() {
    return "simulation";
  }

  @Override
  public void run(Size size, Figures figures) {
    var smaller = size.of("smaller", 10, 1);
    var lasts = size.isFull() ? FULL : SHORT;
    var atOnce = AT_ONCE / smaller;
    var usual = atOnce / TIMES;
    var many = Limits.askedFor(atOnce);
    for (var scenario : scenarios(smaller, atOnce, usual, many)) {
      var outcome = Simulation.run(scenario.lasting(lasts));
      tell(scenario.name(), outcome, figures);
    }
    figures.remark(
        "%d threads in %d workspaces, %d turns at once, or %d where something happens to them. The services allow what somebody asks for who has so many, but for the scenario that says otherwise."
            .formatted(THREADS / smaller, WORKSPACES / smaller, atOnce, usual));
  }

  private static List<Scenario> scenarios(int smaller, int atOnce, int usual, Limits many) {
    var workspaces = WORKSPACES / smaller;
    var threads = THREADS / smaller;
    return List.of(
        Scenario.of("usual", workspaces, threads, usual, many),
        Scenario.of("ten times as many", workspaces, threads, atOnce, many),
        Scenario.of("ten times as many at nine o'clock", workspaces, threads, usual, many)
            .burst(TIMES),
        Scenario.of("one workspace a hundred times as loud", workspaces, threads, usual, many)
            .noise(NOISE),
        Scenario.of(
                "one workspace a hundred times as loud, %d turns at once in each"
                    .formatted(IN_LINE),
                workspaces,
                threads,
                usual,
                many.perWorkspace(IN_LINE))
            .noise(NOISE),
        Scenario.of("ten minutes without Slack", workspaces, threads, usual, many).outage(OUTAGE),
        Scenario.of(
            "with what the services give without being asked",
            workspaces,
            threads,
            usual,
            Limits.published()));
  }

  private static void tell(String name, Outcome outcome, Figures figures) {
    var late =
        Figure.of(
            name + ": answers later than one edit interval",
            Figure.Unit.PERCENT,
            100 * outcome.shareLater(EDIT_INTERVAL_SECONDS));
    figures.add(
        Figure.of(
            name + ": an answer, from its last word to where it is read",
            Figure.Unit.S,
            outcome.late()));
    figures.add(name.contains("without") ? late : late.goal(LATE_PERCENT_MOST));
    var others = Figure.of(name + OTHERS, Figure.Unit.S, outcome.quietWaits());
    var usual = figures.find("usual" + OTHERS);
    var compared = usual.isPresent() ? others.beside("usual" + OTHERS) : others;
    figures.add(
        name.contains("loud")
            ? compared.goal(QUIET_LONGER_MOST * usual.orElseThrow().spread().p50())
            : compared);
    if (!outcome.betweenEdits().isEmpty()) {
      figures.add(
          Figure.of(name + ": between two edits of a card", Figure.Unit.S, outcome.betweenEdits()));
    }
    figures.add(
        Figure.of(name + ": functions and sandboxes", Figure.Unit.DOLLARS, outcome.dollars()));
    figures.remark(
        "%s: %d turns were asked for, %d answered, at most %d at once on %d machines; Slack refused %d calls; the database was busy for %.0f %% of the time. What held turns up most: %s (%s)."
            .formatted(
                name,
                outcome.asked(),
                outcome.answered(),
                outcome.atOnce(),
                outcome.machines(),
                outcome.refused(),
                100 * outcome.databaseUsed(),
                outcome.bottleneck(),
                waits(outcome)));
  }

  private static String waits(Outcome outcome) {
    return outcome.waited().entrySet().stream()
        .filter(one -> one.getValue() > 0)
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .map(
            one ->
                "%s %s s"
                    .formatted(one.getKey(), Table.number(one.getValue() / outcome.answered())))
        .collect(Collectors.joining(", "));
  }
}
