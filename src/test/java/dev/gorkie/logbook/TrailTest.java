package dev.gorkie.logbook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.logbook.Trail.Mark;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class TrailTest {

  @Test
  void what_is_started_for_a_turn_says_whose_it_is_also_what_is_known_only_later()
      throws Exception {
    var isKnown = new CountDownLatch(1);
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.THREAD, "T1:C1:1.1");
      var heartbeat =
          new FutureTask<>(
              () -> {
                isKnown.await();
                return Trail.marks();
              });
      Thread.ofVirtual().start(heartbeat);

      Trail.mark(Mark.TURN, 7);
      isKnown.countDown();

      assertEquals(Map.of("thread", "T1:C1:1.1", "turn", "7"), heartbeat.get());
    }
  }

  @Test
  void what_outlives_its_work_says_nothing_any_more() throws Exception {
    var isOver = new CountDownLatch(1);
    var pooled =
        new FutureTask<>(
            () -> {
              isOver.await();
              return Trail.marks();
            });
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.TURN, 7);
      Thread.ofVirtual().start(pooled);
    }

    isOver.countDown();

    assertEquals(Map.of(), pooled.get());
    assertEquals(Map.of(), Trail.marks());
  }

  @Test
  void a_part_of_the_work_adds_its_own_marks_and_takes_them_away() {
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.REQUEST, "r1");
      try (var _ = Trail.begin()) {
        Trail.mark(Mark.TURN, 7);
        assertEquals(Map.of("request", "r1", "turn", "7"), Trail.marks());
      }
      assertEquals(Map.of("request", "r1"), Trail.marks());
    }
  }

  @Test
  void work_that_is_carried_on_keeps_the_marks_of_what_began_it() throws Exception {
    var isOver = new CountDownLatch(1);
    FutureTask<Map<String, String>> turn;
    try (var _ = Trail.begin()) {
      Trail.mark(Mark.REQUEST, "r1");
      var marks = new FutureTask<>(Trail::marks);
      turn = marks;
      var work =
          Trail.carriedOn(
              () -> {
                awaits(isOver);
                marks.run();
              });
      Thread.ofVirtual().start(work);
    }

    isOver.countDown();

    assertEquals(Map.of("request", "r1"), turn.get());
  }

  @Test
  void where_no_work_was_begun_nothing_is_marked() {
    Trail.mark(Mark.TURN, 7);

    assertEquals(Map.of(), Trail.marks());
  }

  private static void awaits(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
