package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FairLineTest {

  private static final int MOST = 4;
  private static final int AUTHORS = 3;
  private static final int ALIVE_MAX = 12;

  @Test
  void who_is_next_is_who_would_be_let_in() {
    var asking = new FairLine(MOST);
    var telling = new FairLine(MOST);

    for (var turn = 0L; turn < ALIVE_MAX; turn++) {
      asking.line(turn, author(turn));
      telling.line(turn, author(turn));
    }
    for (var turn = 0L; turn < MOST; turn++) {
      asking.leaves(turn);
      telling.leaves(turn);
      var next = telling.next().orElseThrow();
      assertEquals(OptionalInt.empty(), asking.line(next, author(next)));
    }
  }

  private static String author(long turn) {
    return "U" + turn % AUTHORS;
  }
}
