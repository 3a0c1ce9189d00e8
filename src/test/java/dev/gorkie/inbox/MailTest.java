package dev.gorkie.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.FollowUp;
import dev.gorkie.slack.SlackEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What comes in while a turn runs, and what changes before one begins.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class MailTest {

  private static final AtomicInteger CHANNELS = new AtomicInteger();

  private final String channel = "CMAIL" + CHANNELS.incrementAndGet();

  @Inject Inbox inbox;
  @Inject Database database;

  @Test
  void a_reply_that_comes_while_the_turn_runs_belongs_to_it() {
    accept(root("begin").json());
    try (var claim = claim()) {
      accept(reply("000200", "and more").json());
      Await.until(claim::hasMail);

      assertEquals(List.of("and more"), texts(claim.mail()));
      assertEquals(List.of(), claim.mail());
      assertTrue(claim.settle("DONE"));
    }
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
  }

  @Test
  void mail_that_was_taken_and_not_dealt_with_is_found_by_the_next_worker() {
    accept(root("begin").json());
    try (var claim = claim()) {
      accept(reply("000200", "and more").json());
      Await.until(claim::hasMail);
      claim.mail();
    }

    try (var claim = claim()) {
      assertEquals(List.of("begin", "and more"), texts(claim.messages()));
      assertEquals(List.of(false, true), claim.messages().stream().map(Message::steers).toList());
    }
  }

  @Test
  void a_worker_that_was_overtaken_takes_no_mail() {
    accept(root("begin").json());
    var slow = claim();
    slow.close();
    try (var _ = claim()) {
      accept(reply("000200", "not for the slow one").json());

      assertEquals(
          List.of(),
          inbox.take(
              new Inbox.Claimed(
                  "slow",
                  Term.of(Duration.ofSeconds(30)),
                  slow.fence(),
                  slow.turn(),
                  List.of(),
                  false,
                  Optional.empty(),
                  Optional.empty(),
                  1)));
    }
  }

  @Test
  void when_all_of_it_was_taken_back_the_turn_hears_of_it_at_its_next_look() {
    var first = root("never mind");
    var second = reply("000200", "nor this");
    accept(first.json());
    accept(second.json());
    try (var claim = claim()) {
      accept(first.deletedJson());
      accept(reply("000300", "begins the next turn").json());
      Await.until(claim::hasMail);
      assertFalse(claim.isTakenBack());

      accept(second.deletedJson());

      Await.until(claim::isTakenBack);
      assertFalse(claim.isStopWanted());
    }
  }

  @Test
  void a_stop_is_wanted_as_soon_as_it_waits_and_ends_only_what_was_written_before_it() {
    accept(root("begin").json());
    try (var claim = claim()) {
      accept(reply("000200", "before").json());
      accept(reply("000300", "!stop").json());
      accept(reply("000400", "after").json());
      Await.until(claim::isStopWanted);

      assertEquals(List.of("before", "!stop"), texts(claim.mail()));
      claim.settle("STOPPED");
    }
    try (var claim = claim()) {
      assertEquals(List.of("after"), texts(claim.messages()));
    }
  }

  private boolean followUp(String id) {
    var root = "1700000000.000100";
    return database.transaction(
        () -> inbox.followUp(new FollowUp("A1", "T1", channel, root, "U1", id, "<it> & is over")));
  }

  @Test
  void what_nobody_wrote_waits_for_a_turn_of_its_own_and_is_known_again() {
    accept(root("begin").json());
    try (var claim = claim()) {
      assertTrue(followUp("job1" + channel));
      assertFalse(followUp("job1" + channel));
      accept(reply("000200", "and more").json());
      Await.until(claim::hasMail);

      assertEquals(List.of("and more"), texts(claim.mail()));
      claim.settle("DONE");
    }

    try (var claim = claim()) {
      assertEquals(List.of("<it> & is over"), texts(claim.messages()));
      assertFalse(claim.messages().getFirst().isStop());
      claim.settle("DONE");
    }
  }

  @Test
  void what_nobody_wrote_wakes_no_thread_that_waits_for_a_person() {
    accept(root("may I?").json());
    try (var claim = claim()) {
      assertTrue(suspend(claim.fence()));
    }

    followUp("job2" + channel);

    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
  }

  @Test
  void a_stop_by_button_in_a_thread_nobody_invited_us_to_is_nothing() {
    var pressed =
        """
        {"type":"event_callback","api_app_id":"A1","team_id":"T1","event_id":"EvStop%s",\
        "authorizations":[{"team_id":"T1","user_id":"UBOT","is_bot":true}],\
        "event":{"type":"agent_session_stopped","channel":"%s","user":"U1","thread_ts":"1700000000.000100",\
        "event_ts":"1700000000.000900"}}"""
            .formatted(channel, channel);

    assertEquals(Accepted.NOT_FOR_US, accept(pressed));
  }

  @Test
  void of_two_edits_the_later_one_counts_in_either_order() {
    var root = root("first");
    accept(root.json());

    accept(root.editedJson("third", "1700000000.000300"));
    accept(root.editedJson("second", "1700000000.000200"));

    try (var claim = claim()) {
      assertEquals(List.of("third"), texts(claim.give()));
    }
  }

  @Test
  void an_edit_of_what_pi_has_changes_nothing_and_begins_nothing() {
    var root = root("as it was");
    accept(root.json());
    try (var claim = claim()) {
      claim.give();

      assertEquals(
          Accepted.KNOWN, accept(root.editedJson("<@UBOT> too late", "1700000000.000200")));
      assertEquals(List.of("as it was"), texts(claim.give()));
      claim.settle("DONE");
    }
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
  }

  @Test
  void a_message_edited_into_a_mention_is_a_message_and_one_edited_into_an_aside_is_none() {
    var plain =
        new Said(
            "message",
            channel,
            "channel",
            "1700000000.000100",
            "1700000000.000100",
            "hm",
            false,
            "U1");
    assertEquals(Accepted.WAITING, accept(plain.editedJson("<@UBOT> hm", "1700000000.000200")));

    assertEquals(Accepted.CHANGED, accept(plain.editedJson("## <@UBOT> hm", "1700000000.000300")));

    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
  }

  @Test
  void a_message_deleted_before_pi_has_it_is_not_given() {
    var root = root("oh no");
    accept(root.json());
    try (var claim = claim()) {
      assertEquals(Accepted.CHANGED, accept(root.deletedJson()));

      assertEquals(List.of(), claim.give());
    }
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
  }

  @Test
  void a_deletion_that_overtakes_its_message_counts_all_the_same() {
    var root = root("oh no");

    accept(root.deletedJson());

    assertEquals(Accepted.KNOWN, accept(root.json()));
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
  }

  @Test
  void a_deletion_that_meets_its_message_on_the_way_counts_in_any_case() throws Exception {
    try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 100; i < 200; i++) {
        var ts = "1700000000.000" + i;
        var message =
            new Said("app_mention", channel, "channel", ts, ts, "", false, "U1").mentioning();
        both.invokeAll(List.of(() -> accept(message.json()), () -> accept(message.deletedJson())));

        assertTrue(inbox.claim(new ThreadKey("T1", channel, ts), Await.soon()).isEmpty(), ts);
      }
    }
  }

  @Test
  void an_edit_that_meets_its_message_on_the_way_counts_in_any_case() throws Exception {
    try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 200; i < 300; i++) {
        var ts = "1700000000.000" + i;
        var message =
            new Said("app_mention", channel, "channel", ts, ts, "", false, "U1").mentioning();
        var edited = message.editedJson("<@UBOT> later", "1700000001.000" + i);
        both.invokeAll(List.of(() -> accept(message.json()), () -> accept(edited)));

        try (var claim =
            inbox.claim(new ThreadKey("T1", channel, ts), Await.soon()).orElseThrow()) {
          assertEquals(List.of("later"), texts(claim.give()));
        }
      }
    }
  }

  @Test
  void a_deletion_of_what_pi_has_comes_too_late() {
    var root = root("too late");
    accept(root.json());
    try (var claim = claim()) {
      claim.give();

      accept(root.deletedJson());

      assertFalse(claim.give().isEmpty());
    }
  }

  @Test
  void a_command_that_waits_has_a_turn_for_itself_between_what_was_written_before_and_after_it() {
    accept(root("begin").json());
    accept(reply("000200", "before").json());
    accept(reply("000300", "!new").json());
    accept(reply("000400", "after").json());

    assertEquals(List.of("begin", "before"), claimedAndDone());
    try (var claim = claim()) {
      assertEquals(Optional.of(Command.Word.NEW), claim.messages().getFirst().order());
      assertEquals(List.of("!new"), texts(claim.messages()));
      claim.settle("OBEYED");
    }
    assertEquals(List.of("after"), claimedAndDone());
  }

  @Test
  void a_turn_that_runs_takes_neither_a_command_that_waits_nor_what_comes_after_it_but_a_stop() {
    accept(root("begin").json());
    try (var claim = claim()) {
      accept(reply("000200", "before").json());
      accept(reply("000300", "!compact").json());
      accept(reply("000400", "after").json());
      Await.until(claim::hasMail);
      assertEquals(List.of("before"), texts(claim.mail()));

      accept(reply("000500", "!stop").json());
      Await.until(claim::isStopWanted);

      assertEquals(List.of("!stop"), texts(claim.mail()));
      claim.settle("STOPPED");
    }
    assertEquals(List.of("!compact"), claimedAndDone());
    assertEquals(List.of("after"), claimedAndDone());
  }

  @Test
  void a_thread_that_waits_for_a_person_is_nobodys_until_something_comes_that_its_turn_takes() {
    accept(root("begin").json());
    long fence;
    try (var claim = claim()) {
      fence = claim.fence();
      assertTrue(suspend(fence));
    }
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
    accept(reply("000200", "!new").json());
    accept(reply("000300", "in the new conversation").json());
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
    assertFalse(inbox.abandoned(Duration.ZERO, 100).contains(thread()));

    accept(reply("000400", "!stop").json());

    assertTrue(inbox.abandoned(Duration.ZERO, 100).contains(thread()));
    try (var claim = claim()) {
      assertFalse(suspend(claim.fence()), "a stop waits");
      Await.until(claim::isStopWanted);
      assertEquals(List.of("!stop"), texts(claim.mail()));
      claim.settle("STOPPED");
    }
  }

  @Test
  void where_messages_wait_for_their_own_turn_only_a_stop_reaches_one_that_waits_for_a_person() {
    accept(root("begin").json());
    try (var claim = claim()) {
      assertTrue(suspend(claim.fence(), true));
    }

    assertEquals(Accepted.HELD_UP, accept(reply("000200", "for its own turn").json()));
    assertTrue(inbox.claim(thread(), Await.soon()).isEmpty());
    assertFalse(inbox.abandoned(Duration.ZERO, 100).contains(thread()));

    assertEquals(Accepted.WAITING, accept(reply("000300", "!stop").json()));
    try (var claim = claim()) {
      Await.until(claim::isStopWanted);
      claim.mail();
      claim.settle("STOPPED");
    }
  }

  @Test
  void what_waits_behind_a_question_in_another_thread_of_the_same_conversation_is_known_to_wait() {
    accept(direct("000100", Optional.empty()));
    var key = ThreadKey.direct("T1", "U1");
    try (var claim = inbox.claim(key, Await.soon()).orElseThrow()) {
      assertTrue(
          database.transaction(
              () ->
                  inbox.suspend(
                      key, claim.fence(), Instant.now().plus(Duration.ofMinutes(30)), false)));
    }

    assertEquals(Accepted.HELD_UP, accept(direct("000200", Optional.empty())));
    assertEquals(Accepted.WAITING, accept(direct("000300", Optional.of("000100"))));
    try (var claim = inbox.claim(key, Await.soon()).orElseThrow()) {
      claim.settle("DONE");
    }
    try (var claim = inbox.claim(key, Await.soon()).orElseThrow()) {
      claim.settle("DONE");
    }
  }

  /// What somebody writes to us alone, as a thread of its own or in one.
  private String direct(String ts, Optional<String> thread) {
    return """
        {"type":"event_callback","api_app_id":"A1","team_id":"T1","event_id":"EvD%s%s",\
        "authorizations":[{"team_id":"T1","user_id":"UBOT","is_bot":true}],\
        "event":{"type":"message","channel":"D%s","channel_type":"im","user":"U1","text":"hello",\
        "ts":"1700000009.%s"%s}}"""
        .formatted(
            channel,
            ts,
            channel,
            ts,
            thread.map(root -> ",\"thread_ts\":\"1700000009." + root + "\"").orElse(""));
  }

  private boolean suspend(long fence) {
    return suspend(fence, false);
  }

  private boolean suspend(long fence, boolean onlyStop) {
    return database.transaction(
        () -> inbox.suspend(thread(), fence, Instant.now().plus(Duration.ofMinutes(30)), onlyStop));
  }

  private List<String> claimedAndDone() {
    try (var claim = claim()) {
      var texts = texts(claim.messages());
      claim.settle("DONE");
      return texts;
    }
  }

  @Test
  void a_thread_that_was_left_is_followed_no_more_and_its_commands_are_still_ours() {
    accept(root("begin").json());
    claimedAndDone();

    database.transaction(
        () -> {
          inbox.leave(thread());
          return true;
        });

    assertEquals(Accepted.NOT_FOR_US, accept(reply("000200", "stop").json()));
    assertEquals(Accepted.NOT_FOR_US, accept(reply("000300", "among ourselves").json()));
    assertEquals(Accepted.WAITING, accept(reply("000400", "!stop").json()));
  }

  private Accepted accept(String json) {
    var payload = json.getBytes(UTF_8);
    return inbox.accept(SlackEvent.read(payload), payload);
  }

  private Said root(String text) {
    return new Said(
            "app_mention",
            channel,
            "channel",
            "1700000000.000100",
            "1700000000.000100",
            "",
            false,
            "U1")
        .mentioning()
        .text(text);
  }

  private Said reply(String micros, String text) {
    return new Said(
        "message",
        channel,
        "channel",
        "1700000000." + micros,
        "1700000000.000100",
        text,
        false,
        "U1");
  }

  private ThreadKey thread() {
    return new ThreadKey("T1", channel, "1700000000.000100");
  }

  private Claim claim() {
    return inbox.claim(thread(), Await.soon()).orElseThrow();
  }

  private static List<String> texts(List<Message> messages) {
    return messages.stream().map(message -> message.event().written(user -> user)).toList();
  }
}
