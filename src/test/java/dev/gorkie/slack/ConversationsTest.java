package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConversationsTest {

  private static final int REPLIES = 300;

  private final SlackAtHand slack = new SlackAtHand();
  private final Conversations conversations = new Conversations(slack.api);
  private final String team = slack.workspace.teamId();
  private final String general = slack.workspace.channel("general").id();
  private final List<String> written = new ArrayList<>();
  private String root = "";

  /// Slack gives an app that is distributed fifteen messages at a time; here it is three.
  @BeforeEach
  void givesThree() {
    slack.workspace.pageMax(3);
  }

  /// When the n-th message of a thread was written.
  private enum Course {
    EVEN(at -> at * 60L),
    BURST_AT_THE_END(at -> at < 270 ? at * 86_400L : 270 * 86_400L + at),
    BURSTS_AND_SILENCE(at -> at / 50 * 30 * 86_400L + at % 50),
    ONE_LONG_AFTER_ALL(at -> at < REPLIES - 1 ? at : 180 * 86_400L);

    private final LongUnaryOperator seconds;

    Course(LongUnaryOperator seconds) {
      this.seconds = seconds;
    }

    String ts(int at) {
      return (1_700_000_000L + seconds.applyAsLong(at)) + ".%06d".formatted(at);
    }
  }

  /// Longer than any number of pages that are read in a row.
  private void write(Course course) {
    slack.workspace.nextIsAt("1699999999.000000");
    root = slack.workspace.say("general", "ada", "A long story");
    for (var at = 0; at < REPLIES; at++) {
      slack.workspace.nextIsAt(course.ts(at));
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

  @ParameterizedTest
  @EnumSource
  void the_latest_of_a_long_thread_are_its_last(Course course) {
    write(course);

    assertEquals(
        List.of("line 297", "line 298", "line 299"), read(Optional.empty(), Optional.empty(), 3));
    var calls = slack.workspace.calls("conversations.replies").size();
    assertTrue(calls < REPLIES / 3, () -> calls + " calls");
  }

  @ParameterizedTest
  @EnumSource
  void they_are_the_last_before_the_message_that_asks_for_them(Course course) {
    write(course);

    assertEquals(
        List.of("line 198", "line 199"), read(Optional.empty(), Optional.of(written.get(200)), 2));
  }

  @ParameterizedTest
  @EnumSource
  void where_few_are_new_they_are_all_there_is(Course course) {
    write(course);

    assertEquals(
        List.of("line 298", "line 299"), read(Optional.of(written.get(297)), Optional.empty(), 50));
  }
}
