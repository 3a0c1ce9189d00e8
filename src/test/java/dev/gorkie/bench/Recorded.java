package dev.gorkie.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The last run that was kept of a kind of machine, and what has become worse since by more than chance.
final class Recorded {

  // For values that scatter by chance, three standard deviations of them; what the median distance
  // is of one.
  private static final double BEYOND_CHANCE = 3 * 1.4826;
  // What a machine does to whole runs, and does not show in the values of one.
  private static final double RUNS_DIFFER = 0.05;
  // Of a single value nobody knows how much it scatters.
  private static final double ONE_DIFFERS = 0.15;
  // Of two hundred values it is the second worst, which one slow moment of the machine decides.
  private static final double MOST_DIFFER = 0.5;

  private final List<Figures> parts;

  private Recorded(List<Figures> parts) {
    this.parts = parts;
  }

  private static Path file(Path directory, Machine machine) {
    return directory.resolve(machine.name() + ".json");
  }

  static Optional<Recorded> find(Path directory, Machine machine) throws IOException {
    var file = file(directory, machine);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    var json = new JsonObject(Files.readString(file));
    var parts = new ArrayList<Figures>();
    json.getJsonArray("parts").forEach(part -> parts.add(Figures.read((JsonObject) part)));
    return Optional.of(new Recorded(parts));
  }

  /// What was not measured this time stays as it was.
  ///
  /// @return all that is kept now
  static List<Figures> write(Path directory, Machine machine, List<Figures> measured)
      throws IOException {
    var all = new ArrayList<>(measured);
    find(directory, machine).stream()
        .flatMap(before -> before.parts.stream())
        .filter(part -> measured.stream().noneMatch(it -> it.part().equals(part.part())))
        .forEach(all::add);
    all.sort(Comparator.comparing(Figures::part));
    var parts = new JsonArray();
    all.forEach(part -> parts.add(part.json()));
    Files.createDirectories(directory);
    Files.writeString(
        file(directory, machine),
        new JsonObject().put("machine", machine.json()).put("parts", parts).encodePrettily()
            + "\n");
    return List.copyOf(all);
  }

  Optional<Figure> find(String part, String name) {
    return parts.stream()
        .filter(it -> it.part().equals(part))
        .findFirst()
        .flatMap(it -> it.find(name));
  }

  /// What is worse now, and by how much.
  List<String> worse(List<Figures> now) {
    var worse = new ArrayList<String>();
    for (var part : now) {
      for (var figure : part.all()) {
        worse(part, figure).ifPresent(worse::add);
      }
    }
    return List.copyOf(worse);
  }

  private Optional<String> worse(Figures part, Figure figure) {
    var old = parts.stream().filter(it -> it.part().equals(part.part())).findFirst();
    var before = old.flatMap(it -> it.find(figure.name()));
    if (before.isEmpty() || before.get().unit() != figure.unit()) {
      return Optional.empty();
    }
    return median(part, figure, old.get(), before.get())
        .or(() -> most(part, figure, before.get().spread()));
  }

  private static Optional<String> median(Figures part, Figure figure, Figures old, Figure before) {
    var isOne = figure.spread().times() == 1 || before.spread().times() == 1;
    var ratioBefore = Ratio.of(old, before);
    var ratio = Ratio.of(part, figure);
    var isRatio = ratio.isPresent() && ratioBefore.isPresent();
    var valueBefore = isRatio ? ratioBefore.get().value() : before.spread().p50();
    var value = isRatio ? ratio.get().value() : figure.spread().p50();
    var noise =
        isRatio
            ? Math.max(ratio.get().noise(), ratioBefore.get().noise())
            : Math.max(Ratio.relative(figure.spread()), Ratio.relative(before.spread()));
    var allowed = Math.max(BEYOND_CHANCE * noise, isOne ? ONE_DIFFERS : RUNS_DIFFER);
    var unit = isRatio ? " times the baseline" : " " + figure.unit().sign();
    return told(part, figure, unit, value, valueBefore, allowed);
  }

  /// What 99 of 100 are is looked at where that is what is wanted. It rests on few values and so is believed as one.
  private static Optional<String> most(Figures part, Figure figure, Spread before) {
    if (figure.goal().filter(goal -> goal.at().equals("p99")).isEmpty()) {
      return Optional.empty();
    }
    var noise = Math.max(Ratio.relative(figure.spread()), Ratio.relative(before));
    var allowed = Math.max(BEYOND_CHANCE * noise, MOST_DIFFER);
    var unit = " " + figure.unit().sign() + " at p99";
    return told(part, figure, unit, figure.spread().p99(), before.p99(), allowed);
  }

  private static Optional<String> told(
      Figures part, Figure figure, String unit, double value, double before, double allowed) {
    var by = figure.unit().isMoreBetter() ? before - value : value - before;
    if (by <= allowed * Math.abs(before)) {
      return Optional.empty();
    }
    return Optional.of(
        "%s, %s: %s%s now, %s before; chance explains %s %%"
            .formatted(
                part.part(),
                figure.name(),
                Table.number(value),
                unit,
                Table.number(before),
                Table.number(100 * allowed)));
  }

  String told(List<Figures> now) {
    var names = now.stream().map(Figures::part).collect(Collectors.joining(", "));
    var worse = worse(now);
    return "Measured anew: %s. ".formatted(names)
        + (worse.isEmpty()
            ? "Nothing is worse than when it was recorded before.\n"
            : "Worse than when it was recorded before:\n\n- " + String.join("\n- ", worse) + "\n");
  }
}
