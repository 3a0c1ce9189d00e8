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

/// The campaign's short form: what a change is most likely to break, once each. `docs/campaign.md` tells of the whole.
class CampaignIT {

  // A lease of six seconds: one that a busy machine renews in time.
  private static final String TIME = "5";
  private static final Duration LONGER_THAN_THE_LEASE = Duration.ofSeconds(8);

  private static final Wish PLAIN = new Wish("plain", 200, false, false);
  private static final Wish TOOLS = new Wish("tools", 200, false, false);
  private static final Wish FILE = new Wish("file", 200, false, false);
  private static final Wish WORDS = new Wish("words", 2_000, false, false);
  private static final Wish LATER = new Wish("tools", 200, true, false);

  private static final List<Histories.Planned> HISTORIES =
      List.of(
          killed(PLAIN, "db insert inbox before#1"),
          killed(TOOLS, "db update threads lease_owner after#1"),
          killed(PLAIN, "daytona POST /api/sandbox after#1"),
          killed(LATER, "daytona frame in give before#1"),
          killed(FILE, "slack files.completeUploadExternal after#1"),
          killed(LATER, "db commit of insert outbox after#1"),
          killed(TOOLS, "slack chat.postMessage answer-1 after#1"),
          killed(PLAIN, "db update inbox settled_at before#1"),
          killed(WORDS, "slack chat.startStream after#1"),
          killed(WORDS, "slack chat.appendStream before#2"),
          killed(WORDS, "slack chat.stopStream answer-1 after#1"),
          with(WORDS, Fault.cut("slack chat.appendStream after#1")),
          with(FILE, Fault.cut("slack files.completeUploadExternal after#1")),
          with(FILE, Fault.cut("slack upload before#1")),
          with(FILE, Fault.cut("daytona POST /toolbox/*/process/execute after#1")),
          with(PLAIN, Fault.cut("slack chat.postMessage answer-1 after#1")),
          with(
              TOOLS,
              Fault.freeze("slack chat.postMessage answer-1 before#1", LONGER_THAN_THE_LEASE)),
          DoorPart.one("door-given", 4),
          DoorPart.one("door-refused", 1),
          DoorPart.one("door-lost", 2),
          DoorPart.one("door-answered", 3),
          JobsPart.fates("jobs", 1),
          JobsPart.killed("jobs-over", 3, "db update jobs state after#1"));

  private static Histories.Planned killed(Wish wish, String boundary) {
    return with(wish, Fault.kill(boundary));
  }

  private static Histories.Planned with(Wish wish, Fault fault) {
    return new Histories.Planned(
        "i" + Integer.toHexString(fault.toString().hashCode()), 1, wish, Plan.of(fault));
  }

  @Test
  void nothing_is_lost_and_nothing_is_said_twice() throws Exception {
    var size = Size.from(Map.of("CAMPAIGN_TIME", TIME));
    var said = new ByteArrayOutputStream();
    var figures = new Figures("short", size, new PrintStream(said, true, StandardCharsets.UTF_8));
    try (var scene =
        new Scene(
            new Pace(size.time()),
            size.side(),
            Form.usual().withDoors(2),
            Path.of("target", "campaign-short.log"))) {
      new Histories(scene, size, figures).run(HISTORIES);
      assertEquals(List.of(), scene.indiscretions());
    }

    assertEquals(0, figures.violations(), () -> said.toString(StandardCharsets.UTF_8));
    assertTrue(figures.isGreen(), () -> said.toString(StandardCharsets.UTF_8));
    assertTrue(figures.faults() > HISTORIES.size() / 2, "most boundaries are still called so");
  }
}
