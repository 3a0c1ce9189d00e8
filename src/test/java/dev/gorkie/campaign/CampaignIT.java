package dev.gorkie.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The campaign's short form: what a change is most likely to break, once each.
class CampaignIT {

  private static final Duration LONGER_THAN_THE_LEASE = Duration.ofSeconds(5);

  private static final List<Fault> FAULTS =
      List.of(
          Fault.kill("db insert inbox before#1"),
          Fault.kill("db update threads lease_owner after#1"),
          Fault.kill("daytona POST /api/sandbox after#1"),
          Fault.kill("daytona frame in give before#1"),
          Fault.kill("daytona frame out keeper_command before#1"),
          Fault.kill("slack files.completeUploadExternal after#1"),
          Fault.kill("db commit of update turns state after#1"),
          Fault.kill("slack chat.postMessage answer-1 after#1"),
          Fault.kill("db update inbox settled_at before#1"),
          Fault.cut("slack chat.postMessage answer-1 after#1"),
          Fault.cut("db commit of update turns state after#1"),
          Fault.freeze("slack chat.postMessage answer-1 before#1", LONGER_THAN_THE_LEASE));

  @Test
  void nothing_is_lost_and_nothing_is_said_twice() throws Exception {
    var size = Size.from(Map.of());
    var said = new ByteArrayOutputStream();
    var figures = new Figures("short", size, new PrintStream(said, true, StandardCharsets.UTF_8));
    try (var scene =
        new Scene(new Pace(size.time()), size.side(), Path.of("target", "campaign-short.log"))) {
      new Histories(scene, size, figures).run(KillPart.these(FAULTS));
    }

    assertEquals(0, figures.violations(), () -> said.toString(StandardCharsets.UTF_8));
    assertTrue(figures.faults() > FAULTS.size() / 2, "most boundaries are still called so");
  }
}
