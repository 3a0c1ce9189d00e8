package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTextTest {

  private static final Map<String, String> NAMES =
      Map.of("U0ALICE00", "Alice & Co", "W0BOB0000", "bob");

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "<@U0GORKIE0> hello~hello",
        " <@U0GORKIE0>  <@U0GORKIE0|gorkie>\u00a0hello~hello",
        "<@U0GORKIE0>: hello~: hello",
        "hello <@U0GORKIE0>~hello @U0GORKIE0",
        "<@U0ALICE00> and <@W0BOB0000|robert>~@Alice & Co and @bob",
        "see <#C0GENERAL|general> or <#C0SECRET0> or <#C0SECRET0|>~see #general or #C0SECRET0 or #C0SECRET0",
        "<!here> <!channel> <!everyone>~@here @channel @everyone",
        "<!subteam^S0CREW000|@crew> <!subteam^S0CREW000>~@crew @S0CREW000",
        "<!date^1392734382^{date}|yesterday>~yesterday",
        "<https://example.com/a?b=1&amp;c=2>~https://example.com/a?b=1&c=2",
        "<http://example.com|example.com>~example.com",
        "<mailto:a@example.com|a@example.com>~a@example.com",
        "<https://example.com|our &lt;site&gt;>~our <site> (https://example.com)",
        "1 &lt; 2 &amp;&amp; 3 &gt; 2~1 < 2 && 3 > 2",
        "&amp;lt; &amp;amp; &quot; &#39;~&lt; &amp; &quot; &#39;",
        "a < b~a < b",
        "<>~<>",
        "<|>~<|>",
        "$(touch x) `rm -rf /` ; | \\ ' \"~$(touch x) `rm -rf /` ; | \\ ' \""
      })
  void what_the_person_wrote_is_read_out(String slackText, String expected) {
    assertEquals(expected, written(slackText));
  }

  @Test
  void line_breaks_behind_our_mention_stay() {
    assertEquals("\n```\n  x\n```\n", written("<@U0GORKIE0>\n```\n  x\n```\n"));
  }

  @Test
  void a_mention_in_front_stays_when_we_do_not_know_who_we_are() {
    assertEquals(
        "@U0GORKIE0 hello",
        MessageText.written("<@U0GORKIE0> hello", Optional.empty(), name -> name));
  }

  @Test
  void every_other_character_survives() {
    var random = new Random(11);
    for (var i = 0; i < 2_000; i++) {
      var text = new StringBuilder();
      for (var length = random.nextInt(60); length > 0; length--) {
        text.appendCodePoint(anyCharacter(random));
      }
      var escaped = text.toString().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");

      assertEquals("x" + text, written("<@U0GORKIE0> x" + escaped));
    }
  }

  private static int anyCharacter(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(0x20);
      case 1 -> "\u007f\u0085\u2028\u2029\ufeff\u200b\u202e&<>".charAt(random.nextInt(10));
      case 2 -> random.nextInt(0x20, 0x7f);
      case 3 -> random.nextInt(0x1f300, 0x1fad0);
      default -> random.nextInt(0xa0, 0xd7ff);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "## between us",
        "##",
        "first line\n## second",
        "<@U0GORKIE0> ## between us",
        "<@U0GORKIE0><@U0ALICE00|alice> ## x",
        "first\r\n##\r\nlast",
        "<@U0GORKIE0> first\n<@U0ALICE00> ## x"
      })
  void a_line_that_begins_with_two_hashes_makes_an_aside(String slackText) {
    assertTrue(MessageText.isAside(slackText));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "# one", "a ## b", " ## indented", "C## is no language", "<#C0GENERAL> ##"})
  void two_hashes_elsewhere_do_not(String slackText) {
    assertFalse(MessageText.isAside(slackText));
  }

  @Test
  void a_message_of_nothing_but_mentions_is_read_in_no_time() {
    assertEquals("", written("<@U0GORKIE0> ".repeat(40_000)));
    assertTrue(MessageText.isAside("<@U0GORKIE0> ".repeat(40_000) + "##"));
  }

  private static String written(String slackText) {
    return MessageText.written(
        slackText, Optional.of("U0GORKIE0"), user -> NAMES.getOrDefault(user, user));
  }
}
