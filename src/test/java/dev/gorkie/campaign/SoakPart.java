package dev.gorkie.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// So many turns a second for an hour, in one server and many workspaces, and one in a hundred things goes wrong. At first the server
/// is killed now and then as well; afterwards it has to stay as it is.
///
/// Keeper and Pi are played, since two cores have no room for so many processes.
final class SoakPart implements Part {

  private static final Duration LASTS = Duration.ofHours(1);
  private static final int ROUNDS = 12;
  // In the rounds after these the server is killed.
  private static final List<Integer> KILLED_AFTER = List.of(1, 2, 3);
  // By then it is compiled, and has all that it keeps.
  private static final int SETTLED_AFTER = 6;
  // In shorter ones chance and the compiler are larger than what is looked for, and a server that
  // was killed has not come round.
  private static final Duration ROUND_TOLD_BY = Duration.ofMinutes(3);
  private static final double GROWTH_MOST = 1.25;
  private static final int SLOWER_AT_FIRST = 4;

  /// What the server was like at the end of a round.
  private record Look(Optional<Long> liveMb, long residentMb) {}

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public void run(Size size, Figures figures, Path log) throws IOException, InterruptedException {
    var lasts = size.most().compareTo(LASTS) < 0 ? size.most() : LASTS;
    var round = lasts.dividedBy(ROUNDS);
    var isLong = round.compareTo(ROUND_TOLD_BY) >= 0;
    var looks = new ArrayList<Look>();
    try (var soak = Soak.begin(size, figures)) {
      // As a server that is put behind a balancer: a new one spends its first minutes on compiling
      // itself.
      soak.ask(Math.max(1, size.rate() / SLOWER_AT_FIRST), round);
      for (var number = 1; number <= ROUNDS; number++) {
        soak.ask(size.rate(), round);
        looks.add(look(number, soak, size, figures));
        if (isLong && KILLED_AFTER.contains(number)) {
          soak.kill();
        }
      }
      soak.end();
    }
    if (isLong) {
      judge(looks, size, figures);
    }
  }

  private static Look look(int round, Soak soak, Size size, Figures figures)
      throws IOException, InterruptedException {
    var look = new Look(soak.server().liveMb(), soak.server().residentMb());
    var standing = soak.standing();
    System.out.printf(
        "soak: round %d of %d, %d turns, %d violations; %s%n",
        round, ROUNDS, figures.histories(), figures.violations(), standing);
    System.out.printf(
        "soak: on the heap %s MB, in memory %d MB%n",
        look.liveMb().map(Object::toString).orElse("?"), look.residentMb());
    var name = "round %02d: ".formatted(round);
    look.liveMb().ifPresent(mb -> figures.count(name + "on the heap MB", mb));
    figures.count(name + "in memory MB", look.residentMb());
    standing.tell(name, figures);
    if (standing.behind() > 0) {
      broken(name + "rows were left behind: " + standing, size, figures);
    }
    return look;
  }

  private static void judge(List<Look> looks, Size size, Figures figures) {
    var before = looks.get(SETTLED_AFTER);
    var after = looks.getLast();
    before
        .liveMb()
        .ifPresent(
            mb -> mustBeFlat("heap", mb, after.liveMb().orElse(Long.MAX_VALUE), size, figures));
    mustBeFlat("memory", before.residentMb(), after.residentMb(), size, figures);
  }

  private static void mustBeFlat(String what, long before, long after, Size size, Figures figures) {
    if (after > before * GROWTH_MOST) {
      broken("%s grew from %d to %d MB".formatted(what, before, after), size, figures);
    }
  }

  private static void broken(String seen, Size size, Figures figures) {
    figures.violated("soak", new Violation("R21", seen), size.again(figures.part()));
  }
}
