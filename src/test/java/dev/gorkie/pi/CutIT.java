package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.logbook.Logbook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Keeper and client together, and between them a line that breaks.
class CutIT {

  // The client logs each cut, and there are as many as the journal has bytes.
  private static final Logger AGENT = Logger.getLogger(Agent.class.getName());

  private static final int JOURNAL_BYTES = 200 * 1024;

  // Each run is cut at all offsets with one remainder, so that together they are cut at every byte.
  private static final int STRETCH = 500;

  private static final Duration LONG = Duration.ofHours(1);

  private record Told(PiEvent event, long offset) {}

  private record Heard(List<Told> told, int cuts) {}

  @BeforeEach
  void silence() {
    AGENT.setLevel(Level.WARNING);
  }

  @AfterEach
  void speak() {
    AGENT.setLevel(null);
  }

  @Test
  void a_line_cut_at_every_byte_of_a_real_journal_tells_everything_once() throws Exception {
    var journal = RecordedJournal.record();
    var end = journal.end();
    assertTrue(end >= JOURNAL_BYTES, end + " bytes");

    var uncut = listen(journal, end);

    journal
        .attached()
        .forEach((offset, said) -> assertTrue(endsWithTheRest(said, journal, offset)));
    try (var atOnce = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      var runs = new ArrayList<Future<?>>();
      // The first runs are cut within the note that comes before the journal, too.
      for (var first = -journal.noteBytes(); first < STRETCH; first++) {
        var from = first;
        var expected = new Heard(uncut.told(), Math.ceilDiv(end - from, STRETCH));
        runs.add(
            atOnce.submit(
                () -> {
                  assertEquals(expected, listen(journal, from), "cut at " + from);
                  return from;
                }));
      }
      for (var run : runs) {
        run.get();
      }
    }
  }

  private static boolean endsWithTheRest(byte[] said, RecordedJournal journal, long offset) {
    var rest = Arrays.copyOfRange(journal.bytes(), (int) offset, journal.end());
    return Arrays.equals(rest, Arrays.copyOfRange(said, said.length - rest.length, said.length));
  }

  private static Heard listen(RecordedJournal journal, int firstCut) throws InterruptedException {
    var cuts = LongStream.iterate(firstCut, cut -> cut + STRETCH).iterator();
    var sandbox = new OnlyTerminals(() -> new CutTerminal(journal, cuts.nextLong()));
    var launch = AnyConversation.launch();
    var deadline = Deadline.in(LONG);
    var told = new ArrayList<Told>();
    try (var agent = new Agent(sandbox, launch, 1, 0, deadline, Logbook.ofNobody())) {
      agent.expect(RecordedJournal.FIRST_COMMAND);
      while (agent.offset() < journal.end()) {
        var event = agent.next(deadline);
        told.add(new Told(event, agent.offset()));
      }
      return new Heard(told, agent.connections() - 1);
    }
  }
}
