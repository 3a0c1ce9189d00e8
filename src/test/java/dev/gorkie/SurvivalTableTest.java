package dev.gorkie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tables of what a turn survives, of what Daytona does to it and of what becomes of a job name tests for each line.
class SurvivalTableTest {

  @ParameterizedTest
  @CsvSource({
    "machine.md, What a turn survives",
    "machine.md, What the local Daytona does as Daytona does",
    "jobs.md, What becomes of a job"
  })
  void each_line_is_tried_by_a_test_that_is_there(String page, String table) throws IOException {
    var lines = new DocTable(page, table);

    assertTrue(lines.lines().size() > 10, lines.lines().toString());
    assertEquals(List.of(), lines.missing());
  }
}
