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

/// The last run that was kept of a kind of machine, and what has become worse since by more than chance.
final class Recorded {

  // For values that scatter by chance, three standard deviations of them; what the median distance
  // is of one.
  private static final double BEYOND_CHANCE = 3 * 1.4826;
  // What a machine does to whole runs, and does not show in the values of one.
  private static final double RUNS_DIFFER = 0.05;
  // Of a single value nobody knows how much it scatters.
  private static final double ONE_DIFFERS = 0.15;

  private final JsonObject machine;
  private final List<Figures> parts;

  private Recorded(JsonObject machine, List<Figures> parts) {
    this.machine = machine;
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
    return Optional.of(new Recorded(json.getJsonObject("machine"), parts));
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
    var isOne = figure.spread().times() == 1 || before.get().spread().times() == 1;
    var ratioBefore = old.flatMap(it -> Ratio.of(it, before.get()));
    var ratio = Ratio.of(part, figure);
    var isRatio = ratio.isPresent() && ratioBefore.isPresent();
    var valueBefore = isRatio ? ratioBefore.get().value() : before.get().spread().p50();
    var value = isRatio ? ratio.get().value() : figure.spread().p50();
    var noise =
        isRatio
            ? Math.max(ratio.get().noise(), ratioBefore.get().noise())
            : Math.max(Ratio.relative(figure.spread()), Ratio.relative(before.get().spread()));
    var allowed = Math.max(BEYOND_CHANCE * noise, isOne ? ONE_DIFFERS : RUNS_DIFFER);
    var by = figure.unit().isMoreBetter() ? valueBefore - value : value - valueBefore;
    if (by <= allowed * Math.abs(valueBefore)) {
      return Optional.empty();
    }
    return Optional.of(
        "%s, %s: %s%s now, %s before; chance explains %s %%"
            .formatted(
                part.part(),
                figure.name(),
                Table.number(value),
                isRatio ? " times the baseline" : " " + figure.unit().sign(),
                Table.number(valueBefore),
                Table.number(100 * allowed)));
  }

  String told(List<Figures> now) {
    var worse = worse(now);
    var against = "the last recorded run, commit " + machine.getString("commit");
    return worse.isEmpty()
        ? "Nothing is worse than in " + against + ".\n"
        : "Worse than in " + against + ":\n\n- " + String.join("\n- ", worse) + "\n";
  }
}
