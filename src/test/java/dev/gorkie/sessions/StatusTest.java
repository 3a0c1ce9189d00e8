package dev.gorkie.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StatusTest {

  /// What a status may follow upon. No sandbox sleeps that never ran, none that is destroyed fails, and only what is gone or
  /// failed is created anew.
  private static final String TABLE =
      """
      creating  < creating destroyed error
      active    < creating active resuming paused destroyed error
      resuming  < active resuming paused destroyed error
      paused    < active resuming paused
      destroyed < creating active resuming paused destroyed error
      error     < creating active resuming paused error
      """;

  @Test
  void only_these_changes_are_legal() {
    var table =
        Arrays.stream(Status.values())
            .map(
                status ->
                    "%-9s < %s\n".formatted(status.wire(), String.join(" ", status.fromWire())))
            .collect(Collectors.joining());

    assertEquals(TABLE, table);
  }
}
