package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// What a thread keeps, and what it keeps to itself.
class ThreadsIT {

  private static final int THREADS = 20;

  private final Stage stage = Stage.open();

  @Test
  void a_second_message_sees_the_first_ones_files_and_words_and_another_thread_neither()
      throws Exception {
    var thread = stage.ask("general", "$ echo kept > kept.txt; echo the-password-is-swordfish");

    var later = stage.goOn(thread, "$ cat kept.txt");
    var other = stage.ask("general", "$ ls kept.txt || echo none-here");

    assertTrue(Stage.answer(later).contains("kept"), later.plain());
    assertTrue(Stage.answer(other).contains("none-here"), other.plain());
    var heard = stage.model().asked();
    assertTrue(heard.get(heard.size() - 3).body().encode().contains("swordfish"));
    assertFalse(heard.getLast().body().encode().contains("swordfish"));
  }

  @Test
  void a_thread_goes_on_after_its_sandbox_was_stopped() throws Exception {
    var thread = stage.ask("general", "$ echo before > state.txt; pwd");
    var second = stage.goOn(thread, "$ cat state.txt");
    stage.stop(stage.sandboxOf(second));

    var third = stage.goOn(second, "$ cat state.txt; echo after");

    assertTrue(Stage.answer(third).contains("before"), third.plain());
    assertTrue(Stage.answer(third).contains("after"), third.plain());
  }

  @Test
  void a_thread_goes_on_after_pi_was_killed() throws Exception {
    var thread = stage.ask("general", "$ echo one-fish > fish.txt");
    stage.piOf(thread).destroyForcibly();

    var later = stage.goOn(thread, "$ cat fish.txt; echo two-fish");

    assertTrue(Stage.answer(later).contains("one-fish"), later.plain());
    assertTrue(Stage.answer(later).contains("two-fish"), later.plain());
  }

  private boolean isAnswered(String root) {
    return !Stage.answers(stage.slack().thread("general", root)).isEmpty();
  }

  @Test
  void twenty_threads_at_once_get_twenty_right_answers() throws Exception {
    var roots = new ArrayList<String>();
    for (var i = 0; i < THREADS; i++) {
      var order = "@gorkie $ echo mine-is-%d-$((%d*%d))".formatted(i, i, i);
      roots.add(stage.slack().say("general", "ada", order));
    }

    // All of them share this machine, and come to their end together.
    Await.until(() -> roots.stream().anyMatch(this::isAnswered));
    Await.until(() -> roots.stream().filter(this::isAnswered).count() > THREADS / 2);
    for (var i = 0; i < THREADS; i++) {
      var thread = stage.answered("general", roots.get(i), 1);
      assertEquals(1, Stage.answers(thread).size(), thread.plain());
      assertTrue(
          Stage.answer(thread).contains("mine-is-%d-%d".formatted(i, i * i)), thread.plain());
    }
  }
}
