package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConversationsTest {

  private static final int REPLIES = 300;

  private final SlackAtHand slack = new SlackAtHand();
  private final Conversations conversations = new Conversations(slack.api);
  private final String team = slack.workspace.teamId();
  private final String general = slack.workspace.channel("general").id();
  private final List<String> written = new ArrayList<>();
  private String root = "";

  /// Slack gives an app that is distributed fifteen messages at a time; here it is three, and the thread is longer than any
  /// number of pages that are read in a row.
  @BeforeEach
  void writeLong() {
    slack.workspace.pageMax(3);
    root = slack.workspace.say("general", "ada", "A long story");
    for (var at = 0; at < REPLIES; at++) {
      written.add(slack.workspace.reply("general", root, "ada", "line " + at));
    }
  }

  @AfterEach
  void close() {
    slack.close();
  }

  private List<String> read(Optional<String> oldest, Optional<String> latest, int most) {
    return conversations.thread(team, general, root, oldest, latest, most).stream()
        .map(Conversations.Written::text)
        .toList();
  }

  @Test
  void the_latest_of_a_long_thread_are_its_last() {
    assertEquals(
        List.of("line 297", "line 298", "line 299"), read(Optional.empty(), Optional.empty(), 3));
    var calls = slack.workspace.calls("conversations.replies").size();
    assertTrue(calls < REPLIES / 3, () -> calls + " calls");
  }

  @Test
  void they_are_the_last_before_the_message_that_asks_for_them() {
    assertEquals(
        List.of("line 198", "line 199"), read(Optional.empty(), Optional.of(written.get(200)), 2));
  }

  @Test
  void where_few_are_new_they_are_all_there_is() {
    assertEquals(
        List.of("line 298", "line 299"), read(Optional.of(written.get(297)), Optional.empty(), 50));
  }
}
