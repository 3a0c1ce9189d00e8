package dev.gorkie.campaign;

import java.io.IOException;
import java.util.List;

/// Jobs whose ends are lost, told five times, forged, late or expired; in every second history something is killed besides.
final class JobsPart implements StagedPart {

  private static final int HISTORIES = 1_000;
  private static final int KINDS = 6;
  // Longer than it takes to kill something while they run.
  private static final int LONG_MILLIS = 8_000;
  private static final Wish SHORT = new Wish("jobs", 300, false, false);
  private static final Wish LONG = new Wish("jobs", LONG_MILLIS, false, false);

  /// From the wish for a job to the turn that goes on with its end.
  private static final List<String> BOUNDARIES =
      List.of(
          "db insert jobs before#1",
          "db insert jobs after#3",
          "db commit of insert jobs after#1",
          "db commit of insert jobs after#4",
          "daytona frame in give before#3",
          "daytona frame in give before#4",
          "daytona frame in give before#7",
          "db update jobs state before#1",
          "db update jobs state after#1",
          "db insert inbox before#2",
          "db insert inbox after#2",
          "db commit of update jobs after#1",
          "slack chat.postMessage answer-1 after#2",
          "db update inbox settled_at before#2");

  @Override
  public String name() {
    return "jobs";
  }

  // One in six is killed at a boundary, and some boundaries are not reached.
  @Override
  public double faultsLeast() {
    return 0.05;
  }

  // In a third of them their keeper is killed or their machine stopped, in the middle of a turn or
  // of the next.
  @Override
  public int sorryMost() {
    return 40;
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var planned = size.ofEach(HISTORIES, seed -> one(seed, size));
    new Histories(scene, size, figures).run(planned);
    var heardAfter = scene.post().heardAfter();
    figures.count("jobs", heardAfter.size());
    if (!heardAfter.isEmpty()) {
      figures.count("heard of after ms, p50", heardAfter.get(heardAfter.size() / 2).toMillis());
      figures.count("heard of after ms, max", heardAfter.getLast().toMillis());
    }
  }

  private static Histories.Planned one(long seed, Size size) {
    var name = "j" + seed;
    return switch ((int) (seed % KINDS)) {
      case 0 ->
          new Histories.Planned(name, seed, LONG, Plan.none(), Tale.ofJobs(History::killKeeper));
      case 1 ->
          new Histories.Planned(name, seed, LONG, Plan.none(), Tale.ofJobs(History::stopMachine));
      case 2 -> {
        var at = size.boundary().orElse(BOUNDARIES.get((int) (seed / KINDS) % BOUNDARIES.size()));
        yield killed(name, seed, at.split(Size.KIND, 2)[0]);
      }
      default -> new Histories.Planned(name, seed, SHORT, Plan.none(), Tale.ofJobs(_ -> {}));
    };
  }

  static Histories.Planned killed(String name, long seed, String boundary) {
    return new Histories.Planned(
        name, seed, SHORT, Plan.of(Fault.kill(boundary)), Tale.ofJobs(_ -> {}));
  }

  /// All fates, and nothing else.
  static Histories.Planned fates(String name, long seed) {
    return new Histories.Planned(name, seed, SHORT, Plan.none(), Tale.ofJobs(_ -> {}));
  }
}
