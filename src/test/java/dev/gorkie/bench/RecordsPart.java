package dev.gorkie.bench;

import dev.gorkie.pi.RecordBenchmark;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// What the keeper makes of Pi's records, and how fast keeper and client are with them.
final class RecordsPart implements Part {

  private static final Path FOLDER = Path.of("target", "bench", "records");
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final double MB_PER_S_LEAST = 300;
  private static final int WARM_UPS = 3;
  // Its name among the journals.
  private static final String LONGER = "longer";
  private static final String THROUGH_KEEPER = ": through the keeper";
  private static final String THROUGH_CLIENT = ": through the client";

  /// A journal, and what it was made from.
  private record Thinned(
      String name,
      long raw,
      long thinned,
      long records,
      List<Double> mbPerS,
      List<Double> allocated) {}

  @Override
  public String name() {
    return "records";
  }

  @Override
  public void run(Size size, Figures figures) throws IOException, InterruptedException {
    var all = thinned(size.of("times", 5, 20));
    for (var one : all) {
      figures.add(Figure.of(one.name() + ": as Pi says it", Figure.Unit.BYTES, one.raw()));
      figures.add(
          Figure.of(one.name() + ": as the keeper writes it", Figure.Unit.BYTES, one.thinned())
              .beside(one.name() + ": as Pi says it"));
    }
    for (var one : all) {
      figures.add(
          beside(one, Figure.of(one.name() + THROUGH_KEEPER, Figure.Unit.MB_PER_S, one.mbPerS())));
      figures.add(
          Figure.of(
              one.name() + ": allocated by the keeper for a record of Pi's",
              Figure.Unit.BYTES,
              one.allocated()));
    }
    var thinned = all.stream().collect(Collectors.toMap(Thinned::name, it -> it));
    for (var result : told(size)) {
      var one = Objects.requireNonNull(thinned.get(result.getParams().getParam("journal")));
      figures.add(
          beside(
              one,
              Figure.of(one.name() + THROUGH_CLIENT, Figure.Unit.MB_PER_S, speeds(result, one))
                  .goal(MB_PER_S_LEAST)));
      figures.add(
          Figure.of(
              one.name() + ": allocated by the client for a record",
              Figure.Unit.BYTES,
              Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATED)).getScore()
                  / one.records()));
    }
    figures.remark(
        "The transcripts are those that lie in src/test/resources/transcripts, the answer has 20 KB,"
            + " the longer one ten times that, and the tool's output 3 MB. Speeds are those of one core.");
  }

  /// What is ten times as long is as fast where no cost grows with more than the length.
  private static Figure beside(Thinned one, Figure figure) {
    return one.name().equals(LONGER)
        ? figure.beside(figure.name().replace(LONGER, "answer"))
        : figure;
  }

  private static List<Thinned> thinned(int times) throws IOException, InterruptedException {
    var image =
        Path.of(Objects.requireNonNull(System.getenv("GORKIE"), "GORKIE; “make bench” sets it"));
    var program =
        new ProcessBuilder(
                image.resolve("bin/node").toString(),
                "--expose-gc",
                "--max-semi-space-size=1024",
                "src/test/sandbox/bench/records.mjs",
                FOLDER.toString(),
                Integer.toString(times))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var lines = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (program.waitFor() != 0) {
      throw new IOException("records.mjs ended with " + program.exitValue());
    }
    return lines
        .lines()
        .map(JsonObject::new)
        .map(
            line ->
                new Thinned(
                    line.getString("name"),
                    line.getLong("raw"),
                    line.getLong("thinned"),
                    line.getLong("records"),
                    numbers(line.getJsonArray("mbPerS")),
                    numbers(line.getJsonArray("allocated"))))
        .toList();
  }

  private static List<Double> numbers(JsonArray array) {
    return array.stream().map(number -> ((Number) number).doubleValue()).toList();
  }

  private static List<RunResult> told(Size size) throws IOException {
    var seconds = TimeValue.seconds(1);
    try {
      return List.copyOf(
          new Runner(
                  new OptionsBuilder()
                      .include(RecordBenchmark.class.getName())
                      .addProfiler(GCProfiler.class)
                      .shouldFailOnError(true)
                      .forks(size.of("forks", 1, 3))
                      .warmupIterations(WARM_UPS)
                      .warmupTime(seconds)
                      .measurementIterations(size.of("iterations", 5, 10))
                      .measurementTime(seconds)
                      // Not those of this process, which is to start fast.
                      .jvmArgs(
                          "-XX:+UseSerialGC",
                          "-Xmx128m",
                          "-D" + RecordBenchmark.FOLDER + "=" + FOLDER)
                      .build())
              .run());
    } catch (RunnerException failed) {
      throw new IOException("The records were not measured", failed);
    }
  }

  /// Of each iteration; a byte in a microsecond is a megabyte in a second.
  private static List<Double> speeds(RunResult result, Thinned journal) {
    var speeds = new ArrayList<Double>();
    result
        .getBenchmarkResults()
        .forEach(
            fork ->
                fork.getIterationResults()
                    .forEach(
                        iteration ->
                            speeds.add(
                                journal.thinned() / iteration.getPrimaryResult().getScore())));
    return speeds;
  }
}
