package dev.gorkie.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;

/// Turn after turn, with something wrong in one of a hundred calls; what should be empty is, and memory stays as it was.
final class SoakPart implements Part {

  // More than two cores do in two hours; the time ends it.
  private static final int HISTORIES = 20_000;
  private static final int ROUNDS = 10;
  private static final double FAULTS = 0.01;
  private static final double KILLS = 0.1;
  // Rows of what nobody waits for any more.
  private static final String OPEN =
      """
      select (select count(*) from inbox where settled_at is null)
           + (select count(*) from outbox where state in ('pending', 'sent') and kind <> 'card' and not left_over)
           + (select count(*) from threads where lease_until > clock_timestamp()) as open
      """;

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var each = size.within(size.most().dividedBy(ROUNDS));
    var histories = size.seedsOr(HISTORIES) / ROUNDS;
    for (var round = 1; round <= ROUNDS; round++) {
      var planned = new ArrayList<Histories.Planned>();
      for (var at = 0; at < histories; at++) {
        var seed = (long) round * histories + at;
        if (size.isWanted(seed)) {
          planned.add(new Histories.Planned("s" + seed, seed, Wish.of(seed), new Sprinkled(seed)));
        }
      }
      new Histories(scene, each, figures).run(planned);
      var open = Books.number(scene.books().rows(OPEN).getFirst(), "open");
      var largest =
          scene.crew().processes().stream().mapToLong(SoakPart::megabytes).max().orElse(0);
      System.out.printf(
          "soak: round %d, %d rows open, largest worker %d MB%n", round, open, largest);
      figures.count("round %02d: rows open".formatted(round), open);
      figures.count("round %02d: largest worker MB".formatted(round), largest);
    }
  }

  private static long megabytes(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1_024)
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0; // it has ended meanwhile
    }
  }

  /// Some answers are lost, and for some of these the worker with them.
  private record Sprinkled(long seed) implements Plan {

    @Override
    public Optional<Fault> at(String boundary) {
      var random = new Random(seed * 1_000_003 + boundary.hashCode());
      random.nextLong();
      if (random.nextDouble() >= FAULTS) {
        return Optional.empty();
      }
      return Optional.of(random.nextDouble() < KILLS ? Fault.kill(boundary) : Fault.cut(boundary));
    }
  }
}
