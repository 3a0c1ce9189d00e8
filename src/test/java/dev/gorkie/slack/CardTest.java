package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.slack.Card.Ending;
import dev.gorkie.slack.Card.Row;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CardTest {

  private static final Instant BEGUN = Instant.ofEpochSecond(1_790_000_000);

  private final Card card = new Card(BEGUN);

  @Test
  void a_step_runs_until_it_is_done() {
    card.step("1", "Reading the report", "report.pdf");
    assertEquals(List.of(new Row("Reading the report", "report.pdf", "", true)), rows());

    card.stepDone("1", "48 pages");

    assertEquals(List.of(new Row("Reading the report", "report.pdf", "48 pages", false)), rows());
  }

  @Test
  void a_plan_looks_done_only_when_the_turn_is_over() {
    card.step("1", "Reading the report", "");
    assertEquals(List.of("Reading the report: in_progress"), tasks());

    card.stepDone("1", "48 pages");
    assertEquals(List.of("Reading the report: complete", "Thinking: in_progress"), tasks());

    card.end(Ending.DONE, BEGUN);
    assertEquals(List.of("Reading the report: complete"), tasks());
  }

  private List<String> tasks() {
    var plan = CardBlocks.plan(card.shown(BEGUN)).blocks().path(0);
    return StreamSupport.stream(plan.path("tasks").spliterator(), false)
        .map(task -> task.path("title").asText() + ": " + task.path("status").asText())
        .toList();
  }

  @Test
  void a_failed_step_is_over_and_says_so_in_its_title() {
    card.step("1", "T".repeat(80), "");
    card.stepFailed("1", "no such file");

    var row = rows().getFirst();

    assertEquals(60, row.title().length());
    assertTrue(row.title().endsWith("… (failed)"), row.title());
    assertFalse(row.running());
  }

  @Test
  void what_was_never_begun_cannot_end_and_what_ended_does_not_end_again() {
    card.stepDone("unknown", "x");
    card.step("1", "Once", "");
    card.stepDone("1", "first");
    card.stepFailed("1", "second");

    assertEquals(List.of(new Row("Once", "", "first", false)), rows());
  }

  @Test
  void every_text_becomes_one_short_harmless_line() {
    card.step("1", "\u001b[31mred\u001b[0m  \n title <!channel>", "d".repeat(500));
    card.stepDone("1", "line\r\n\tline\u0000\u202e " + "😀".repeat(500));
    card.note("first line\nsecond");

    var step = rows().getFirst();

    assertEquals("red title <\u200b!channel>", step.title());
    assertEquals(180, step.detail().length());
    assertEquals(260, step.output().codePointCount(0, step.output().length()));
    assertTrue(step.output().startsWith("line line 😀"));
    assertEquals("first line second", rows().get(1).title());
  }

  @Test
  void a_long_note_is_told_in_its_details() {
    card.note("word ".repeat(20));

    assertEquals("word ".repeat(11) + "word…", rows().getFirst().title());
    assertEquals("word ".repeat(20).strip(), rows().getFirst().detail());
  }

  @Test
  void of_many_rows_the_newest_are_shown_and_the_others_counted() {
    for (var i = 0; i < 1_000; i++) {
      card.step("" + i, "Step " + i, "");
      card.stepDone("" + i, "");
    }

    var shown = card.shown(BEGUN);

    assertEquals(45, shown.rows().size());
    assertEquals(955, shown.folded());
    assertEquals("Step 999", shown.rows().getLast().title());
    assertEquals("Step 955", shown.rows().getFirst().title());
  }

  @Test
  void what_still_runs_is_shown_before_what_is_over() {
    card.step("old", "Still running", "");
    for (var i = 0; i < 100; i++) {
      card.note("Note " + i);
    }

    var shown = card.shown(BEGUN);

    assertEquals(45, shown.rows().size());
    assertEquals("Still running", shown.rows().getFirst().title());
    assertEquals("Note 99", shown.rows().getLast().title());
  }

  @Test
  void the_card_never_weighs_more_than_a_message_may() {
    for (var i = 0; i < 100; i++) {
      card.step("" + i, "😀".repeat(60), "界".repeat(180));
      card.stepDone("" + i, "😀".repeat(260));
      var shown = card.shown(BEGUN);

      var weight = shown.rows().stream().mapToInt(Row::weight).sum();

      assertTrue(weight <= Card.WEIGHT_MAX, () -> weight + " bytes");
      assertEquals(i + 1, shown.folded() + shown.rows().size());
    }
  }

  @Test
  void the_newest_rows_keep_their_details_when_there_is_no_room_for_all() {
    for (var i = 0; i < 40; i++) {
      card.step("" + i, "Step " + i, "d".repeat(180));
      card.stepDone("" + i, "o".repeat(260));
    }

    var rows = rows();

    assertEquals(40, rows.size());
    assertEquals("", rows.getFirst().detail());
    assertEquals("o".repeat(260), rows.getLast().output());
  }

  @ParameterizedTest
  @CsvSource({"0, 0 s", "59, 59 s", "80, 1 min 20 s", "3600, 1 h 0 min", "-5, 0 s"})
  void while_it_works_the_title_says_for_how_long(long seconds, String elapsed) {
    assertEquals("Working · " + elapsed, card.shown(BEGUN.plusSeconds(seconds)).title());
  }

  @Test
  void at_the_end_it_says_how_long_it_took_and_what_it_cost() {
    card.step("1", "One", "");
    card.note("not a step");
    card.step("2", "Two", "");
    card.used(new Usage(34_567, new BigDecimal("0.1234")));
    card.end(Ending.DONE, BEGUN.plusSeconds(80));
    card.end(Ending.FAILED, BEGUN.plusSeconds(90));

    var shown = card.shown(BEGUN.plusSeconds(500));

    assertEquals("Done", shown.title());
    assertEquals(Optional.of("1 min 20 s · 2 steps · 34,567 tokens · $0.12"), shown.summary());
    assertTrue(shown.rows().stream().noneMatch(Row::running));
  }

  @Test
  void at_the_end_it_says_what_the_thread_has_cost_so_far() {
    card.costBefore(new BigDecimal("0.30"));
    card.used(new Usage(10, new BigDecimal("0.12")));
    card.end(Ending.DONE, BEGUN);

    assertEquals(
        Optional.of("0 s · 0 steps · 10 tokens · $0.12 · $0.42 in this thread so far"),
        card.shown(BEGUN).summary());
  }

  @Test
  void what_was_running_when_the_agent_ended_is_not_said_to_run() {
    card.step("1", "Compiling", "");

    card.interrupted();

    assertEquals(List.of(new Row("Compiling (stopped)", "", "", false)), rows());
  }

  @Test
  void what_was_running_when_the_turn_was_stopped_says_so() {
    card.step("1", "Compiling", "");
    card.used(new Usage(10, new BigDecimal("0.001")));
    card.end(Ending.STOPPED, BEGUN);

    assertEquals("Compiling (stopped)", rows().getFirst().title());
    assertEquals(
        Optional.of("0 s · 1 step · 10 tokens · under $0.01"), card.shown(BEGUN).summary());
  }

  private List<Row> rows() {
    return card.shown(BEGUN).rows();
  }
}
