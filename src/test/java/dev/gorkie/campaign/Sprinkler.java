package dev.gorkie.campaign;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/// Cuts one in a hundred calls of Slack and Daytona and one in a hundred terminals, and of transactions, of which a turn has dozens, one in
/// a thousand. Half of them on the way there, half on the way back.
final class Sprinkler implements Gate {

  private static final double FAULTS = 0.01;
  private static final double TRANSACTIONS = 0.001;
  private static final int SIDES = 2;
  // So much of a turn goes over a terminal, a frame at a time.
  private static final int FRAMES_OF_A_TURN = 60;

  private final Random random;
  private final AtomicLong cut = new AtomicLong();
  private volatile boolean dry = true;

  Sprinkler(long seed) {
    random = new Random(seed);
  }

  /// From now on things go wrong, or do not any more.
  void rain(boolean isRaining) {
    dry = !isRaining;
  }

  long cut() {
    return cut.get();
  }

  @Override
  public Verdict pass(long pid, Passage passage) {
    if (dry || random.nextDouble() >= share(passage)) {
      return Verdict.GO;
    }
    cut.incrementAndGet();
    return Verdict.CUT;
  }

  private static double share(Passage passage) {
    if (passage.wire().equals("db")) {
      return passage.what().startsWith("commit") ? TRANSACTIONS / SIDES : 0;
    }
    return passage.what().startsWith("frame") ? FAULTS / FRAMES_OF_A_TURN : FAULTS / SIDES;
  }
}
