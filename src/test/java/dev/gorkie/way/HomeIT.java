package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Gorkie's page in Slack.
class HomeIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
  }

  @Test
  void it_shows_each_person_what_runs_for_the_person_where_and_what_it_cost() throws Exception {
    var slack = stage.slack();
    slack.addPerson("hedy", "Hedy");
    var hanging = Reply.says("A while, and done.").ending(new Ending.Hanging(1));
    stage.model().script(Rule.whenContaining("look-at-the-page", hanging));
    var root = slack.say("general", "hedy", "@gorkie look-at-the-page");
    stage
        .model()
        .awaitHanging(asked -> asked.body().encode().contains("look-at-the-page"), Stage.PATIENCE);

    slack.openHome("hedy");
    var during = slack.awaitHome("hedy", "Working, begun", Stage.PATIENCE).encode();
    slack.openHome("alan");
    var others = slack.awaitHome("alan", "Nothing at the moment.", Stage.PATIENCE).encode();
    stage.model().release();
    stage.answered("general", root, 1);
    slack.openHome("hedy");
    slack.awaitHome("hedy", "Nothing at the moment.", Stage.PATIENCE);

    var general = slack.channel("general").id();
    assertTrue(during.contains("<#" + general + ">"), during);
    assertTrue(
        during.contains("archives/" + general + "/p" + root.replace(".", "") + "|Working"), during);
    assertTrue(others.contains("Your turns today"), others);
    slack.awaitHome("hedy", "Your turns today: 1,", Stage.PATIENCE);
    slack.awaitHome("hedy", "In the last 30 days: 1,", Stage.PATIENCE);
  }
}
