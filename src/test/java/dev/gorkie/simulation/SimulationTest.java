package dev.gorkie.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {

  private static final Limits MANY = Limits.askedFor(2_000);
  private static final double EDIT_INTERVAL = 2;

  @Test
  void the_same_seed_gives_the_same_course() {
    var scenario = usual(50);

    assertEquals(Simulation.run(scenario), Simulation.run(scenario));
  }

  @Test
  void everybody_is_answered_and_in_time_where_there_is_room_for_all() {
    var outcome = Simulation.run(usual(200));

    assertEquals(outcome.asked(), outcome.answered());
    assertTrue(outcome.shareLater(EDIT_INTERVAL) < 0.001, () -> "late: " + outcome.late());
  }

  @Test
  void a_loud_workspace_keeps_nobody_waiting_in_the_others() {
    var quiet = Simulation.run(usual(200));
    var loud = Simulation.run(usual(200).noise(50));

    assertTrue(
        median(loud.quietWaits()) <= 1.1 * median(quiet.quietWaits()),
        () -> median(loud.quietWaits()) + " and " + median(quiet.quietWaits()));
  }

  @Test
  void what_could_not_be_said_while_Slack_was_away_is_said_afterwards() {
    var outcome = Simulation.run(usual(50).outage(Duration.ofMinutes(2)));

    assertEquals(outcome.asked(), outcome.answered());
    assertTrue(outcome.shareLater(EDIT_INTERVAL) > 0);
    assertEquals("Slack, for an answer", outcome.bottleneck());
  }

  @Test
  void where_there_is_no_room_it_is_told_what_there_is_too_little_of() {
    var few = new Limits(1_000, 1_000, 20, 600, 50_000, 3_000, 0);

    assertEquals("room for sandboxes", Simulation.run(usual(few, 50)).bottleneck());
    assertEquals(
        "the workspace's line", Simulation.run(usual(MANY.perWorkspace(1), 50)).bottleneck());
  }

  private static Scenario usual(int atOnce) {
    return usual(MANY, atOnce);
  }

  private static Scenario usual(Limits limits, int atOnce) {
    return Scenario.of("a test", 20, 2_000, atOnce, limits).lasting(Duration.ofMinutes(15));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
