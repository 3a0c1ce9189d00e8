package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class AgentTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void what_a_shell_says_in_place_of_the_attach_program_is_no_record() throws Exception {
    var record = "{\"type\":\"keeper_boot\"}\n";
    var failed = attached("bash: keeper: No such file or directory\nexit\n", "");
    var whole = attached("#{\"hello\":{\"from\":0}}\n", record);
    var terminals =
        new ArrayDeque<Terminal>(List.of(new CutTerminal(failed, 0), new CutTerminal(whole, 100)));

    try (var agent = on(terminals)) {
      var event = agent.next(Deadline.in(PATIENCE));

      assertEquals(new PiEvent.Booting(), event);
      assertEquals(record.length(), agent.offset());
      assertEquals(2, agent.connections());
    }
  }

  @Test
  void a_journal_that_does_not_reach_back_to_where_we_were_has_a_gap() throws Exception {
    var record = "{\"type\":\"keeper_boot\"}\n";
    var said = bytes("#{\"hello\":{\"from\":7}}\n" + record);
    var later = new RecordedJournal(bytes(record), Map.of(0L, said, 7L, said));
    var terminals =
        new ArrayDeque<Terminal>(List.of(new CutTerminal(later, 100), new CutTerminal(later, 100)));

    try (var agent = on(terminals)) {
      agent.next(Deadline.in(PATIENCE));

      assertTrue(agent.hasGap());
    }
  }

  @Test
  void a_way_that_was_begun_ahead_is_the_one_that_is_gone() throws Exception {
    var whole = attached("#{\"hello\":{\"from\":0}}\n", "{\"type\":\"keeper_boot\"}\n");
    var terminals = new ArrayDeque<Terminal>(List.of(new CutTerminal(whole, 100)));

    try (var agent = on(terminals)) {
      agent.approach();

      assertEquals(new PiEvent.Booting(), agent.next(Deadline.in(PATIENCE)));
      assertEquals(1, agent.connections());
      assertFalse(agent.hasGap());
    }
  }

  @Test
  void a_way_that_was_begun_ahead_in_vain_is_begun_anew() throws Exception {
    var whole = attached("#{\"hello\":{\"from\":0}}\n", "{\"type\":\"keeper_boot\"}\n");
    var terminals =
        new ArrayDeque<Supplier<Terminal>>(
            List.of(
                () -> {
                  throw new Failure(SandboxFailure.UNREACHABLE, "no terminal");
                },
                () -> new CutTerminal(whole, 100)));
    var sandbox = new OnlyTerminals(() -> terminals.removeFirst().get());

    try (var agent =
        new Agent(
            sandbox, AnyConversation.launch(), 1, 0, Deadline.in(PATIENCE), Logbook.ofNobody())) {
      agent.approach();

      assertEquals(new PiEvent.Booting(), agent.next(Deadline.in(PATIENCE)));
      assertEquals(2, agent.connections());
    }
  }

  @Test
  void a_way_that_was_begun_ahead_and_is_not_needed_is_closed() throws Exception {
    var whole = attached("#{\"hello\":{\"from\":0}}\n", "");
    var terminal = new CutTerminal(whole, 100);
    var closed = new CountDownLatch(1);
    var watched =
        new Terminal() {
          @Override
          public byte[] read(Deadline deadline) throws IOException {
            return terminal.read(deadline);
          }

          @Override
          public void write(byte[] bytes) {
            terminal.write(bytes);
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };

    try (var agent = on(new ArrayDeque<>(List.of(watched)))) {
      agent.approach();
    }

    assertTrue(closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  @Test
  void a_line_that_breaks_before_the_greeting_was_a_terminal_all_the_same() throws Exception {
    var record = "{\"type\":\"keeper_boot\"}\n";
    var hello = "#{\"hello\":{\"from\":0}}\n";
    var journal = attached(hello, record);
    var terminals = new ArrayDeque<Terminal>();
    for (var cut = 0; cut < 4; cut++) {
      terminals.add(new CutTerminal(journal, -hello.length()));
    }
    terminals.add(new CutTerminal(journal, 100));

    // Nothing but terminals is to be had.
    try (var agent = on(terminals)) {
      assertEquals(new PiEvent.Booting(), agent.next(Deadline.in(PATIENCE)));
    }
  }

  @Test
  void what_was_refused_before_the_keeper_began_anew_or_to_others_counts_no_more()
      throws Exception {
    var hello = "#{\"hello\":{\"from\":%d}}\n";
    var toAnother = refused(0);
    var first = refused(1);
    var later = refused(1) + "{\"type\":\"keeper_forced\",\"fence\":1}\n" + refused(1);
    var from = (long) (toAnother + first).length();
    var journal =
        new RecordedJournal(
            bytes(toAnother + first + later),
            Map.of(
                0L,
                bytes(hello.formatted(0) + toAnother + first + later),
                from,
                bytes(hello.formatted(from) + later)));
    var terminals =
        new ArrayDeque<Terminal>(
            List.of(
                new CutTerminal(journal, journal.end()), new CutTerminal(journal, journal.end())));

    try (var agent = on(terminals)) {
      agent.prompt("turn-1", "hello");
      assertEquals(new PiEvent.Unknown("keeper_refused"), agent.next(Deadline.in(PATIENCE)));
      assertEquals(new PiEvent.TakenOver(1), agent.next(Deadline.in(PATIENCE)));

      agent.restartKeeper();

      assertEquals(new PiEvent.Unknown("keeper_refused"), agent.next(Deadline.in(PATIENCE)));
      assertEquals(new PiEvent.BegunAnew(1), agent.next(Deadline.in(PATIENCE)));
      assertEquals(new PiEvent.TakenOver(1), agent.next(Deadline.in(PATIENCE)));
    }
  }

  private static String refused(long fence) {
    return """
    {"type":"keeper_refused","id":"turn-1","fence":%d,"highest":9,"reason":"fence"}
    """
        .formatted(fence);
  }

  private static RecordedJournal attached(String before, String journal) {
    return new RecordedJournal(bytes(journal), Map.of(0L, bytes(before + journal)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Agent on(ArrayDeque<Terminal> terminals) {
    var launch = AnyConversation.launch();
    return new Agent(
        new OnlyTerminals(terminals::removeFirst),
        launch,
        1,
        0,
        Deadline.in(PATIENCE),
        Logbook.ofNobody());
  }
}
