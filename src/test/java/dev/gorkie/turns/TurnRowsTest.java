package dev.gorkie.turns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.slack.SlackEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class TurnRowsTest {

  private static final ThreadKey THREAD = new ThreadKey("T1", "CTURNS", "1700000001.000100");

  private static final SandboxId MACHINE = new SandboxId("one");

  @Inject Inbox inbox;
  @Inject TurnRows rows;
  @Inject Database database;
  @Inject Statements statements;

  @Test
  void a_turn_is_its_holders_alone_from_the_moment_of_the_take_over() {
    accept();
    try (var older = claim()) {
      lapse();
      try (var newer = claim()) {
        assertTrue(begin(older).isEmpty());

        assertEquals(newer.fence(), begin(newer).orElseThrow().fence);
        assertTrue(keepFirstOffset(newer, 100));
      }
    }
    forget();
  }

  @Test
  void what_was_begun_before_the_take_over_is_not_gone_on_with_after_it() {
    accept();
    try (var older = claim()) {
      assertTrue(begin(older).isPresent());
      lapse();
      try (var newer = claim()) {
        assertFalse(keepFirstOffset(older, 100));

        var found = begin(newer).orElseThrow();
        assertEquals(newer.fence(), found.fence);
        assertNull(found.firstOffset);
      }
    }
    forget();
  }

  @Test
  void a_turn_knows_of_one_before_that_the_agent_may_still_be_at_until_the_agent_has_heard() {
    accept();
    change(
        "insert into turns (turn_id, thread_id, fence, state, unended) values (-3, :thread, 1, 'ended', true)");
    change(
        "insert into turns (turn_id, thread_id, fence, state, unended) values (-2, :thread, 1, 'ended', true)");
    change("insert into turns (turn_id, thread_id, fence, state) values (-1, :thread, 1, 'ended')");

    try (var older = claim()) {
      assertEquals(-2, begin(older).orElseThrow().unendedBefore);
      lapse();
      try (var newer = claim()) {
        assertFalse(database.transaction(() -> rows.agentHasEnded(older, -2)));
        assertTrue(database.transaction(() -> rows.agentHasEnded(newer, -2)));

        assertNull(begin(newer).orElseThrow().unendedBefore);
      }
    }
    forget();
  }

  @Test
  void a_turn_knows_what_the_threads_other_turns_have_cost() {
    accept();
    change(
        "insert into turns (turn_id, thread_id, fence, state, cost) values (-1, :thread, 1, 'ended', 0.25)");
    change(
        "insert into turns (turn_id, thread_id, fence, state, cost) values (-2, :thread, 1, 'ended', 0.5)");

    try (var claim = claim()) {
      assertEquals(0, new BigDecimal("0.75").compareTo(begin(claim).orElseThrow().costBefore));
    }
    forget();
  }

  @Test
  void to_wait_in_line_is_no_hand_over_and_no_failed_attempt() {
    accept();
    try (var claim = claim()) {
      begin(claim);

      assertTrue(database.transaction(() -> rows.waitOn(claim)));
      var row = database.transaction(() -> rows.findById(claim.turn()));

      assertEquals(0, row.hops);
      assertEquals(1, row.suspensions);
    }
    forget();
  }

  private Optional<TurnRow> begin(Claim claim) {
    return database.transaction(() -> rows.begin(claim));
  }

  @Test
  void where_a_turn_begins_stands_once_on_each_machine() {
    accept();
    try (var claim = claim()) {
      begin(claim);
      assertTrue(keepFirstOffset(claim, 100));
      assertFalse(keepFirstOffset(claim, 200));

      assertTrue(
          database.transaction(() -> rows.keepFirstOffset(claim, new SandboxId("other"), 7)));

      var row = database.transaction(() -> rows.findById(claim.turn()));
      assertEquals(7, row.firstOn(new SandboxId("other"), 300));
      assertEquals(300, row.firstOn(MACHINE, 300));
    }
    forget();
  }

  private boolean keepFirstOffset(Claim claim, long offset) {
    return database.transaction(() -> rows.keepFirstOffset(claim, MACHINE, offset));
  }

  private void accept() {
    var payload =
        """
        {"type":"event_callback","team_id":"T1","api_app_id":"A1","event_id":"EvTurns","event_time":1700000001,
         "authorizations":[{"user_id":"UBOT","is_bot":true}],
         "event":{"type":"app_mention","channel":"CTURNS","channel_type":"channel","ts":"1700000001.000100",
                  "user":"U1","text":"<@UBOT> go"}}
        """
            .getBytes(StandardCharsets.UTF_8);
    inbox.accept(SlackEvent.read(payload), payload);
  }

  private Claim claim() {
    return inbox.claim(THREAD, Await.soon()).orElseThrow();
  }

  private void lapse() {
    change(
        "update threads set lease_until = now() - interval '1 second' where thread_id = :thread");
  }

  private void forget() {
    change("delete from turns where thread_id = :thread");
    change("delete from inbox where thread_id = :thread");
    change("delete from threads where thread_id = :thread");
  }

  private void change(String sql) {
    database.transaction(
        () -> statements.of(sql).setParameter("thread", THREAD.toString()).executeUpdate());
  }
}
