package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.LocalSlack;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A server without an address and without a signing secret, to which Slack speaks over a connection that it has opened.
class SocketModeIT {

  private final Stage stage = Stage.open();

  @Test
  void everything_comes_over_a_connection_of_our_own() throws Exception {
    var slack = stage.slack();
    try (var _ =
        stage.with(Map.of("SLACK_APP_TOKEN", LocalSlack.appToken(), "SLACK_SIGNING_SECRET", ""))) {
      slack.awaitConnections(counts -> !counts.isEmpty() && counts.getLast() == 1, Stage.PATIENCE);

      var thread = stage.ask("general", "$ echo over-the-wire-$((6*7))");
      var clicked = slack.command("general", "ada", "/gorkie", "status");
      slack.refreshConnection();
      slack.awaitConnections(counts -> counts.getLast() == 1 && counts.contains(2), Stage.PATIENCE);
      var later = stage.goOn(thread, "$ echo still-$((6*7))");

      assertTrue(Stage.answer(thread).contains("over-the-wire-42"), thread.plain());
      assertEquals(Optional.empty(), clicked.failure());
      assertTrue(Stage.answer(later).contains("still-42"), later.plain());
    }
    slack.awaitConnections(counts -> counts.getLast() == 0, Stage.PATIENCE);
  }
}
