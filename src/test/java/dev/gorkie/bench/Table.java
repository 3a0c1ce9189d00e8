package dev.gorkie.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The figures of a run as people read them, in Markdown.
final class Table {

  private static final String HEADING =
      """
      | %s | median | p99 | p99.9 | values | beside the baseline | goal | last recorded |
      |---|---|---|---|---|---|---|---|
      """;

  // Of fewer it would be the worst.
  private static final int VALUES_FOR_THOUSANDTHS = 1_001;

  private Table() {}

  /// @param anew those of the parts that were measured this time
  static String of(
      Machine machine, List<Figures> parts, List<Figures> anew, Optional<Recorded> before) {
    var table = new StringBuilder();
    table.append("Measured on ").append(machine).append(".\n");
    for (var part : parts) {
      if (!part.commit().equals(machine.commit())) {
        table.append("\nAt commit ").append(part.commit()).append(":\n");
      }
      table.append('\n').append(HEADING.formatted(part.part()));
      var compared = anew.contains(part) ? before : Optional.<Recorded>empty();
      part.all().forEach(figure -> table.append(row(part, figure, compared)));
      part.remarks().forEach(remark -> table.append('\n').append(remark).append('\n'));
    }
    table.append('\n').append(missed(parts));
    before.ifPresent(it -> table.append('\n').append(it.told(anew)));
    return table.toString();
  }

  private static String row(Figures part, Figure figure, Optional<Recorded> before) {
    var spread = figure.spread();
    var isOne = spread.times() == 1;
    return "| %s | %s %s | %s | %s | %s | %s | %s | %s |%n"
        .formatted(
            figure.name(),
            number(spread.p50()),
            figure.unit().sign(),
            isOne ? "" : number(spread.p99()),
            spread.times() < VALUES_FOR_THOUSANDTHS ? "" : number(spread.p999()),
            isOne ? "" : spread.times(),
            Ratio.of(part, figure).map(Ratio::toString).orElse(""),
            figure.goal().map(goal -> goal + (goal.isReached(figure) ? "" : ": missed")).orElse(""),
            before
                .flatMap(it -> it.find(part.part(), figure.name()))
                .map(it -> number(it.spread().p50()))
                .orElse(""));
  }

  private static String missed(List<Figures> parts) {
    var missed =
        parts.stream()
            .flatMap(
                part ->
                    part.all().stream()
                        .filter(
                            figure -> figure.goal().filter(it -> !it.isReached(figure)).isPresent())
                        .map(
                            figure ->
                                "- %s, %s: the goal is %s %s"
                                    .formatted(
                                        part.part(),
                                        figure.name(),
                                        figure.goal().orElseThrow(),
                                        figure.unit().sign())))
            .toList();
    return missed.isEmpty()
        ? "Every goal is reached.\n"
        : "Goals that are missed:\n\n" + String.join("\n", missed) + "\n";
  }

  /// As many digits as can be meant.
  static String number(double value) {
    var size = Math.abs(value);
    var digits = 4;
    if (size >= 100 || value == Math.rint(value)) {
      digits = 0;
    } else if (size >= 0.1) {
      digits = size >= 10 ? 1 : 2;
    }
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
