package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.MessageView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// People of other companies, in a channel that is shared with theirs.
class StrangersIT {

  private final Stage stage = Stage.open();

  @Test
  void people_of_other_companies_are_turned_away_once_and_answered_where_the_operator_wants_it()
      throws Exception {
    var slack = stage.slack();
    slack.addChannel("with-others", Channel.Kind.PUBLIC);
    slack.addOutsider("otto", "Otto Other", "with-others");

    // Who has answered once is awake: after an acknowledgement that comes too late all is said
    // again.
    stage.ask("with-others", "$ echo awake");

    var root = slack.say("with-others", "otto", "@gorkie $ echo hello");
    var refused =
        slack.awaitThread(
            "with-others",
            root,
            thread -> thread.messages().stream().anyMatch(one -> one.onlyFor().isPresent()),
            Stage.PATIENCE);
    slack.edit("with-others", root, "@gorkie $ echo hello again");
    var ours = stage.ask("with-others", "$ echo among-ourselves");
    slack.reply("with-others", ours.rootTs(), "otto", "$ echo me-too");
    slack.awaitQuiet("with-others", Stage.PATIENCE);
    stage.goOn(ours, "$ echo later");

    assertEquals(List.of("otto"), whispered(refused.messages()));
    assertEquals(
        List.of("otto"), whispered(slack.thread("with-others", root).messages()), refused.plain());
    assertEquals(0, slack.thread("with-others", root).byApp().size(), refused.plain());
    var thread = slack.thread("with-others", ours.rootTs());
    assertTrue(
        thread.byApp().stream().noneMatch(one -> one.text().contains("me-too")), thread.plain());

    try (var _ = stage.with(Map.of("GORKIE_CHOICES_STRANGERS", "true"))) {
      var welcome = slack.say("with-others", "otto", "@gorkie $ echo come-in");
      var answer = Stage.answer(stage.answered("with-others", welcome, 1));
      assertTrue(answer.contains("come-in"), answer);
    }
  }

  private static List<String> whispered(List<MessageView> messages) {
    return messages.stream().map(MessageView::onlyFor).flatMap(Optional::stream).toList();
  }
}
