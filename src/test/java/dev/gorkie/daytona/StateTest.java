package dev.gorkie.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.daytona.State.Step;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateTest {

  private static final String KNOWN_TO_DAYTONA =
      """
      archived          START
      archiving         START
      build_failed      REPLACE
      building_snapshot WAIT
      creating          WAIT
      destroyed         FORGET
      destroying        FORGET
      error             RECOVER
      forking           WAIT
      paused            START
      pausing           WAIT
      pending_build     WAIT
      pulling_snapshot  WAIT
      resizing          WAIT
      restoring         WAIT
      resuming          WAIT
      snapshotting      WAIT
      started           USE
      starting          WAIT
      stopped           START
      stopping          WAIT
      unknown           WAIT
      """;

  @Test
  void every_state_of_daytonas_has_its_step() {
    var expected = new TreeMap<String, Step>();
    KNOWN_TO_DAYTONA
        .lines()
        .map(line -> line.split(" +"))
        .forEach(words -> expected.put(words[0], Step.valueOf(words[1])));

    var steps = new TreeMap<String, Step>();
    Arrays.stream(State.values()).forEach(state -> steps.put(state.wire(), state.step()));

    assertEquals(Map.copyOf(expected), Map.copyOf(steps));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hibernating", "", "STARTED", "deleted"})
  void what_no_state_is_called_yet_is_waited_out(String wire) {
    assertEquals(Step.WAIT, State.of(wire).step());
  }
}
