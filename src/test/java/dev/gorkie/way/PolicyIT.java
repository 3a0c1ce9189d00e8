package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.ThreadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// For whom Gorkie works, and where, as its operator has set it.
class PolicyIT {

  private final Stage stage = Stage.open();

  @Test
  void who_may_not_is_told_so_alone_and_only_when_speaking_to_us() throws Exception {
    var slack = stage.slack();
    var club = slack.addChannel("gorkies-people", Channel.Kind.PUBLIC);
    var quiet = slack.addChannel("quiet-please", Channel.Kind.PUBLIC);
    slack.addGuest("guido", "Guido Guest");
    slack.addPerson("dora", "Dora Denied");
    slack.addPerson("lena", "Lena Late");
    slack.addPerson("gone", "Gone Already");
    slack.joins("gorkies-people", "guido");
    slack.joins("gorkies-people", "dora");
    slack.joins("gorkies-people", "gone");
    slack.leaves("gorkies-people", "lena");
    slack.closeAccount("gone");

    // There is time for Slack's word on who somebody is, however busy this machine is.
    try (var _ =
        stage.with(
            Map.of(
                "GORKIE_PEOPLE_GUESTS",
                "false",
                "GORKIE_SLACK_TOLD_WITHIN",
                "60s",
                "GORKIE_PEOPLE_DENIED",
                slack.person("dora").id(),
                "GORKIE_PEOPLE_OPT_IN",
                club.id(),
                "GORKIE_PEOPLE_JOINED_WITHIN",
                "0s",
                "GORKIE_CHANNELS_DENIED",
                quiet.id()))) {
      // Who has answered once is awake: after an acknowledgement that comes too late all is said
      // again.
      stage.ask("general", "$ echo awake");
      // Whoever cannot be known is not taken for a member.
      stage.slack().fail("users.info", 1, new Fault.NeverArrived());
      assertTold("general", "guido", "members of this workspace");
      assertTold("general", "dora", "told not to work for you");
      assertTold("quiet-please", "ada", "told not to work here");
      var late = assertTold("general", "lena", "join the channel #gorkies-people first");
      assertEquals(List.of(), whispers(says("general", "gone")));

      // What they say among others in a thread of somebody else is not for us, and they do not end
      // it.
      var ours = stage.ask("general", "$ echo ours");
      slack.reply("general", ours.rootTs(), "guido", "$ echo guests-words");
      slack.reply("general", ours.rootTs(), "dora", "stop");
      slack.awaitQuiet("general", Stage.PATIENCE);
      var after = stage.goOn(ours, "$ echo later");
      assertFalse(after.appSaid("guests-words"), after.plain());
      assertEquals(List.of(), whispers(after));

      slack.joins("gorkies-people", "lena");
      slack.reply("general", late.rootTs(), "lena", "@gorkie $ echo in-now");
      var answered = stage.answered("general", late.rootTs(), 1);
      assertTrue(answered.appSaid("in-now"), answered.plain());
    }
  }

  private ThreadView says(String channel, String user) throws InterruptedException {
    var root = stage.slack().say(channel, user, "@gorkie $ echo never-said");
    stage.slack().awaitQuiet(channel, Stage.PATIENCE);
    return stage.slack().thread(channel, root);
  }

  private ThreadView assertTold(String channel, String user, String words)
      throws InterruptedException {
    var root = stage.slack().say(channel, user, "@gorkie $ echo never-said");
    var thread =
        stage.slack().awaitThread(channel, root, now -> !whispers(now).isEmpty(), Stage.PATIENCE);
    stage.slack().awaitQuiet(channel, Stage.PATIENCE);
    thread = stage.slack().thread(channel, root);
    var told = thread.messages().stream().filter(it -> it.onlyFor().isPresent()).toList();
    assertEquals(List.of(user), whispers(thread), thread.plain());
    assertTrue(told.getFirst().text().contains(words), told.getFirst().text());
    assertTrue(thread.byApp().isEmpty(), thread.plain());
    return thread;
  }

  private static List<String> whispers(ThreadView thread) {
    return thread.messages().stream().map(MessageView::onlyFor).flatMap(Optional::stream).toList();
  }
}
