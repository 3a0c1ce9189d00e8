package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {

  @Test
  void a_word_of_ours_behind_an_exclamation_mark_is_a_command() {
    assertEquals(
        Optional.of(new Command(Command.Word.MODEL, "some/model")),
        Command.read(" !model  some/model "));
    assertEquals(Optional.of(new Command(Command.Word.STATUS, "")), Command.read("!status"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model",
        "!important: read this",
        "!!status",
        "what does !status do?",
        "!status\nand then the tests",
        "!statusquo",
        "!"
      })
  void all_else_is_the_agents_to_read(String written) {
    assertEquals(Optional.empty(), Command.read(written));
  }
}
