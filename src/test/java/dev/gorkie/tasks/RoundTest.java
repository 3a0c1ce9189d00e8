package dev.gorkie.tasks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// When something comes round.
class RoundTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant NOW = Instant.parse("2026-03-27T12:00:00Z");

  private static Round round(String cron) {
    return Round.read(cron, BERLIN).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "0 9 * * *, 2026-03-28T08:00:00Z",
    // The clocks go forward in the night before it.
    "0 9 * * 0, 2026-03-29T07:00:00Z",
    "30 18 27 3 *, 2026-03-27T17:30:00Z",
    "0 0 29 2 *, 2028-02-28T23:00:00Z",
    "*/30 * * * 1-5, 2026-03-27T12:30:00Z",
  })
  void it_comes_by_the_clocks_of_its_zone(String cron, Instant next) {
    assertEquals(Optional.of(next), round(cron).next(NOW));
  }

  @Test
  void what_is_due_at_this_very_moment_comes_the_next_time() {
    var noon = Instant.parse("2026-03-27T11:00:00Z");

    assertEquals(Optional.of(noon.plus(Duration.ofDays(1))), round("0 12 * * *").next(noon));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "every day",
        "0 9 * *",
        "60 9 * * *",
        "0 9 * * 8",
        "0 0 9 * * ? 2026",
        "@daily"
      })
  void what_is_not_five_fields_is_none(String cron) {
    assertEquals(Optional.empty(), Round.read(cron, BERLIN));
  }

  @ParameterizedTest
  @CsvSource({
    "*/30 * * * *, 30",
    "0 * * * *, 60",
    "0 9 * * *, 1380",
    "*/29 * * * *, 2",
    "'0,10 9 1 1 *', 10",
    "* * * * *, 1",
  })
  void the_shortest_time_between_two_is_known_however_seldom_they_come(String cron, long minutes) {
    assertEquals(Duration.ofMinutes(minutes), round(cron).shortest(NOW));
  }

  @Test
  void what_comes_once_a_year_is_seldom_enough() {
    assertTrue(round("0 9 24 12 *").shortest(NOW).compareTo(Duration.ofDays(364)) > 0);
  }
}
