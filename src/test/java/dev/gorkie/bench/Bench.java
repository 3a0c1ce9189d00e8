package dev.gorkie.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Measures what a user pays for: `make bench`.
///
/// What it is to do stands in `BENCH_PART`, `BENCH_SIZE`, `BENCH_RECORD` and the parts' own measures, as `make` was given it.
final class Bench {

  private static final Path TARGET = Path.of("target", "bench");
  private static final Path KEPT = Path.of("docs", "performance");

  private Bench() {}

  private static List<Part> all() {
    return List.of(
        new AcknowledgePart(),
        new RecordsPart(),
        new TurnsPart(),
        new FilesPart(),
        new ManyPart(),
        new RecoveryPart(),
        new SimulationPart());
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var size = Size.from(System.getenv());
    var parts =
        all().stream()
            .filter(part -> size.part().isEmpty() || size.part().get().equals(part.name()))
            .toList();
    if (parts.isEmpty()) {
      System.err.println("There are the parts " + all().stream().map(Part::name).toList());
      System.exit(2);
    }
    var machine = Machine.here();
    var failed = new ArrayList<String>();
    // Those of another size are others.
    var target = size.isFull() ? TARGET : TARGET.resolve("short");
    for (var part : parts) {
      if (!run(part, size, machine, target)) {
        failed.add(part.name());
      }
    }
    tell(size, machine, target);
    if (!failed.isEmpty()) {
      System.err.println("Not measured, as said above: " + String.join(", ", failed));
    }
    System.exit(failed.isEmpty() ? 0 : 1);
  }

  /// What one part cannot measure is no reason to throw away what others did.
  private static boolean run(Part part, Size size, Machine machine, Path target)
      throws InterruptedException {
    System.out.println("Measuring " + part.name());
    var figures = new Figures(part.name(), machine.commit());
    try {
      part.run(size, figures);
      figures.write(target);
      return true;
    } catch (InterruptedException ended) {
      throw ended;
    } catch (Exception | AssertionError failure) {
      failure.printStackTrace();
      return false;
    }
  }

  /// All that lies there, whenever it was measured since the last build.
  private static void tell(Size size, Machine machine, Path target) throws IOException {
    var measured = measured(target);
    var before = size.isFull() ? Recorded.find(KEPT, machine) : Optional.<Recorded>empty();
    var table = Table.of(machine, measured, measured, before);
    System.out.println();
    System.out.println(table);
    Files.writeString(TARGET.resolveSibling("bench.md"), table);
    var json = new JsonArray();
    measured.forEach(part -> json.add(part.json()));
    Files.writeString(
        TARGET.resolveSibling("bench.json"),
        new JsonObject().put("machine", machine.json()).put("parts", json).encodePrettily() + "\n");
    if (size.isRecorded()) {
      var kept = Recorded.write(KEPT, machine, measured);
      Files.writeString(
          KEPT.resolve("figures.md"),
          "# The figures of the last recorded run\n\n" + Table.of(machine, kept, measured, before));
      for (var part : measured) {
        Picture.of(part).write(KEPT);
      }
    }
  }

  private static List<Figures> measured(Path target) throws IOException {
    if (!Files.isDirectory(target)) {
      return List.of();
    }
    try (var files = Files.list(target)) {
      var all = new ArrayList<Figures>();
      for (var file : files.filter(it -> it.toString().endsWith(".json")).sorted().toList()) {
        all.add(Figures.read(new JsonObject(Files.readString(file))));
      }
      return all;
    }
  }
}
