package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gorkie.Deadline;
import dev.gorkie.daytona.BehindTheScene;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.Sandboxes;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is said to Pi reaches the model as it was said, whichever way it goes, and runs nothing on the way.
@QuarkusTest
@QuarkusTestResource(value = DaytonaAndModel.class, restrictToAnnotatedClass = true)
class PromptTest {

  private static final int MEGABYTE = 1024 * 1024;

  // Is still typed; what is much longer goes beside the terminal, as a file.
  private static final int TYPED_BYTES = 128 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @Inject Sandboxes sandboxes;

  @Inject Agents agents;

  @Inject BehindTheScene daytona;

  @Inject ScriptedModel model;

  private final Deadline soon = Deadline.in(PATIENCE);

  @BeforeEach
  void script() throws Exception {
    model.answers("words", "Read.");
  }

  @AfterEach
  void heal() {
    daytona.clear();
  }

  @ParameterizedTest
  @ValueSource(ints = {TYPED_BYTES, MEGABYTE})
  void words_reach_the_model_unchanged(int bytes) throws Exception {
    var words = awkward(bytes);
    var sandbox = anySandbox();

    ask(sandbox, 1, 0, words);

    assertHeardAndNotRun(words, sandbox);
  }

  @Test
  void a_megabyte_reaches_the_model_unchanged_when_no_terminal_can_be_had() throws Exception {
    var words = awkward(MEGABYTE);
    var sandbox = anySandbox();
    var offset = ask(sandbox, 1, 0, "The first words");
    daytona.refuseTerminals();

    ask(sandbox, 2, offset, words);

    assertHeardAndNotRun(words, sandbox);
  }

  @Test
  void what_the_keeper_has_told_is_told_again_when_no_terminal_can_be_had() throws Exception {
    var sandbox = anySandbox();
    var offset = ask(sandbox, 1, 0, "The only words");
    daytona.refuseTerminals();

    assertEquals(offset, ask(sandbox, 1, 0, "The only words"));
    assertEquals(1, model.heard().stream().filter("The only words"::equals).count());
  }

  private Sandbox anySandbox() throws InterruptedException {
    return sandboxes.create("gorkie-" + UUID.randomUUID(), Map.of(), soon);
  }

  /// Where the journal is when Pi has answered.
  private long ask(Sandbox sandbox, long fence, long offset, String words)
      throws InterruptedException {
    var conversation = AnyConversation.conversation(offset > 0);
    try (var agent =
        agents.on(sandbox, conversation, new Manner("", "bypass", "T1"), fence, offset, soon)) {
      agent.prompt("turn-" + fence, words);
      while (true) {
        switch (agent.next(soon)) {
          case PiEvent.Finished(Outcome.Done _) -> {
            return agent.offset();
          }
          case PiEvent.Finished(var outcome) -> throw new AssertionError(outcome);
          case PiEvent.Quiet() -> throw new AssertionError("no answer within " + PATIENCE);
          default -> {}
        }
      }
    }
  }

  private void assertHeardAndNotRun(String words, Sandbox sandbox) throws Exception {
    var heard = model.heard().getLast();
    assertEquals(-1, Arrays.mismatch(words.toCharArray(), heard.toCharArray()), "differs at");
    assertEquals("", sandbox.execute("find ~ -name hacked", PATIENCE).output());
  }

  /// At least so many bytes, with all in it that something on the way might take for its own.
  private static String awkward(int bytes) {
    var piece =
        new StringBuilder("words and more words, as people write them, are most of it; ".repeat(5));
    for (var c = '\0'; c < '\u00a0'; c++) {
      piece.append(c);
    }
    piece.append(
        "\u2028 \u2029 \ufeff ä 語 😀 𝄞 👩‍🚀 ' \" \\ \\n \\u0000 ` # % $(touch hacked) `touch hacked`");
    piece.append("\n; touch hacked\n!touch hacked\n/quit\n{\"type\":\"abort\"}\n");
    return piece
        .toString()
        .repeat(bytes / piece.toString().getBytes(StandardCharsets.UTF_8).length + 1);
  }
}
