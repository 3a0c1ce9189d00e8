package dev.gorkie.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TurnstileTest {

  private static final int CONNECTIONS = 3;
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Turnstile turnstile = new Turnstile(CONNECTIONS, LONG, LONG, LONG);

  @Test
  void no_more_are_inside_than_there_are_connections_and_all_get_their_turn() throws Exception {
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          IntStream.range(0, 200)
              .mapToObj(
                  _ ->
                      people.submit(
                          () ->
                              turnstile.pass(
                                  () -> {
                                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                    Thread.yield();
                                    return inside.decrementAndGet();
                                  })))
              .toList();
      for (var one : all) {
        one.get();
      }
    }

    assertTrue(most.get() <= CONNECTIONS, () -> most + " were inside at once");
    assertEquals(0, inside.get());
  }

  @Test
  void who_came_first_is_let_in_first() throws Exception {
    assertEquals(
        List.of("one", "two", "three"),
        orderOf(
            new Turnstile(1, LONG, LONG, LONG),
            Stream.of("one", "two", "three")
                .map(name -> new Comer(name, Turnstile::pass))
                .toList()));
  }

  @Test
  void who_would_begin_something_lets_all_pass_who_are_in_the_middle() throws Exception {
    assertEquals(
        List.of("one", "two", "begins", "begins next"),
        orderOf(new Turnstile(1, LONG, LONG, LONG), BOTH));
  }

  @Test
  void who_would_begin_something_goes_first_at_last_and_not_too_often() throws Exception {
    assertEquals(
        List.of("begins", "one", "two", "begins next"),
        orderOf(new Turnstile(1, LONG, Duration.ZERO, LONG), BOTH));
  }

  private static final List<Comer> BOTH =
      List.of(
          new Comer("begins", TurnstileTest::begin),
          new Comer("one", Turnstile::pass),
          new Comer("begins next", TurnstileTest::begin),
          new Comer("two", Turnstile::pass));

  private static <T> T begin(Turnstile turnstile, Supplier<T> work) {
    return turnstile.passToBegin(LONG, work);
  }

  @FunctionalInterface
  private interface Passing {
    boolean by(Turnstile turnstile, Supplier<Boolean> work);
  }

  private record Comer(String name, Passing passing) {}

  /// In which order they are let in who come one after the other while somebody is inside.
  private static List<String> orderOf(Turnstile one, List<Comer> comers) throws Exception {
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var order = Collections.synchronizedList(new ArrayList<String>());
    try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
      people.submit(() -> one.pass(() -> waitFor(entered, release)));
      entered.await();
      for (var comer : comers) {
        var before = one.waiting();
        people.submit(() -> comer.passing().by(one, () -> order.add(comer.name())));
        while (one.waiting() == before) {
          Thread.onSpinWait();
        }
      }
      release.countDown();
    }
    return order;
  }

  @Test
  void who_is_inside_goes_in_again_without_standing_in_line() {
    var one = new Turnstile(1, LONG, LONG, LONG);

    assertEquals("done", one.pass(() -> one.pass(() -> "done")));
    assertEquals("and free again", one.pass(() -> "and free again"));
  }

  @Test
  void who_has_stood_in_line_for_so_long_is_sent_away_and_leaves_it() throws Exception {
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var one = new Turnstile(1, Duration.ofMillis(1), LONG, LONG);
    try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
      people.submit(() -> one.pass(() -> waitFor(entered, release)));
      entered.await();
      var begun = people.submit(() -> begin(one, () -> "begun"));
      while (one.waiting() == 0) {
        Thread.onSpinWait();
      }
      var away = failing(() -> one.pass(() -> "too late"));
      var awayAsWell = failing(() -> one.passToBegin(Duration.ofMillis(1), () -> "too late"));
      var left = one.waiting();
      release.countDown();

      assertTrue(Database.isLost(away), "which is nobody's fault");
      assertTrue(Database.isLost(awayAsWell), "which is nobody's fault");
      assertEquals(1, left, "who has more time to begin");
      assertEquals("begun", begun.get());
      assertEquals(0, one.waiting());
    }
    assertEquals("free", one.pass(() -> "free"));
  }

  @Test
  void who_fails_inside_leaves_his_place() {
    var one = new Turnstile(1, LONG, LONG, LONG);
    assertThrows(
        ArithmeticException.class,
        () ->
            one.pass(
                () -> {
                  throw new ArithmeticException("a bug");
                }));

    assertEquals("free", one.pass(() -> "free"));
  }

  @Test
  void who_is_told_to_end_gives_back_what_he_holds_where_there_is_room() throws Exception {
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var one = new Turnstile(1, LONG, LONG, LONG);
    try {
      Thread.currentThread().interrupt();
      assertFalse(one.pass(() -> Thread.currentThread().isInterrupted()), "while he gives it back");
      assertTrue(Thread.interrupted(), "and is told again");

      try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
        people.submit(() -> one.pass(() -> waitFor(entered, release)));
        entered.await();
        Thread.currentThread().interrupt();
        var away = failing(() -> one.pass(() -> "too late"));
        var told = Thread.interrupted();
        release.countDown();

        assertTrue(Database.isLost(away), "which is nobody's fault");
        assertTrue(told);
      }
    } finally {
      Thread.interrupted();
    }
  }

  /// What somebody hears who is not let in; nothing where he is.
  private static Throwable failing(Supplier<String> passing) {
    try {
      return new AssertionError(passing.get());
    } catch (IllegalStateException away) {
      return away;
    }
  }

  private static String waitFor(CountDownLatch entered, CountDownLatch release) {
    entered.countDown();
    try {
      release.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return "released";
  }
}
