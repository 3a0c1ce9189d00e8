package dev.gorkie.logbook;

import dev.gorkie.Fault;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// How a turn ended.
///
/// @param code what the outcome is called in the books
/// @param fault whose it was, where it was anybody's
/// @param prompted whether Pi had been asked
public record Ended(
    String code,
    Optional<Fault> fault,
    boolean prompted,
    Duration took,
    long tokens,
    BigDecimal cost) {

  private static final String OK = "DONE";
  private static final String NOBODYS = "none";

  /// As it is called in lines and metrics.
  String faultWord() {
    return fault.map(it -> it.name().toLowerCase(Locale.ROOT)).orElse(NOBODYS);
  }

  /// What became of the prompt; empty where a person ended it, or there was none.
  Optional<Event> ofPrompt() {
    if (!prompted) {
      return Optional.empty();
    }
    return fault
        .map(
            it ->
                it.isWorthAnotherTry()
                    ? Event.SANDBOX_PROMPT_RECOVERABLE_FAIL
                    : Event.SANDBOX_PROMPT_FATAL_FAIL)
        .or(() -> code.equals(OK) ? Optional.of(Event.SANDBOX_PROMPT_OK) : Optional.empty());
  }
}
