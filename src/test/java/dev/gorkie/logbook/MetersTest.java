package dev.gorkie.logbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The same things, as a function writes them and as a server shows them.
class MetersTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Ended SLOW_MODEL =
      new Ended(
          "MODEL_SLOW",
          Optional.of(Fault.PROVIDER),
          true,
          Duration.ofMillis(61_500),
          1234,
          new BigDecimal("0.0125"));
  private static final Ended DONE =
      new Ended("DONE", Optional.empty(), true, Duration.ofSeconds(7), 100, BigDecimal.ONE);

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final EmbeddedMeters embedded =
      new EmbeddedMeters(
          "worker", new PrintStream(written, true, StandardCharsets.UTF_8), () -> NOW);
  private final ScrapedMeters scraped = new ScrapedMeters();

  @Test
  void in_a_function_each_thing_is_a_line_of_its_own_that_cloudwatch_understands()
      throws Exception {
    embedded.counted(Count.SANDBOX_CREATES);
    embedded.took(Took.ACK, Duration.ofMillis(42));
    embedded.queueAge(Duration.ofSeconds(65));
    embedded.sandboxes(7);

    var lines = lines();
    assertEquals(4, lines.size());
    assertMetric(lines.get(0), "SandboxCreate", "Count", 1);
    assertMetric(lines.get(1), "Ack", "Milliseconds", 42);
    assertMetric(lines.get(2), "QueueAge", "Seconds", 65);
    assertMetric(lines.get(3), "Sandboxes", "Count", 7);
  }

  private static void assertMetric(JsonNode line, String name, String unit, double value) {
    var directive = line.at("/_aws/CloudWatchMetrics/0");
    assertEquals(NOW.toEpochMilli(), line.at("/_aws/Timestamp").asLong());
    assertEquals("Gorkie", directive.path("Namespace").asText());
    assertEquals("[[\"role\"]]", directive.path("Dimensions").toString());
    assertEquals(name, directive.at("/Metrics/0/Name").asText());
    assertEquals(unit, directive.at("/Metrics/0/Unit").asText());
    assertEquals("worker", line.path("role").asText());
    assertEquals(value, line.path(name).asDouble());
  }

  @Test
  void a_turns_end_is_one_line_whose_outcome_is_told_apart_by_code_and_fault() throws Exception {
    embedded.ended(SLOW_MODEL);

    var line = lines().getFirst();
    assertEquals(61_500, line.path("Turn").asLong());
    assertEquals(1234, line.path("Tokens").asLong());
    assertEquals(0.0125, line.path("Spend").asDouble());
    assertEquals(1, line.path("Outcome").asLong());
    assertEquals("MODEL_SLOW", line.path("code").asText());
    assertEquals("provider", line.path("fault").asText());
    var dimensions = new ArrayList<String>();
    for (var directive : line.at("/_aws/CloudWatchMetrics")) {
      var names = new ArrayList<String>();
      directive.path("Metrics").forEach(metric -> names.add(metric.path("Name").asText()));
      dimensions.add(names + " by " + directive.path("Dimensions"));
    }
    dimensions.sort(String::compareTo);
    assertEquals(
        List.of(
            "[Outcome] by [[\"role\",\"code\",\"fault\"]]",
            "[Turn, Tokens, Spend] by [[\"role\"]]"),
        dimensions);
  }

  @Test
  void a_server_adds_up_until_it_is_asked() {
    scraped.ended(SLOW_MODEL);
    scraped.ended(DONE);
    scraped.ended(DONE);
    scraped.counted(Count.PROMPT_RETRIES);
    scraped.took(Took.ACK, Duration.ofMillis(50));
    scraped.queueAge(Duration.ofSeconds(3));
    scraped.sandboxes(7);

    var text = scraped.text();

    assertLine(text, "gorkie_outcomes_total{code=\"DONE\",fault=\"none\"} 2");
    assertLine(text, "gorkie_outcomes_total{code=\"MODEL_SLOW\",fault=\"provider\"} 1");
    assertLine(text, "gorkie_tokens_total 1434");
    assertLine(text, "gorkie_spend_total 2.0125");
    assertLine(text, "gorkie_sandbox_creates_total 0");
    assertLine(text, "gorkie_prompt_retries_total 1");
    assertLine(text, "gorkie_queue_age_seconds 3");
    assertLine(text, "gorkie_sandboxes 7");
    // What took exactly as long as a bound is within it.
    assertLine(text, "gorkie_ack_seconds_bucket{le=\"0.01\"} 0");
    assertLine(text, "gorkie_ack_seconds_bucket{le=\"0.05\"} 1");
    assertLine(text, "gorkie_turn_seconds_bucket{le=\"+Inf\"} 3");
    assertLine(text, "gorkie_turn_seconds_sum 75.500");
    assertLine(text, "gorkie_turn_seconds_count 3");
  }

  @Test
  void each_series_is_explained_once_and_has_its_own_name() {
    var heads =
        scraped
            .text()
            .lines()
            .filter(line -> line.startsWith("# TYPE "))
            .map(line -> line.split(" ", -1)[2])
            .toList();

    assertEquals(heads.stream().distinct().toList(), heads);
    assertTrue(heads.stream().allMatch(name -> name.startsWith("gorkie_")), heads.toString());
    assertFalse(heads.isEmpty());
  }

  private static void assertLine(String text, String expected) {
    assertTrue(text.lines().anyMatch(expected::equals), expected + " is not in\n" + text);
  }

  private List<JsonNode> lines() throws IOException {
    var lines = new ArrayList<JsonNode>();
    for (var line : written.toString(StandardCharsets.UTF_8).lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }
}
