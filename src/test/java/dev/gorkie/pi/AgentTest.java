package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.Deadline;
import dev.gorkie.sandbox.Terminal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
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

  private static RecordedJournal attached(String before, String journal) {
    return new RecordedJournal(bytes(journal), Map.of(0L, bytes(before + journal)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Agent on(ArrayDeque<Terminal> terminals) {
    var launch = AnyConversation.launch();
    return new Agent(
        new OnlyTerminals(terminals::removeFirst), launch, 1, 0, Deadline.in(PATIENCE));
  }
}
