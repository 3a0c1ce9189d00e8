package dev.gorkie.bench;

import dev.gorkie.campaign.PlayedKeepers;
import dev.gorkie.campaign.Recoveries;
import dev.gorkie.way.FunctionZip;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How long a thread stands still whose worker was killed, or hands it on before its time is up.
final class RecoveryPart implements Part {

  private static final String KILLED = "kill";
  // 30 s of lease, a look every 5 s at what has lapsed, and as long again for a process to start.
  private static final double KILLED_S_MOST = 40;
  private static final Duration LASTS = Duration.ofSeconds(40);
  private static final Duration INVOCATION = Duration.ofSeconds(20);
  private static final Map<String, String> LEAVES_BEFORE =
      Map.of("GORKIE_WORK_LEAVES_BEFORE", "10s");

  @Override
  public String name() {
    return "recovery";
  }

  @Override
  public void run(Size size, Figures figures) throws IOException, InterruptedException {
    var minutes = Duration.ofMinutes(size.of("minutes", 2, 15));
    var worker = FunctionZip.unpacked().isNative() ? "a native worker " : "a worker ";
    var killed = Recoveries.of(KILLED, minutes);
    figures.add(
        Figure.of(
                worker + "is killed: until the thread shows that it goes on",
                Figure.Unit.S,
                killed.stream().map(RecoveryPart::seconds).toList())
            .goalOfMost(KILLED_S_MOST));
    figures.add(
        Figure.of(
            worker + "hands on: until another one hears Pi",
            Figure.Unit.S,
            handedOn(size.of("handed", 2, 10))));
    figures.remark(
        "The first is the campaign's, without its hurry: each duration is as it is in life.");
  }

  /// Some turns one after the other, each longer than an invocation may take.
  private static List<Double> handedOn(int turns) throws IOException, InterruptedException {
    var gaps = new ArrayList<Double>();
    try (var installation = Installation.open();
        var keepers = new PlayedKeepers(LASTS)) {
      installation.world().daytona().playedBy(keepers);
      var worker = Functions.deploy(installation, 2, INVOCATION, LEAVES_BEFORE);
      for (var turn = 0; turn < turns; turn++) {
        var root = installation.world().slack().say("general", "ada", "@gorkie Take your time.");
        installation.answered("general", root, 1);
      }
      keepers.gaps().stream().map(RecoveryPart::seconds).forEach(gaps::add);
      worker.close();
    }
    return gaps;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }
}
