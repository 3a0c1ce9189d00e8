package dev.gorkie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables of what a turn survives, and of what Daytona does to it, name tests for each line.
class SurvivalTableTest {

  @ParameterizedTest
  @ValueSource(strings = {"What a turn survives", "What the local Daytona does as Daytona does"})
  void each_line_is_tried_by_a_test_that_is_there(String table) throws IOException {
    var lines = new DocTable("machine.md", table);

    assertTrue(lines.lines().size() > 12, lines.lines().toString());
    assertEquals(List.of(), lines.missing());
  }
}
