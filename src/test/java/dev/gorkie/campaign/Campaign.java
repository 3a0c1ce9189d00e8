package dev.gorkie.campaign;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Tries the promise that nothing is lost and nothing is said twice: `make campaign`.
///
/// What it is to do stands in `CAMPAIGN_PART`, `CAMPAIGN_SEEDS`, `CAMPAIGN_TIME`, `CAMPAIGN_SEED`, `CAMPAIGN_BOUNDARY`,
/// `CAMPAIGN_AT`, `CAMPAIGN_SIDE`, `CAMPAIGN_MINUTES`, `CAMPAIGN_RATE` and `CAMPAIGN_OLD`, as `make` was given it.
final class Campaign {

  private static final Path TARGET = Path.of("target");

  // In less, nothing is begun on a busy machine.
  private static final Duration SHARE_LEAST = Duration.ofSeconds(15);

  private Campaign() {}

  private static List<Part> all() {
    return List.of(
        new KillPart(),
        new AnswersPart(),
        new OrdersPart(),
        new FrozenPart(),
        new MomentPart(),
        new InboxPart(),
        new DoorPart(),
        new SweepPart(),
        new HandoverPart(),
        new JobsPart(),
        new StormPart(),
        new OutagePart(),
        new DeployPart(),
        new SoakPart());
  }

  static Part part(String name) {
    return all().stream().filter(part -> part.name().equals(name)).findFirst().orElseThrow();
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
    var figures = new ArrayList<Figures>();
    var until = Instant.now().plus(size.most());
    for (var part : parts) {
      // What one took beyond its share, those behind it have less.
      var left = Duration.between(Instant.now(), until).dividedBy(parts.size() - figures.size());
      figures.add(run(part, size.within(left.compareTo(SHARE_LEAST) < 0 ? SHARE_LEAST : left)));
    }
    write(figures);
    System.exit(figures.stream().allMatch(Figures::isGreen) ? 0 : 1);
  }

  static Figures run(Part part, Size size) throws IOException, InterruptedException {
    Files.createDirectories(TARGET);
    var log = TARGET.resolve("campaign-" + part.name() + ".log");
    var figures = new Figures(part.name(), size, System.out);
    part.run(size, figures, log);
    figures.mustHaveTried(part.faultsLeast());
    figures.mustHaveAnswered(part.sorryMost());
    return figures;
  }

  private static void write(List<Figures> figures) throws IOException {
    var table = new StringBuilder(Figures.heading());
    var json = new JsonArray();
    for (var part : figures) {
      table.append(part.row());
      json.add(part.json());
    }
    System.out.println();
    System.out.println(table);
    Files.writeString(TARGET.resolve("campaign.md"), table);
    Files.writeString(
        TARGET.resolve("campaign.json"), new JsonObject().put("parts", json).encodePrettily());
  }
}
