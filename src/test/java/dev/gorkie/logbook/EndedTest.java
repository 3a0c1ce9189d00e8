package dev.gorkie.logbook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.Fault;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndedTest {

  @ParameterizedTest
  @CsvSource({
    "DONE, , true, sandbox.prompt.ok",
    "MODEL_SLOW, PROVIDER, true, sandbox.prompt.recoverable_fail",
    "OUT_OF_CREDIT, OPERATOR, true, sandbox.prompt.fatal_fail",
    "TOO_LONG_FOR_MODEL, LIMIT, true, sandbox.prompt.fatal_fail",
    "STOPPED, , true, ",
    "NO_ROOM, OPERATOR, false, "
  })
  void what_became_of_a_prompt_follows_from_whose_fault_it_was(
      String code, Fault fault, boolean prompted, String event) {
    var ended =
        new Ended(code, Optional.ofNullable(fault), prompted, Duration.ZERO, 0, BigDecimal.ZERO);

    assertEquals(Optional.ofNullable(event), ended.ofPrompt().map(Event::word));
  }
}
