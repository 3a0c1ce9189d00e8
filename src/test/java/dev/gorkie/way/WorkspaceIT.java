package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.MessageView;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What counts for more than a thread, and who may say so.
class WorkspaceIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void heal() {
    stage.slack().heal();
  }

  @Test
  void what_counts_for_the_whole_workspace_is_its_admins_to_choose_and_no_channel_is_looser()
      throws Exception {
    stage.slack().addChannel("careful", Channel.Kind.PUBLIC);
    stage.slack().makeAdmin("ada");
    stage.slack().addGuest("gus", "Gus Guest");

    try {
      told("grace", "permissions ask workspace", "Only those who look after me");
      told("ada", "permissions ask workspace", "it is `ask` in this workspace");
      told("grace", "permissions", "Here it is `ask`");
      told("grace", "permissions bypass", "only its admins and those who look after me");
      told("ada", "permissions edit", "it is `edit` here");
      told("gus", "permissions ask", "Only members of this workspace");
      told("gus", "model " + stage.model().id(), "Only members of this workspace");
    } finally {
      told("ada", "permissions bypass workspace", "it is `bypass` in this workspace");
      told("ada", "permissions bypass", "it is `bypass` here");
    }
    told("grace", "permissions ask", "it is `ask` here");
    told("grace", "permissions bypass", "it is `bypass` here");
  }

  private void told(String user, String command, String answer) throws InterruptedException {
    var before = whispers(user);
    stage.slack().command("careful", user, "/gorkie", command);
    Await.until(() -> whispers(user) > before, () -> command);
    assertTrue(last(user).contains(answer), command + ": " + last(user));
  }

  private long whispers(String user) {
    return stage.slack().threads("careful").stream()
        .flatMap(thread -> thread.messages().stream())
        .filter(one -> one.onlyFor().equals(Optional.of(user)))
        .count();
  }

  private String last(String user) {
    return stage.slack().threads("careful").stream()
        .flatMap(thread -> thread.messages().stream())
        .filter(one -> one.onlyFor().equals(Optional.of(user)))
        .reduce((_, later) -> later)
        .map(MessageView::text)
        .orElse("");
  }

  @Test
  void a_channel_is_left_when_a_member_wants_it_and_not_for_a_guest() throws Exception {
    stage.slack().addChannel("to-leave", Channel.Kind.PUBLIC);
    stage.slack().addGuest("gil", "Gil Guest");
    var thread = stage.ask("to-leave", "$ echo here-I-am");
    stage.slack().reply("to-leave", thread.rootTs(), "gil", "!leave channel");
    var asGuest = stage.answered("to-leave", thread.rootTs(), 2);
    assertTrue(Stage.answer(asGuest).contains("Only members"), asGuest.plain());

    stage.slack().reply("to-leave", thread.rootTs(), "ada", "!leave channel");
    stage
        .slack()
        .awaitCalls(
            calls ->
                calls.stream()
                    .filter(one -> one.method().equals("conversations.leave"))
                    .anyMatch(
                        one -> one.field("channel").equals(stage.slack().channel("to-leave").id())),
            Stage.PATIENCE);

    var left = stage.slack().thread("to-leave", thread.rootTs());
    assertTrue(Stage.answer(left).contains("I leave this channel now"), left.plain());
    var members = stage.slack().channel("to-leave").members();
    assertFalse(members.contains(stage.slack().app().id()), members.toString());
  }

  @Test
  void who_may_not_leave_a_channel_says_how_it_is_taken_out_and_follows_nothing_there()
      throws Exception {
    stage.slack().addChannel("to-stay", Channel.Kind.PUBLIC);
    stage.slack().takeScope("channels:manage");
    var thread = stage.ask("to-stay", "$ echo here-I-am");

    stage.slack().reply("to-stay", thread.rootTs(), "ada", "!leave channel");
    var stays = stage.answered("to-stay", thread.rootTs(), 3);
    stage.slack().reply("to-stay", thread.rootTs(), "grace", "$ echo among-ourselves");
    stage.slack().awaitQuiet("to-stay", Stage.PATIENCE);
    stage.slack().reply("to-stay", thread.rootTs(), "grace", "@gorkie $ echo back-again");
    var back = stage.answered("to-stay", thread.rootTs(), 4);

    assertTrue(Stage.answer(stays).contains("/remove @Gorkie"), stays.plain());
    assertEquals(4, Stage.answers(back).size(), back.plain());
    assertTrue(Stage.answer(back).contains("back-again"), back.plain());
  }
}
