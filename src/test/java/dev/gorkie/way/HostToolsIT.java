package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What the agent has done by the host, and what it is told of a thread before it was asked.
class HostToolsIT {

  private final Stage stage = Stage.open();

  @AfterEach
  void forget() {
    stage.model().forgetScript();
  }

  /// The answer of an agent that calls this tool and says what came of it.
  private String asked(String word, String tool, JsonObject arguments) throws Exception {
    scripted(word, tool, arguments);
    return Stage.answer(stage.ask("general", word));
  }

  private void scripted(String word, String tool, JsonObject arguments) {
    stage
        .model()
        .script(
            Rule.whenContaining(
                word,
                Reply.calls(new ToolCall(tool, arguments)),
                Reply.says("It said: {{result}}")));
  }

  @Test
  void who_is_mentioned_in_the_middle_of_a_thread_knows_what_was_written_before_and_reads_it_once()
      throws Exception {
    var slack = stage.slack();
    var root = slack.say("general", "ada", "The picnic needs a plan");
    slack.reply("general", root, "grace", "I bring lemonade");

    slack.reply("general", root, "ada", "@gorkie what is there to drink at the picnic?");
    stage.answered("general", root, 1);
    var first = stage.model().asked().getLast().body().encode();
    slack.reply("general", root, "alan", "and I a cake");
    slack.reply("general", root, "ada", "@gorkie and to eat at the picnic?");
    stage.answered("general", root, 2);

    var second = stage.model().asked().getLast().body().encode();
    assertTrue(first.contains("): The picnic needs a plan"), first);
    assertTrue(first.contains("grace ("), first);
    assertTrue(second.contains("and I a cake"), second);
    assertEquals(1, second.split("I bring lemonade", -1).length - 1, second);
  }

  @Test
  void the_agent_reads_a_public_channel_and_no_private_one() throws Exception {
    stage.slack().say("random", "grace", "The lift is broken again");
    stage.slack().say("secret-plans", "grace", "We sell the lift");

    var open = asked("read-in-public", "readChannel", JsonObject.of("channel", "#random"));
    var closed =
        asked(
            "read-in-private",
            "readChannel",
            JsonObject.of("channel", stage.slack().channel("secret-plans").id()));

    assertTrue(open.contains("The lift is broken again"), open);
    assertTrue(closed.contains("no public channel"), closed);
    assertFalse(closed.contains("We sell"), closed);
  }

  @Test
  void a_guest_gets_nothing_out_of_other_channels() throws Exception {
    stage.slack().addGuest("gwen", "Gwen Guest");
    stage.slack().say("random", "grace", "For us alone");
    scripted("read-for-a-guest", "readChannel", JsonObject.of("channel", "random"));

    var root = stage.slack().say("general", "gwen", "@gorkie read-for-a-guest");

    var answer = Stage.answer(stage.answered("general", root, 1));
    assertTrue(answer.contains("guests may not read"), answer);
  }

  @Test
  void the_agent_looks_up_a_person_reacts_and_sets_the_title() throws Exception {
    var grace = stage.slack().person("grace").id();
    var who = asked("look-her-up", "whoIs", JsonObject.of("user", grace));
    assertTrue(who.contains("grace, time zone Europe/London"), who);

    scripted("react-to-me", "react", JsonObject.of("emoji", ":tada:"));
    var thread = stage.ask("general", "react-to-me");
    assertEquals(List.of("gorkie"), thread.root().reactions().get("tada"), thread.plain());

    scripted("call-it-so", "setTitle", JsonObject.of("title", "A fine title"));
    assertEquals(Optional.of("A fine title"), stage.ask("general", "call-it-so").title());
  }

  @Test
  void a_file_that_was_shown_before_comes_into_the_sandbox_by_its_id() throws Exception {
    var slack = stage.slack();
    var root = slack.say("general", "ada", "@gorkie $ echo hello");
    stage.answered("general", root, 1);
    slack.say(
        Utterance.in("general", "grace", "## numbers")
            .inThread(root)
            .with(Upload.text("n.csv", "a,b\n1,2\n")));
    var file =
        slack.thread("general", root).messages().stream()
            .flatMap(message -> message.files().stream())
            .findFirst()
            .orElseThrow();
    scripted("fetch-it", "getFile", JsonObject.of("file", file.id()));

    slack.reply("general", root, "ada", "fetch-it");

    var answer = Stage.answer(stage.answered("general", root, 2));
    assertTrue(answer.contains("attachments/" + file.id() + "/n.csv"), answer);
  }

  @Test
  void a_message_the_agent_never_saw_gets_no_emoji_and_it_hears_why() throws Exception {
    var elsewhere = stage.slack().say("general", "grace", "nothing to do with it");

    var answer = asked("react-elsewhere", "react", JsonObject.of("emoji", "eyes", "ts", elsewhere));

    assertTrue(answer.contains("I know no message"), answer);
    assertTrue(stage.slack().thread("general", elsewhere).root().reactions().isEmpty());
  }
}
