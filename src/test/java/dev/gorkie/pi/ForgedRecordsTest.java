package dev.gorkie.pi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.attack.Attack;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What code in a machine can say in Pi's name, and what must not come of it.
///
/// `fuzz.minutes` goes on for so long, each time with another seed.
class ForgedRecordsTest {

  private static final int RECORDS_OF_A_TURN = 400;
  private static final long COST_MAX = 1_000_000;

  @Test
  void forged_records_break_nothing_and_begin_nothing_that_no_call_of_a_tool_asked_for() {
    var through = new ArrayList<String>();
    var lines = 0L;
    var until = Instant.now().plusSeconds(60L * Integer.getInteger("fuzz.minutes", 0));
    var least = Attack.cases(150_000, 10_000_000);
    for (var seed = Attack.seed(); through.isEmpty(); seed++) {
      lines += turn(seed, through);
      if (lines >= least && Instant.now().isAfter(until)) {
        break;
      }
    }

    Attack.of("S9", "forged records of a sandbox").withstood(lines, through);
  }

  @Test
  void what_did_harm_once_does_none_any_more() {
    var through = new ArrayList<String>();
    for (var record : new Forger(1).found()) {
      var turn = new Turn(through);
      turn.take(
          "{\"type\":\"keeper_command\",\"id\":\"turn-1\",\"fence\":7,\"command\":\"prompt\"}");
      turn.take(record);
    }

    Attack.of("S9", "records that did harm once").withstood(new Forger(1).found().size(), through);
  }

  private static long turn(long seed, List<String> through) {
    var forger = new Forger(seed);
    var turn = new Turn(through);
    var lines = 0L;
    for (; lines < RECORDS_OF_A_TURN && through.isEmpty(); lines++) {
      turn.take(forger.record());
    }
    if (!through.isEmpty()) {
      through.add("that was seed " + seed);
    }
    return lines;
  }

  /// The same journal and fold as a worker has, and beside them the plainest possible account of what may be done.
  private static final class Turn {
    private final List<String> through;
    private final Journal journal = new Journal(0);
    private final Fold fold = new Fold();
    private final Map<String, Integer> mayAsk = new HashMap<>();
    private final Map<String, Integer> mayWant = new HashMap<>();
    private final Map<String, Integer> mayShow = new HashMap<>();
    private long bytes;
    private boolean ours;

    Turn(List<String> through) {
      this.through = through;
      fold.expect("turn-1");
      fold.expectStop("stop-1");
    }

    void take(String record) {
      take(record.getBytes(StandardCharsets.UTF_8));
    }

    void take(byte[] record) {
      try {
        journal.feed(record);
        journal.feed(new byte[] {'\n'});
        for (var line = journal.next(); line.isPresent(); line = journal.next()) {
          heard(line.get());
        }
      } catch (RuntimeException e) {
        through.add(e + " from " + start(record));
      }
    }

    private void heard(Journal.Line line) {
      switch (line) {
        case Journal.Line.Record(var json, var next) -> {
          bytes += json.length + 1;
          mustBe(next == bytes, "offset " + next, json);
          note(json);
          judge(fold.take(json), json);
        }
        case Journal.Line.Oversize(var length, _) -> bytes += length + 1;
        case Journal.Line.Note _ -> {}
      }
    }

    private void note(byte[] json) {
      JsonNode record;
      try {
        record = Bounds.JSON.readTree(json);
      } catch (IOException _) {
        return;
      }
      var type = record.path("type").asText();
      if (type.equals("keeper_command") && record.path("id").asText().equals("turn-1")) {
        ours = true;
      }
      if (ours && type.equals("tool_execution_start")) {
        var tool = record.path("toolName").asText();
        mayAsk.merge(tool, 1, Integer::sum);
        mayWant.merge(
            switch (tool) {
              case "bash" ->
                  record.path("args").path("background").asBoolean() ? "startJob" : "nothing";
              case "async_status" -> "jobStatus or jobTold";
              default -> tool;
            },
            1,
            Integer::sum);
        if (record.path("toolName").asText().equals("showFile")) {
          // A number stands for itself here as it was written; 1e999 is more than a tree can hold.
          var call = Json.read(json).map(it -> it.path("toolCallId").text()).orElse("");
          mayShow.merge(Bounds.id(call), 1, Integer::sum);
        }
      }
    }

    /// Of which tool a call is needed for what the host does.
    private static String byWhich(String name) {
      return switch (name) {
        case "startJob" -> "bash in the background";
        case "jobStatus", "jobTold" -> "async_status";
        default -> name;
      };
    }

    private void judge(PiEvent event, byte[] json) {
      switch (event) {
        case PiEvent.ToolAsked asked ->
            mustBe(
                mayWant.merge(
                        asked.name().startsWith("job") ? "jobStatus or jobTold" : asked.name(),
                        -1,
                        Integer::sum)
                    >= 0,
                "a tool was asked for",
                json);
        case PiEvent.PermissionAsked asked -> {
          mustBe(mayAsk.merge(asked.tool(), -1, Integer::sum) >= 0, "leave was asked for", json);
          mustBe(asked.text().length() <= 2_000 && asked.more() >= 0, "too much to read", json);
        }
        case PiEvent.FileShown shown ->
            mustBe(mayShow.merge(shown.call(), -1, Integer::sum) >= 0, "a file was shown", json);
        case PiEvent.Retrying retrying ->
            mustBe(Instant.now().plus(retrying.in()).isAfter(Instant.EPOCH), "time", json);
        case PiEvent.Exited exited ->
            mustBe(exited.how().matches("[ -~]{1,40}"), "said in a log: " + exited.how(), json);
        case PiEvent.Finished finished -> count(finished.outcome().usage(), json);
        case PiEvent.LimitReached reached -> mustBe(reached.limit().toDays() <= 1, "limit", json);
        default -> {}
      }
      count(fold.usage(), json);
    }

    private void count(Outcome.Usage usage, byte[] json) {
      var cost = Optional.of(usage.cost()).filter(Double::isFinite).map(BigDecimal::valueOf);
      mustBe(
          cost.filter(it -> it.signum() >= 0 && it.longValue() < COST_MAX).isPresent(),
          "costs " + usage.cost(),
          json);
      mustBe(usage.tokens() >= 0, "tokens " + usage.tokens(), json);
    }

    private void mustBe(boolean so, String otherwise, byte[] json) {
      if (!so) {
        through.add(otherwise + " after " + start(json));
      }
    }

    private static String start(byte[] json) {
      return new String(json, 0, Math.min(json.length, 300), StandardCharsets.ISO_8859_1);
    }
  }
}
