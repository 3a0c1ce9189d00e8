package dev.gorkie.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import java.io.BufferedReader;
import java.io.StringReader;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLinesTest {

  private static final ThreadKey THREAD = new ThreadKey("T1", "C1", "1700000000.000100");
  private static final String JSON =
      """
      {"timestamp":"2026-01-02T03:04:05.678Z","level":"INFO","message":"turn.ended: DONE",\
      "mdc":{"thread":"T1:C1:1700000000.000100","turn":"7","sandbox":"s-1"}}""";

  @Test
  void a_line_of_json_is_read_also_behind_what_a_tool_has_put_before_it() {
    var expected =
        new Happening(
            Instant.parse("2026-01-02T03:04:05.678Z"),
            "INFO turn.ended: DONE  [turn 7, sandbox s-1]");

    assertEquals(
        List.of(expected, expected), read(JSON + "\n2026-01-02T03:04:06 [i-1] " + JSON + "\n"));
  }

  @Test
  void a_plain_line_is_read_in_this_machines_time() {
    var at =
        LocalDateTime.of(2026, 1, 2, 3, 4, 5, 678_000_000)
            .atZone(ZoneId.systemDefault())
            .toInstant();

    assertEquals(
        List.of(new Happening(at, "WARN [de.go.pi.Agent] (turn T1:C1:1700000000.000100) it broke")),
        read(
            "2026-01-02 03:04:05,678 WARN  [de.go.pi.Agent] (turn T1:C1:1700000000.000100) it broke\n"));
  }

  @Test
  void what_is_of_another_thread_or_no_line_of_a_log_is_passed_over() {
    assertEquals(
        List.of(),
        read(
            JSON.replace("000100", "000200")
                + "\n{\"message\": T1:C1:1700000000.000100\n\tat dev.gorkie.X T1:C1:1700000000.000100\n"));
  }

  private static List<Happening> read(String log) {
    return LogLines.of(new BufferedReader(new StringReader(log)), THREAD).toList();
  }
}
