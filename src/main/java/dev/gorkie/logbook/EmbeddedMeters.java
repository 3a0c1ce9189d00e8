package dev.gorkie.logbook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Metrics as lines of the log, which CloudWatch takes out of it: no call, no agent, and nothing is lost when a function is frozen.
final class EmbeddedMeters implements Meters {

  private static final String NAMESPACE = "Gorkie";
  private static final String ROLE = "role";
  private static final String COUNT = "Count";
  private static final String MILLISECONDS = "Milliseconds";

  private final String role;
  private final PrintStream lines;
  private final InstantSource clock;

  EmbeddedMeters(String role, PrintStream lines, InstantSource clock) {
    this.role = role;
    this.lines = lines;
    this.clock = clock;
  }

  @Override
  public void counted(Count count) {
    new Line().value(count.metric(), COUNT, 1).write();
  }

  @Override
  public void took(Took what, Duration time) {
    new Line().value(what.metric(), MILLISECONDS, time.toMillis()).write();
  }

  @Override
  public void queueAge(Duration oldest) {
    new Line().value("QueueAge", "Seconds", oldest.toSeconds()).write();
  }

  @Override
  public void sandboxes(long awake) {
    new Line().value("Sandboxes", COUNT, awake).write();
  }

  @Override
  public void ended(Ended turn) {
    var line =
        new Line()
            .value(Took.TURN.metric(), MILLISECONDS, turn.took().toMillis())
            .value("Tokens", COUNT, turn.tokens())
            .value("Spend", "None", turn.cost().doubleValue());
    line.fields.put("code", turn.code()).put("fault", turn.faultWord());
    line.directive("Outcome", COUNT, List.of(ROLE, "code", "fault"));
    line.fields.put("Outcome", 1);
    line.write();
  }

  /// One line, with all that happened at once.
  private final class Line {

    private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
    private final Map<List<String>, ObjectNode> directives = new LinkedHashMap<>();
    private final ObjectNode envelope;

    Line() {
      envelope = fields.putObject("_aws").put("Timestamp", clock.millis());
      envelope.putArray("CloudWatchMetrics");
      fields.put(ROLE, role);
    }

    Line value(String name, String unit, double value) {
      directive(name, unit, List.of(ROLE));
      if (value == Math.rint(value)) {
        fields.put(name, (long) value);
      } else {
        fields.put(name, value);
      }
      return this;
    }

    private void directive(String name, String unit, List<String> dimensions) {
      directives
          .computeIfAbsent(dimensions, this::begun)
          .withArray("Metrics")
          .addObject()
          .put("Name", name)
          .put("Unit", unit);
    }

    private ObjectNode begun(List<String> dimensions) {
      var directive =
          envelope.withArray("CloudWatchMetrics").addObject().put("Namespace", NAMESPACE);
      var names = directive.putArray("Dimensions").addArray();
      dimensions.forEach(names::add);
      return directive;
    }

    void write() {
      lines.println(fields);
    }
  }
}
