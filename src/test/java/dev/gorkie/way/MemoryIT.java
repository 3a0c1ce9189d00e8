package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.slack.ThreadView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What was said in a thread outlives the machine it was said on, and Pi's own file of it.
class MemoryIT {

  private static final String RESTORED =
      "I lost my own notes of this conversation and restored them from a copy.";

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  @Test
  void a_thread_whose_sandbox_was_deleted_goes_on_with_the_same_conversation() throws Exception {
    var first = stage.ask("general", "$ echo the-word-is-swordfish; echo gone > file.txt");
    stage.daytona().delete(stage.sandboxOf(first).id());

    var second = stage.goOn(first, "$ cat file.txt || echo no-file");
    var asked = lastAsked();
    var third = stage.goOn(second, "$ echo and-on");

    assertTrue(asked.contains("the-word-is-swordfish"), asked);
    assertTrue(Stage.answer(second).contains(newComputer()), second.plain());
    assertTrue(Stage.answer(second).contains("no-file"), second.plain());
    assertFalse(Stage.answer(third).contains("new computer"), third.plain());
    assertTrue(lastAsked().contains("the-word-is-swordfish"));
    assertTrue(lastAsked().contains("no-file"));
  }

  @Test
  void what_is_lost_with_a_sandbox_is_told_by_the_first_answer_after_that() throws Exception {
    var first = stage.ask("general", "$ echo soon-gone");
    stage.daytona().delete(stage.sandboxOf(first).id());
    stage
        .model()
        .script(Rule.whenContaining("out-of-credit", Reply.refuses(402, "insufficient_quota")));

    var second = stage.goOn(first, "out-of-credit");
    stage.model().forgetScript();
    var third = stage.goOn(second, "$ echo paid");

    assertTrue(Stage.answer(second).contains("used up"), second.plain());
    assertFalse(Stage.answer(second).contains("new computer"), second.plain());
    assertTrue(Stage.answer(third).contains(newComputer()), third.plain());
  }

  @Test
  void a_sandbox_that_is_lost_between_two_workers_is_no_reason_to_do_it_all_again()
      throws Exception {
    ThreadView thread;
    try (var _ = stage.with(Map.of("GORKIE_LEASE_LASTS", "1h"))) {
      thread = stage.underWay("only-once", Reply.says("never").ending(new Ending.Hanging(0)));
      stage.daytona().delete(stage.sandboxOf(thread).id());
    }

    var answered = stage.answered("general", thread.rootTs(), 1);
    stage.model().forgetScript();
    var later = stage.goOn(answered, "$ echo again");

    assertTrue(Stage.answer(answered).contains("computer was replaced"), answered.plain());
    assertEquals(
        1,
        stage.model().asked().stream()
            .filter(asked -> asked.lastUserText().contains("only-once"))
            .count());
    assertTrue(Stage.answer(later).contains("again"), later.plain());
  }

  @Test
  void a_conversation_survives_one_sandbox_after_the_other() throws Exception {
    var thread = stage.ask("general", "$ echo first-of-all");

    for (var generation = 2; generation <= 3; generation++) {
      stage.daytona().delete(sandboxOf(thread).id());
      thread = stage.goOn(thread, "$ echo generation-" + generation);
      assertTrue(Stage.answer(thread).contains(newComputer()), thread.plain());
    }

    assertTrue(lastAsked().contains("first-of-all"));
    assertTrue(lastAsked().contains("generation-2"));
  }

  @Test
  void a_session_whose_file_was_removed_while_pi_slept_is_restored() throws Exception {
    var first = stage.ask("general", "$ echo the-word-is-sturgeon > word.txt; cat word.txt");
    var sandbox = stage.sandboxOf(first);
    stage.stop(sandbox);
    removeSessions(sandbox);

    var second = stage.goOn(first, "$ cat word.txt");
    var asked = lastAsked();
    var third = stage.goOn(second, "$ echo and-on");

    assertTrue(asked.contains("$ echo the-word-is-sturgeon"), asked);
    assertTrue(Stage.answer(second).contains(RESTORED), second.plain());
    assertTrue(Stage.answer(second).contains("the-word-is-sturgeon"), second.plain());
    assertFalse(Stage.answer(third).contains(RESTORED), third.plain());
  }

  @Test
  void a_session_whose_file_was_removed_under_a_running_pi_is_not_forgotten_later()
      throws Exception {
    var first = stage.ask("general", "$ echo before-the-loss");
    removeSessions(stage.sandboxOf(first));
    var second = stage.goOn(first, "$ echo after-the-loss");
    assertFalse(Stage.answer(second).contains(RESTORED), second.plain());
    stage.stop(stage.sandboxOf(second));

    var third = stage.goOn(second, "$ echo later");

    assertTrue(Stage.answer(third).contains(RESTORED), third.plain());
    assertTrue(lastAsked().contains("$ echo before-the-loss"), lastAsked());
    assertTrue(lastAsked().contains("$ echo after-the-loss"), lastAsked());
  }

  @Test
  void what_a_worker_did_not_live_to_copy_is_copied_by_whoever_comes_after_it() throws Exception {
    var first = stage.ask("general", "$ echo the-word-is-halibut");
    var thread = "thread_id like '%" + first.rootTs() + "'";
    stage.sql("delete from transcripts where " + thread);

    stage.sql("update inbox set settled_at = null where " + thread);

    Await.until(() -> stage.count("transcripts where " + thread) > 0);

    assertEquals(1, Stage.answers(stage.slack().thread("general", first.rootTs())).size());
  }

  @Test
  void what_was_lost_in_one_thread_is_no_news_in_another() throws Exception {
    var lost = stage.ask("general", "$ echo mine");
    var other = stage.ask("general", "$ echo yours");
    stage.daytona().delete(stage.sandboxOf(lost).id());

    var later = stage.goOn(other, "$ echo still-yours");

    assertEquals(2, Stage.answers(later).size());
    assertFalse(Stage.answer(later).contains("computer"), later.plain());
  }

  private String lastAsked() {
    return stage.model().asked().getLast().body().encode();
  }

  private static String newComputer() {
    var today =
        DateTimeFormatter.ofPattern("d MMMM", Locale.ENGLISH).format(LocalDate.now(ZoneOffset.UTC));
    return "Same conversation, new computer: the files of " + today + " are gone.";
  }

  /// The newest of a thread's machines.
  private LocalDaytona.View sandboxOf(ThreadView thread) {
    List<LocalDaytona.View> machines =
        stage.daytona().sandboxes().stream()
            .filter(sandbox -> sandbox.name().contains(thread.rootTs()))
            .toList();
    return machines.getLast();
  }

  private static void removeSessions(LocalDaytona.View sandbox) throws IOException {
    try (var files = Files.list(sandbox.home().resolve(Path.of(".gorkie", "sessions")))) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
