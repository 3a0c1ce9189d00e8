package dev.gorkie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The scenarios in which a thread disappoints people, and what the local Slack enforces, name tests for each line.
class SlackTableTest {

  private static final DocTable SCENARIOS = new DocTable("slack.md", "Twenty-one scenarios");
  private static final DocTable ENFORCED =
      new DocTable("slack.md", "What the local Slack enforces");

  @Test
  void every_scenario_is_there_by_its_number() throws IOException {
    var numbers =
        SCENARIOS.lines().stream().map(line -> line.substring(2, line.indexOf(" |"))).toList();

    assertEquals(IntStream.rangeClosed(1, 21).mapToObj(number -> "P" + number).toList(), numbers);
  }

  @Test
  void each_line_is_tried_by_a_test_that_is_there() throws IOException {
    assertEquals(List.of(), SCENARIOS.missing());
    assertEquals(List.of(), ENFORCED.missing());
    assertTrue(ENFORCED.lines().size() > 9, ENFORCED.lines().toString());
  }
}
