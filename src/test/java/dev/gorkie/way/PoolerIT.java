package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gorkie.Pooler;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A whole turn behind a pooler that has one single connection to the database: whoever kept it while he waits for anything would
/// stop all others, and himself.
class PoolerIT {

  private final Stage stage = Stage.open();

  @Test
  void a_turn_that_waits_holds_no_connection() throws Exception {
    assumeTrue(Pooler.isInstalled(), Pooler.MISSING);
    var url = stage.migratedDatabase("pooled");
    stage
        .model()
        .script(
            Rule.whenContaining(
                "through the needle's eye", Reply.says("through").ending(new Ending.Hanging(0))));
    try (var pooler = Pooler.before(url, 1)) {
      try (var gorkie = stage.another(Map.of("DATABASE_URL", pooler.url()))) {
        var root = stage.slack().say("random", "ada", "@gorkie through the needle's eye");
        stage
            .model()
            .awaitHanging(
                asked -> asked.body().encode().contains("the needle's eye"), Stage.PATIENCE);

        stage.model().forgetScript();
        var other = stage.ask("random", "$ echo meanwhile");

        assertTrue(Stage.answer(other).contains("meanwhile"), other.plain() + gorkie.output());
        stage.model().release();
        var thread = stage.answered("random", root, 1);
        assertEquals("through", Stage.answer(thread).strip(), thread.plain());
      }
    } finally {
      stage.model().release();
      stage.model().forgetScript();
      stage.asBefore();
    }
  }
}
