package dev.gorkie.daytona;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TerminalOutputTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final byte[] ALL_IT_HOLDS = new byte[1024 * 1024];

  private final TerminalOutput output = new TerminalOutput();

  @Test
  void what_was_kept_is_read_before_the_end_is_told() throws Exception {
    output.put(new byte[] {1, 2});
    output.put(new byte[] {3});
    output.end("it was cut");
    output.end("a consequence");

    assertArrayEquals(new byte[] {1, 2}, output.take(Deadline.in(LONG)));
    assertArrayEquals(new byte[] {3}, output.take(Deadline.in(LONG)));
    var end = assertThrows(IOException.class, () -> output.take(Deadline.in(LONG)));
    assertEquals("The terminal is gone: it was cut", end.getMessage());
  }

  @Test
  void nothing_comes_at_the_deadline() throws Exception {
    assertEquals(0, output.take(Deadline.in(SHORT)).length);
  }

  @Test
  void whoever_brings_more_than_it_holds_waits_until_some_is_read() throws Exception {
    output.put(ALL_IT_HOLDS);

    var bringing = bringing(new byte[] {1});
    assertFalse(bringing.join(SHORT));
    output.take(Deadline.in(LONG));

    assertArrayEquals(new byte[] {1}, output.take(Deadline.in(LONG)));
    assertTrue(bringing.join(LONG));
  }

  @Test
  void the_end_lets_go_of_whoever_waits() throws Exception {
    output.put(ALL_IT_HOLDS);

    var bringing = bringing(new byte[] {1});
    output.end("closed here");

    assertTrue(bringing.join(LONG));
  }

  private Thread bringing(byte[] chunk) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                output.put(chunk);
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
