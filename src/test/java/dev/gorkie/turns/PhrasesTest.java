package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.pi.ToolUse;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhrasesTest {

  @ParameterizedTest
  @CsvSource({
    "is reading the report, Reading the report",
    "adding up, Adding up",
    "Issuing a ticket, Issuing a ticket",
    "'is ', 'is '",
    ", Running a command"
  })
  void a_step_is_called_by_what_is_done(String status, String title) {
    var use = new ToolUse("bash", Optional.ofNullable(status), Optional.empty());

    assertEquals(title, Phrases.title(use));
  }
}
