package dev.gorkie.campaign;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a part came to. Many histories tell it at once.
final class Figures {

  // A busy machine does not always start a process in the three seconds that Slack grants.
  private static final int GIVEN_UP_MOST_EVERY = 10;

  private final String part;
  private final Size size;
  private final PrintStream out;
  private final Instant begun = Instant.now();
  private final List<Duration> recoveries = new ArrayList<>();
  private final List<Duration> shown = new ArrayList<>();
  private final List<Duration> recoveriesUntaken = new ArrayList<>();
  private final Map<String, Integer> apologies = new TreeMap<>();
  private final Map<String, Long> more = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();
  private long histories;
  private long messages;
  private long givenUp;
  private long faults;

  Figures(String part, Size size, PrintStream out) {
    this.part = part;
    this.size = size;
    this.out = out;
  }

  String part() {
    return part;
  }

  synchronized void add(History.Outcome outcome) {
    histories++;
    messages += outcome.about().told().size();
    givenUp += outcome.givenUp();
    faults += outcome.strikes();
    outcome
        .recovery()
        .ifPresent(it -> (outcome.takenBefore() ? recoveries : recoveriesUntaken).add(it));
    outcome.shown().filter(_ -> outcome.takenBefore()).ifPresent(shown::add);
    outcome
        .apologies()
        .forEach(
            code -> {
              if (outcome.wish().isStopped()) {
                more.merge(code, 1L, Long::sum); // it was asked for
              } else {
                apologies.merge(code, 1, Integer::sum);
              }
            });
    outcome
        .violations()
        .forEach(
            violation ->
                violated(
                    outcome.name(),
                    violation,
                    size.again(part, outcome.seed(), outcome.wish(), outcome.plan())));
    if (!outcome.page().isEmpty()) {
      out.println(outcome.page());
    }
  }

  synchronized void violated(String where, Violation violation, String again) {
    violations.add(violation + " (" + where + ")");
    out.println("VIOLATION in " + where + ": " + violation);
    out.println("  again:  " + again);
  }

  /// So much was not tried that nothing is shown by what was.
  synchronized void missed(String what) {
    missed.add(what);
    out.println("NOT TRIED ENOUGH: " + part + ": " + what);
  }

  /// @param faultsLeast for each history
  synchronized void mustHaveTried(double faultsLeast) {
    if (histories == 0) {
      missed("there was no history");
    } else if (faults < Math.floor(histories * faultsLeast)) {
      missed("only %d faults struck in %d histories".formatted(faults, histories));
    }
    if (givenUp > 1 && givenUp * GIVEN_UP_MOST_EVERY > messages + givenUp) {
      missed("Slack gave up %d messages, and handed over %d".formatted(givenUp, messages));
    }
  }

  /// An apology is an outcome, too; but one that always apologised would break no promise.
  ///
  /// @param sorryMost of a hundred messages, and one in any case
  synchronized void mustHaveAnswered(int sorryMost) {
    var sorry = sorry();
    if (sorry > 1 && sorry * 100L > messages * sorryMost) {
      missed("%d of %d messages came to an apology".formatted(sorry, messages));
    }
  }

  private int sorry() {
    return apologies.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// Whether every promise was kept, and tried.
  synchronized boolean isGreen() {
    return violations.isEmpty() && missed.isEmpty();
  }

  synchronized void histories(long count) {
    histories += count;
  }

  synchronized void faults(long count) {
    faults += count;
  }

  synchronized void recovered(Duration duration) {
    recoveries.add(duration);
  }

  /// A figure of this part's own.
  synchronized void count(String name, long count) {
    more.merge(name, count, Long::sum);
  }

  synchronized long histories() {
    return histories;
  }

  synchronized long faults() {
    return faults;
  }

  synchronized int violations() {
    return violations.size();
  }

  /// From each fault until the thread showed that somebody went on.
  synchronized List<Duration> shown() {
    return List.copyOf(shown);
  }

  synchronized Duration took() {
    return Duration.between(begun, Instant.now());
  }

  static String heading() {
    return """
    | part | histories | faults | violations | recovery p50 | p99 | max | unscaled p50 | p99 | max | took | other |
    |---|---|---|---|---|---|---|---|---|---|---|---|
    """;
  }

  synchronized String row() {
    var row = new StringBuilder(row(part, histories, faults, recoveries, other()));
    if (!recoveriesUntaken.isEmpty()) {
      row.append(
          row(
              part + ", of these before any worker had the thread",
              recoveriesUntaken.size(),
              recoveriesUntaken.size(),
              recoveriesUntaken,
              "Lambda's retry or the sweep brings it"));
    }
    return row.toString();
  }

  private String row(
      String name, long count, long struck, List<Duration> durations, String remarks) {
    return "| %s | %d | %d | %d | %s | %s | %s | %s | %s | %s | %d s | %s |%n"
        .formatted(
            name,
            count,
            struck,
            violations.size(),
            seconds(durations, 0.5, 1),
            seconds(durations, 0.99, 1),
            seconds(durations, 1, 1),
            seconds(durations, 0.5, size.time()),
            seconds(durations, 0.99, size.time()),
            seconds(durations, 1, size.time()),
            took().toSeconds(),
            remarks);
  }

  private String other() {
    var remarks = new ArrayList<String>();
    more.forEach((name, count) -> remarks.add(name + " " + count));
    apologies.forEach((code, times) -> remarks.add("apologised with " + code + " " + times));
    if (givenUp > 0) {
      remarks.add("given up by Slack " + givenUp);
    }
    if (messages > 0) {
      remarks.add("answered %d of %d".formatted(messages - sorry(), messages));
    }
    missed.forEach(what -> remarks.add("**not tried enough: " + what + "**"));
    return String.join(", ", remarks);
  }

  synchronized JsonObject json() {
    var json =
        new JsonObject()
            .put("part", part)
            .put("histories", histories)
            .put("faults", faults)
            .put("violations", new JsonArray(List.copyOf(violations)))
            .put("missed", new JsonArray(List.copyOf(missed)))
            .put("time", size.time())
            .put("tookSeconds", took().toSeconds())
            .put("recoveryMillis", millis(recoveries))
            .put("shownMillis", millis(shown))
            .put("recoveryBeforeTakenMillis", millis(recoveriesUntaken))
            .put("other", new JsonObject(new TreeMap<>(more)));
    apologies.forEach((code, times) -> json.getJsonObject("other").put(code, times));
    return json;
  }

  private static JsonObject millis(List<Duration> durations) {
    var json = new JsonObject();
    percentile(durations, 0.5).ifPresent(it -> json.put("p50", it.toMillis()));
    percentile(durations, 0.99).ifPresent(it -> json.put("p99", it.toMillis()));
    percentile(durations, 1).ifPresent(it -> json.put("max", it.toMillis()));
    return json;
  }

  private static String seconds(List<Duration> durations, double share, int times) {
    return percentile(durations, share)
        .map(it -> String.format(Locale.ROOT, "%.1f s", it.toMillis() * times / 1_000.0))
        .orElse("–");
  }

  private static Optional<Duration> percentile(List<Duration> durations, double share) {
    if (durations.isEmpty()) {
      return Optional.empty();
    }
    var sorted = new ArrayList<>(durations);
    Collections.sort(sorted);
    return Optional.of(sorted.get((int) Math.ceil(share * sorted.size()) - 1));
  }
}
