package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.DeliveryOptions;
import dev.gorkie.local.slack.Utterance;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A thread whose first message reaches us after others below it: Slack promises no order, and tries one again after a minute.
class OvertakingIT {

  // As if the first try had failed.
  private static final Duration LATE = Duration.ofMinutes(1);

  private final Stage stage = Stage.open();

  @Test
  void what_was_written_below_a_mention_that_came_late_is_told_with_it() throws Exception {
    stage.slack().nextIsAt(Instant.now().minus(LATE).getEpochSecond() + ".000100");
    var root = held("@gorkie $ echo late-$((2*21))");
    var below = stage.slack().reply("general", root, "grace", "and mind the gap-year");
    awaitTaken(below);

    stage.slack().release(root);

    var thread = stage.answered("general", root, 1);
    assertTrue(Stage.answer(thread).contains("late-42"), thread.plain());
    assertEquals(1, heard("gap-year"));
  }

  @Test
  void a_mention_that_was_overtaken_by_another_is_heard_once() throws Exception {
    var root = held("@gorkie $ echo first-fish");
    var below = stage.slack().reply("general", root, "ada", "@gorkie $ echo second-fish");
    awaitTaken(below);
    stage.answered("general", root, 1);

    stage.slack().release(root);

    stage.answered("general", root, 2);
    assertEquals(1, heard("first-fish"));
    assertEquals(1, heard("second-fish"));
  }

  private String held(String text) {
    return stage
        .slack()
        .say(
            Utterance.in("general", "ada", text)
                .delivered(DeliveryOptions.usual().only(DeliveryOptions.Copies.MENTION).onHold()));
  }

  private void awaitTaken(String ts) throws InterruptedException {
    stage
        .slack()
        .awaitDeliveries(
            all ->
                all.stream()
                    .anyMatch(
                        one ->
                            one.status().equals(Optional.of(200))
                                && ts.equals(one.event().getString("ts"))),
            Stage.PATIENCE);
  }

  /// In how many of the words of people that the agent was told with its last request.
  private long heard(String words) {
    return stage.model().asked().getLast().userTexts().stream()
        .filter(text -> text.contains(words))
        .count();
  }
}
