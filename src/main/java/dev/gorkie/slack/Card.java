package dev.gorkie.slack;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a progress card tells of a turn: its steps and notes in the order they came, how long it takes, how it ended.
///
/// Everything in it came out of a sandbox and is made one short harmless line when it is put in.
final class Card {

  static final int ROWS_MAX = 45;
  static final int WEIGHT_MAX = 9_000;
  private static final int TITLES_WEIGHT_MAX = 6_000;
  // For the card's title, the summary and the overflow row.
  private static final int OVERHEAD = 300;
  private static final int ROWS_KEPT_MAX = 200;
  private static final int TITLE_CHARACTERS_MAX = 60;
  private static final int DETAIL_CHARACTERS_MAX = 180;
  private static final int OUTPUT_CHARACTERS_MAX = 260;
  // A row in the state `error` would paint the whole plan red.
  private static final String FAILED = " (failed)";
  private static final String STOPPED = " (stopped)";

  private final Instant begun;
  // Oldest first; notes have keys of their own.
  private final LinkedHashMap<String, Row> rows = new LinkedHashMap<>();
  private int steps;
  private int notes;
  private int dropped;
  private Optional<Usage> usage = Optional.empty();
  private BigDecimal before = BigDecimal.ZERO;
  private Optional<Ended> ended = Optional.empty();

  enum Ending {
    DONE("Done"),
    STOPPED("Stopped"),
    FAILED("Failed");

    private final String title;

    Ending(String title) {
      this.title = title;
    }
  }

  private record Ended(Ending how, Instant at) {}

  /// One row; a weight counts details and output twice, as Slack does.
  record Row(String title, String detail, String output, boolean running) {
    int weight() {
      return titleWeight() + 2 * (Utf8.bytes(detail) + Utf8.bytes(output));
    }

    int titleWeight() {
      return Utf8.bytes(title);
    }

    Row bare() {
      return new Row(title, "", "", running);
    }

    Row finished(String suffix, String output) {
      var room = TITLE_CHARACTERS_MAX - suffix.length();
      return new Row(SafeText.cut(title, room) + suffix, detail, output, false);
    }
  }

  /// The card at one moment, no larger than a message may be.
  record Shown(String title, int folded, List<Row> rows, Optional<String> summary) {

    boolean ended() {
      return summary.isPresent();
    }
  }

  Card(Instant begun) {
    this.begun = begun;
  }

  void step(String id, String title, String detail) {
    var row =
        new Row(
            SafeText.line(title.isBlank() ? "Working" : title, TITLE_CHARACTERS_MAX),
            SafeText.line(detail, DETAIL_CHARACTERS_MAX),
            "",
            true);
    if (rows.put("step " + id, row) == null) {
      steps++;
    }
    dropOldest();
  }

  void stepDone(String id, String output) {
    finish(id, "", output);
  }

  void stepFailed(String id, String output) {
    finish(id, FAILED, output);
  }

  private void finish(String id, String suffix, String output) {
    var clean = SafeText.line(output, OUTPUT_CHARACTERS_MAX);
    rows.computeIfPresent(
        "step " + id, (_, row) -> row.running() ? row.finished(suffix, clean) : row);
  }

  void note(String text) {
    var line = SafeText.line(text, DETAIL_CHARACTERS_MAX);
    if (line.isEmpty()) {
      return;
    }
    var title = SafeText.cut(line, TITLE_CHARACTERS_MAX);
    rows.put("note " + notes++, new Row(title, title.equals(line) ? "" : line, "", false));
    dropOldest();
  }

  /// What the turns before this one have cost.
  void costBefore(BigDecimal dollars) {
    before = dollars;
  }

  /// Nothing runs any more of what was running.
  void interrupted() {
    rows.replaceAll((_, row) -> row.running() ? row.finished(STOPPED, "") : row);
  }

  void used(Usage now) {
    usage = Optional.of(now);
  }

  /// The first ending counts.
  void end(Ending how, Instant now) {
    if (ended.isPresent()) {
      return;
    }
    ended = Optional.of(new Ended(how, now));
    rows.replaceAll(
        (_, row) -> row.running() ? row.finished(how == Ending.DONE ? "" : STOPPED, "") : row);
  }

  boolean hasSteps() {
    return steps > 0;
  }

  boolean isEnded() {
    return ended.isPresent();
  }

  private void dropOldest() {
    if (rows.size() > ROWS_KEPT_MAX) {
      rows.pollFirstEntry();
      dropped++;
    }
  }

  Shown shown(Instant now) {
    var chosen = chosen();
    var folded = dropped + rows.size() - chosen.size();
    return ended
        .map(end -> new Shown(end.how().title, folded, chosen, Optional.of(summary(end.at()))))
        .orElseGet(() -> new Shown("Working · " + elapsed(now), folded, chosen, Optional.empty()));
  }

  /// The newest rows, and of those as many as possible with details; what still runs comes before what is over.
  private List<Row> chosen() {
    var all = List.copyOf(rows.values());
    var shown = new boolean[all.size()];
    var whole = new boolean[all.size()];
    var newestFirst = newestRunningFirst(all);
    var count = 0;
    var weight = 0;
    for (var at : newestFirst) {
      var more = all.get(at).titleWeight();
      if (count < ROWS_MAX && weight + more <= TITLES_WEIGHT_MAX) {
        shown[at] = true;
        count++;
        weight += more;
      }
    }
    for (var at : newestFirst) {
      var more = all.get(at).weight() - all.get(at).titleWeight();
      if (shown[at] && weight + more <= WEIGHT_MAX - OVERHEAD) {
        whole[at] = true;
        weight += more;
      }
    }
    var chosen = new ArrayList<Row>();
    for (var at = 0; at < all.size(); at++) {
      if (shown[at]) {
        chosen.add(whole[at] ? all.get(at) : all.get(at).bare());
      }
    }
    return List.copyOf(chosen);
  }

  private static List<Integer> newestRunningFirst(List<Row> all) {
    var order = new ArrayDeque<Integer>();
    for (var at = 0; at < all.size(); at++) {
      if (!all.get(at).running()) {
        order.addFirst(at);
      }
    }
    for (var at = 0; at < all.size(); at++) {
      if (all.get(at).running()) {
        order.addFirst(at);
      }
    }
    return List.copyOf(order);
  }

  private String summary(Instant end) {
    var parts = new ArrayList<String>();
    parts.add(elapsed(end));
    parts.add(steps == 1 ? "1 step" : steps + " steps");
    usage.ifPresent(
        used -> {
          parts.add(String.format(Locale.ROOT, "%,d tokens", used.tokens()));
          parts.add(cost(used.dollars()));
          if (before.signum() > 0) {
            parts.add(cost(before.add(used.dollars())) + " in this thread so far");
          }
        });
    return String.join(" · ", parts);
  }

  private static String cost(BigDecimal dollars) {
    var cent = new BigDecimal("0.01");
    return dollars.signum() > 0 && dollars.compareTo(cent) < 0
        ? "under $0.01"
        : "$" + dollars.setScale(2, RoundingMode.HALF_UP).toPlainString();
  }

  private String elapsed(Instant now) {
    var time = Duration.between(begun, now);
    if (time.isNegative()) {
      return "0 s";
    }
    if (time.toHours() > 0) {
      return time.toHours() + " h " + time.toMinutesPart() + " min";
    }
    return time.toMinutes() > 0
        ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
        : time.toSeconds() + " s";
  }
}
