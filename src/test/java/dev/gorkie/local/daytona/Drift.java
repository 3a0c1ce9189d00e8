package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;

/// What a newer release of the service does to its answers without a word: a field nobody knows, and in every
/// other answer decimals for integers.
final class Drift {

  private final AtomicLong answers = new AtomicLong();

  ObjectNode apply(ObjectNode answer) {
    var drifted = answer.deepCopy();
    var turn = answers.incrementAndGet();
    if (turn % 2 == 0) {
      drifted.properties().forEach(entry -> entry.setValue(decimal(entry.getValue())));
    }
    drifted.putObject("sinceRelease").put("number", turn);
    return drifted;
  }

  private static JsonNode decimal(JsonNode value) {
    return value.isIntegralNumber()
        ? DecimalNode.valueOf(BigDecimal.valueOf(value.asLong()).setScale(1))
        : value;
  }
}
