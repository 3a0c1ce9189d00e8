package dev.gorkie.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Two to five messages of a thread arrive in every order, all at once or with pauses between them.
final class OrdersPart implements StagedPart {

  private static final int MESSAGES_MAX = 5;
  private static final List<Duration> PAUSES =
      List.of(Duration.ZERO, Duration.ofMillis(60), Duration.ofMillis(250));
  // Long enough for the later ones to come while it runs.
  private static final Wish WISH = new Wish("plain", 150, false, true);

  @Override
  public String name() {
    return "orders";
  }

  @Override
  public void run(Scene scene, Size size, Figures figures)
      throws IOException, InterruptedException {
    var planned = new ArrayList<Histories.Planned>();
    var seed = 0L;
    for (var pause : PAUSES.subList(0, Math.min(PAUSES.size(), size.seedsOr(PAUSES.size())))) {
      for (var messages = 2; messages <= MESSAGES_MAX; messages++) {
        for (var order : orders(messages)) {
          seed++;
          if (size.isWanted(seed)) {
            Tale tale = history -> history.say(WISH, order, pause);
            planned.add(new Histories.Planned("o" + seed, seed, WISH, Plan.none(), tale));
          }
        }
      }
    }
    // Whatever there is time for is a fair sample.
    Collections.shuffle(planned, new Random(1));
    new Histories(scene, size, figures).run(planned);
    new Takings(scene.books()).tell(figures);
  }

  /// All orders of the numbers below this one.
  static List<List<Integer>> orders(int count) {
    if (count == 0) {
      return List.of(List.of());
    }
    var orders = new ArrayList<List<Integer>>();
    for (var shorter : orders(count - 1)) {
      for (var at = 0; at < count; at++) {
        var order = new ArrayList<>(shorter);
        order.add(at, count - 1);
        orders.add(order);
      }
    }
    return orders;
  }
}
