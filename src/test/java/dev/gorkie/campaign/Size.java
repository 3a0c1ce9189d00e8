package dev.gorkie.campaign;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/// How much of the campaign is to be run, as `make` was told.
///
/// @param part one of the parts; empty for a selection of them
/// @param seeds how many histories for each place where something can go wrong; 0 for as many as the part is known for
/// @param time what all durations are divided by
/// @param seed the one history that is to be repeated
/// @param boundary where in it something goes wrong
/// @param at how late in its part's weather it begins
/// @param side how many histories run at a time
/// @param rate how many turns a second are begun where a rate is held
/// @param old the functions of the release before
/// @param most how long a part may take; what is left over then is left out, and said so
record Size(
    Optional<String> part,
    int seeds,
    int time,
    Optional<Long> seed,
    Optional<String> boundary,
    Duration at,
    int side,
    int rate,
    Optional<Path> old,
    Duration most) {

  // A lease of three seconds: the shortest that two busy cores renew in time.
  private static final int TIME = 10;
  private static final long SEED = 1;
  // More than that starve each other on two cores.
  private static final int SIDE = 3;
  // What two cores bear with a world beside them.
  private static final int RATE = 20;

  /// Stands between a boundary and the kind of turn it is one of.
  static final String KIND = " @ ";

  private static final Duration FULL_MOST = Duration.ofHours(2);
  private static final Duration SELECTION_MOST = Duration.ofMinutes(10);

  static Size from(Map<String, String> environment) {
    var part = word(environment, "PART");
    var minutes = word(environment, "MINUTES").map(Long::parseLong).map(Duration::ofMinutes);
    return new Size(
        part,
        word(environment, "SEEDS").map(Integer::parseInt).orElse(0),
        word(environment, "TIME").map(Integer::parseInt).orElse(TIME),
        word(environment, "SEED").map(Long::parseLong),
        word(environment, "BOUNDARY"),
        Duration.ofMillis(word(environment, "AT").map(Long::parseLong).orElse(0L)),
        word(environment, "SIDE").map(Integer::parseInt).orElse(SIDE),
        word(environment, "RATE").map(Integer::parseInt).orElse(RATE),
        word(environment, "OLD").map(Path::of),
        minutes.orElse(part.isPresent() ? FULL_MOST : SELECTION_MOST));
  }

  boolean isWanted(long one) {
    return seed.isEmpty() || seed.get() == one;
  }

  int seedsOr(int usual) {
    return seeds == 0 ? usual : seeds;
  }

  /// One of each seed that is wanted.
  <T> List<T> ofEach(int usual, LongFunction<T> one) {
    return LongStream.rangeClosed(1, seedsOr(usual)).filter(this::isWanted).mapToObj(one).toList();
  }

  /// The same within so much of the time.
  Size within(Duration newMost) {
    return new Size(part, seeds, time, seed, boundary, at, side, rate, old, newMost);
  }

  /// What is typed to have one history again.
  String again(String of, long again, Wish wish, Plan plan) {
    return "make campaign PART=%s SEED=%d%s TIME=%d%s%s%s"
        .formatted(
            of,
            again,
            seeds == 0 ? "" : " SEEDS=" + seeds,
            time,
            plan.boundary().map(it -> " BOUNDARY='" + it + KIND + wish.kind() + "'").orElse(""),
            plan.begunAt().map(it -> " AT=" + it.toMillis()).orElse(""),
            old.map(it -> " OLD=" + it).orElse(""));
  }

  /// What is typed to have a part again that holds a rate.
  String again(String of) {
    return "make campaign PART=%s SEED=%d RATE=%d MINUTES=%d"
        .formatted(of, seed.orElse(SEED), rate, most.toMinutes());
  }

  /// The one that is usual where all follows from one.
  long seedOrUsual() {
    return seed.orElse(SEED);
  }

  private static Optional<String> word(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get("CAMPAIGN_" + name)).filter(it -> !it.isBlank());
  }
}
