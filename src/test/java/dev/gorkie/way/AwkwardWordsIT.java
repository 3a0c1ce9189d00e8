package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/// What people write reaches Pi as they wrote it, and runs nothing on the way.
class AwkwardWordsIT {

  // As many characters as one message in Slack may have.
  private static final int MESSAGE_CHARS_MAX = 40_000;

  private final Stage stage = Stage.open();

  @Test
  void every_character_reaches_pi_unchanged() throws Exception {
    var words =
        "awkward-words " + Awkward.characters() + " $(touch hacked) `touch hacked` ; touch hacked";

    var heard = heard("awkward-words", words);

    assertTrue(heard.contains(Awkward.asPiHearsIt(words)), () -> Awkward.difference(words, heard));
  }

  @Test
  void a_message_as_long_as_slack_lets_it_be_arrives_whole() throws Exception {
    var words = "long-words " + Awkward.text(MESSAGE_CHARS_MAX - 100);

    var heard = heard("long-words", words);

    assertTrue(heard.contains(Awkward.asPiHearsIt(words)), () -> Awkward.difference(words, heard));
  }

  @Test
  void three_hundred_kilobytes_in_one_delivery_arrive_whole() throws Exception {
    var words = "huge-words " + "x".repeat(300 * 1024);
    stage.model().script(Rule.whenContaining("huge-words", Reply.says("I read it.")));
    var delivery = new SignedDelivery(stage);

    assertEquals(200, delivery.mention("1800000000.000100", words).statusCode());

    var asked =
        stage.model().awaitAsked(one -> one.body().encode().contains("huge-words"), Stage.PATIENCE);
    assertTrue(lastUserText(asked.body()).contains(words));
  }

  @Test
  void what_is_written_runs_nothing() throws Exception {
    stage.model().script(Rule.whenContaining("harmless-words", Reply.says("Noted.")));
    var thread =
        stage.ask("general", "harmless-words $(touch hacked) `touch hacked`\n/quit\n!touch hacked");

    var later = stage.goOn(thread, "$ echo hacked-$(ls -a ~ . | grep -c hacked)-times");

    assertTrue(Stage.answer(later).contains("hacked-0-times"), later.plain());
  }

  private String heard(String keyword, String words) throws Exception {
    stage.model().script(Rule.whenContaining(keyword, Reply.says("I read it.")));
    stage.ask("general", words);
    var asked = stage.model().awaitAsked(a -> a.body().encode().contains(keyword), Stage.PATIENCE);
    return lastUserText(asked.body());
  }

  private static String lastUserText(JsonObject request) {
    var text = "";
    for (var entry : request.getJsonArray("messages")) {
      var message = (JsonObject) entry;
      if (message.getString("role").equals("user")) {
        var content = message.getValue("content");
        text = content instanceof String plain ? plain : joined(message);
      }
    }
    return text;
  }

  private static String joined(JsonObject message) {
    var text = new StringBuilder();
    for (var part : message.getJsonArray("content")) {
      text.append(((JsonObject) part).getString("text", ""));
    }
    return text.toString();
  }
}
