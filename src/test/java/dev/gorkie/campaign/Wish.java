package dev.gorkie.campaign;

import java.util.Random;

/// What a history's turn is like.
///
/// @param shape what Pi does in it, in the words of `pi.mjs`
/// @param millis how long that takes
/// @param warm whether the thread has had a turn before
/// @param doubled whether the message is delivered as both of a mention's events
record Wish(String shape, int millis, boolean warm, boolean doubled) {

  private static final String[] SHAPES = {"tools", "plain", "file", "words"};
  private static final int MILLIS_MIN = 100;
  private static final int MILLIS_SPREAD = 300;

  static Wish of(long seed) {
    var random = new Random(seed);
    // The first numbers of neighbouring seeds resemble each other.
    random.nextLong();
    return new Wish(
        SHAPES[random.nextInt(SHAPES.length)],
        MILLIS_MIN + random.nextInt(MILLIS_SPREAD),
        random.nextInt(3) == 0,
        false);
  }

  /// The same, and Pi takes so many times as long.
  Wish lasting(int times) {
    return new Wish(shape, millis * times, warm, doubled);
  }

  /// Whether somebody has it stopped in the middle.
  boolean isStopped() {
    return shape.equals("stopped");
  }

  /// Whether it begins jobs, one for each fate.
  boolean hasJobs() {
    return shape.equals("jobs");
  }

  /// What shapes the boundaries of a turn; turns that agree in it pass the same ones.
  String kind() {
    return shape + (warm ? ", warm" : "");
  }

  String text(String name, long seed) {
    var text =
        "%s seed=%d shape=%s ms=%d"
            .formatted(name, Math.floorMod(seed, 1_000_000_007L), shape, millis);
    return hasJobs()
        ? text + " fates=" + String.join(",", Fate.of(seed).stream().map(Fate::word).toList())
        : text;
  }
}
