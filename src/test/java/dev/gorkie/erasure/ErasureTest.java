package dev.gorkie.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gorkie.Await;
import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.daytona.BehindTheScene;
import dev.gorkie.inbox.Accepted;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.sandbox.Found;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sessions.DatabaseAndDaytona;
import dev.gorkie.slack.Membership;
import dev.gorkie.slack.SlackEvent;
import dev.gorkie.tokens.Scope;
import dev.gorkie.tokens.Tokens;
import dev.gorkie.tokens.Verdict;
import dev.gorkie.workbench.Kind;
import dev.gorkie.workbench.Order;
import dev.gorkie.workbench.Workbench;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class ErasureTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @Inject Erasure erasure;
  @Inject Inbox inbox;
  @Inject Sandboxes sandboxes;
  @Inject BehindTheScene daytona;
  @Inject Tokens tokens;
  @Inject Workbench workbench;
  @Inject Database database;
  @Inject Statements statements;

  private final int number = NUMBER.incrementAndGet();
  private final String team = "TGONE" + number;
  private final String other = "TSTAYS" + number;

  private record Kept(ThreadKey thread, SandboxId sandbox) {}

  @Test
  void a_thread_is_forgotten_with_its_sandbox_and_its_neighbours_are_not() throws Exception {
    var gone = kept(team, "C1", "UADA");
    var stays = kept(team, "C1", "UADA");

    var forgotten = erasure.thread(gone.thread());

    assertEquals(new Erasure.Forgotten(1, Map.of()), forgotten);
    assertEquals(0, rows(gone.thread()));
    assertInstanceOf(Found.Gone.class, sandboxes.find(gone.sandbox()));
    assertEquals(7, rows(stays.thread()));
    assertInstanceOf(Found.Running.class, sandboxes.find(stays.sandbox()));
    assertEquals(new Erasure.Forgotten(0, Map.of()), erasure.thread(gone.thread()));
  }

  @Test
  void a_sandbox_that_nobody_wrote_down_goes_too() throws Exception {
    var gone = kept(team, "C1", "UADA");
    change("update sandbox_sessions set sandbox_id = null where thread_id = ?1", gone.thread());

    erasure.thread(gone.thread());

    assertInstanceOf(Found.Gone.class, sandboxes.find(gone.sandbox()));
  }

  @Test
  void a_person_is_forgotten_with_every_thread_the_person_wrote_in() throws Exception {
    var hers = kept(team, "C1", "UADA");
    var direct = kept(team, "dm", "UADA");
    var anothers = kept(team, "C1", "UGRACE");
    var elsewhere = kept(other, "C1", "UADA");

    var forgotten = erasure.person(team, "UADA");

    assertEquals(new Erasure.Forgotten(2, Map.of()), forgotten);
    assertEquals(0, rows(hers.thread()) + rows(direct.thread()));
    assertInstanceOf(Found.Gone.class, sandboxes.find(direct.sandbox()));
    assertEquals(7, rows(anothers.thread()));
    assertEquals(7, rows(elsewhere.thread()));
  }

  @Test
  void a_workspace_is_forgotten_whole_and_the_next_one_is_not() throws Exception {
    var gone = kept(team, "C1", "UADA");
    var stays = kept(other, "C1", "UADA");
    change("insert into budgets (team, method, paid_until) values (?1, 'm', now())", team);
    change("insert into org_workspaces (team, org) values (?1, 'E1')", team);

    var forgotten = erasure.workspace(team);

    assertEquals(new Erasure.Forgotten(1, Map.of()), forgotten);
    assertInstanceOf(Found.Gone.class, sandboxes.find(gone.sandbox()));
    assertEquals(7, rows(stays.thread()));
  }

  @Test
  void what_is_left_in_a_table_that_nobody_thought_of_is_found() throws Exception {
    var gone = kept(team, "C1", "UADA");
    change("create table afterthoughts (about text, note bytea)");
    try {
      change(
          "insert into afterthoughts values ('x', ?1)",
          ("of " + gone.thread()).getBytes(StandardCharsets.UTF_8));

      var forgotten = erasure.thread(gone.thread());

      assertEquals(Map.of("afterthoughts", 1L), forgotten.left());
    } finally {
      change("drop table afterthoughts");
    }
  }

  @Test
  void whoever_is_at_work_in_a_thread_writes_nothing_more() throws Exception {
    var gone = kept(team, "C1", "UADA");
    change("update threads set lease_until = null where thread_id = ?1", gone.thread());
    change(
        "update inbox set turn_id = null, settled_at = null where thread_id = ?1", gone.thread());
    try (var claim = inbox.claim(gone.thread(), Await.soon()).orElseThrow()) {
      change(
          "update threads set lease_until = clock_timestamp() + interval '1 second' where thread_id"
              + " = ?1",
          gone.thread());

      erasure.thread(gone.thread());

      assertFalse(claim.settle("DONE"));
    }
    assertEquals(0, rows(gone.thread()));
  }

  @Test
  void a_workspace_that_throws_us_out_is_forgotten_after_a_while_unless_it_comes_back()
      throws Exception {
    var gone = kept(team, "C1", "UADA");
    var back = kept(other, "C1", "UADA");
    var now = Instant.now();
    erasure.departed(new Membership.Ended(team, now));
    erasure.departed(new Membership.Ended(other, now));
    erasure.due();
    assertEquals(7, rows(gone.thread()));

    change("update departures set due_at = now(), at = now() where team in (?1, ?2)", team, other);
    said(other, "C1", "UADA", "1800000000.%06d".formatted(number));
    erasure.due();

    assertEquals(0, rows(gone.thread()));
    assertInstanceOf(Found.Gone.class, sandboxes.find(gone.sandbox()));
    assertEquals(7, rows(back.thread()));
    assertEquals(0, count("departures", "team in (?1, ?2)", team, other));
  }

  @Test
  void a_thread_that_cannot_be_forgotten_now_keeps_no_other_and_goes_later() throws Exception {
    var stuck = kept(team, "C1", "UADA");
    var gone = kept(team, "C1", "UADA");
    var elsewhere = kept(other, "C1", "UADA");
    erasure.departed(new Membership.Ended(team, Instant.now()));
    erasure.departed(new Membership.Ended(other, Instant.now()));
    change("update departures set due_at = now(), at = now() where team in (?1, ?2)", team, other);
    daytona.answer(
        "DELETE", "/sandbox/gorkie-" + stuck.thread().toString().replace(':', '-'), 9, 403, "");
    daytona.answer("DELETE", "/sandbox/" + stuck.sandbox().value(), 9, 403, "");

    erasure.due();

    assertEquals(0, rows(gone.thread()));
    assertEquals(0, rows(elsewhere.thread()));
    assertTrue(rows(stuck.thread()) > 0);
    assertEquals(1, count("departures", "team in (?1, ?2)", team, other));

    daytona.clear();
    erasure.due();

    assertEquals(0, rows(stuck.thread()));
    assertInstanceOf(Found.Gone.class, sandboxes.find(stuck.sandbox()));
    assertEquals(0, count("departures", "team in (?1, ?2)", team, other));
  }

  @Test
  void a_tenant_is_forgotten_with_its_tokens_and_sandboxes_and_one_of_a_like_name_is_not()
      throws Exception {
    var tenant = "gone" + number;
    var like = "x" + tenant;
    var gone = ofPrograms(tenant);
    var stays = ofPrograms(like);

    var forgotten = erasure.tenant(tenant);

    assertEquals(new Erasure.Forgotten(1, Map.of()), forgotten);
    assertInstanceOf(Found.Gone.class, sandboxes.find(gone.sandbox()));
    assertInstanceOf(Verdict.Unknown.class, tokens.check(gone.header(), Scope.OF_PROGRAMS));
    assertInstanceOf(Found.Running.class, sandboxes.find(stays.sandbox()));
    assertInstanceOf(Verdict.Good.class, tokens.check(stays.header(), Scope.OF_PROGRAMS));
    assertTrue(workbench.find(like, stays.operation()).isPresent());
  }

  private record OfPrograms(String header, String operation, SandboxId sandbox) {}

  /// A token, a policy, a session and what came of an operation in it.
  private OfPrograms ofPrograms(String tenant) throws InterruptedException {
    var header = "Bearer " + tokens.make(tenant, "a test", "execute", "1");
    change("insert into api_policies (tenant, name) values (?1, 'default')", tenant);
    var wish =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", "execute")
            .put("language", "bash")
            .put("code", "mkdir output; echo made >output/file")
            .put("timeout", 20)
            .put("max_output", 1_024);
    var order =
        new Order(tenant, Optional.of("s"), Optional.empty(), Kind.EXECUTE, wish, Optional.empty());
    var operation = ((dev.gorkie.workbench.Accepted.Operation) workbench.accept(order)).id();
    assertTrue(workbench.carryOut(operation, Deadline.in(SOON)));
    assertEquals(1, count("artifacts", "tenant = ?1", tenant));
    var machine =
        database.transaction(
            () ->
                (String)
                    statements
                        .of(
                            "select sandbox_id from sandbox_sessions where starts_with(thread_id, ?1)")
                        .setParameter(1, tenant + ":")
                        .getSingleResult());
    return new OfPrograms(header, operation, new SandboxId(machine));
  }

  /// Something of everything that is kept of a thread.
  private Kept kept(String team, String channel, String user) throws InterruptedException {
    var ts = "17%08d.%06d".formatted(number, NUMBER.incrementAndGet());
    var thread = said(team, channel, user, ts);
    change(
        "update threads set lease_owner = null, lease_until = null where thread_id = ?1", thread);
    var name = "gorkie-" + thread.toString().replace(':', '-');
    var sandbox = sandboxes.create(name, Map.of("app", "gorkie"), Deadline.in(SOON));
    var id = inboxId(thread);
    change(
        "insert into turns (turn_id, thread_id, fence, state, team, channel, asked_by) values (?1,"
            + " ?2, 1, 'ended', ?3, ?4, ?5)",
        id,
        thread,
        team,
        channel,
        user);
    change(
        "insert into approvals (id, turn_id, thread_id, may_answer, expires_at) values (?1, ?2, ?3,"
            + " ?4, now())",
        "ask-" + id,
        id,
        thread,
        user);
    change(
        "insert into outbox (subject, part, team, channel, thread_ts, since_ts, kind, fence,"
            + " thread_id, body) values (?1, 'answer', ?2, ?3, ?4, ?4, 'text', 1, ?5, 'said')",
        "turn-" + id,
        team,
        channel,
        ts,
        thread);
    change(
        "insert into sandbox_sessions (thread_id, sandbox_id, sandbox_name, session_id, status,"
            + " fence) values (?1, ?2, ?3, 's', 'active', 1)",
        thread,
        sandbox.id().value(),
        name);
    change(
        "insert into transcripts (thread_id, session_number, seq, first_byte, bytes, sha256,"
            + " headed, content) values (?1, 1, 1, 0, 1, 'x', true, ?2)",
        thread,
        new byte[] {1});
    change(
        "insert into preferences (team, scope, place, name, value, chosen_by) values (?1, 'thread',"
            + " ?2, 'model', 'm', ?3)",
        team,
        thread,
        user);
    return new Kept(thread, sandbox.id());
  }

  private ThreadKey said(String team, String channel, String user, String ts) {
    var isDirect = channel.equals("dm");
    var json =
        """
        {"type":"event_callback","api_app_id":"A1","team_id":"%s","event_id":"Ev%d",
         "authorizations":[{"team_id":"%s","user_id":"UBOT","is_bot":true}],
         "event":{"type":"%s","channel":"%s","channel_type":"%s","user":"%s","ts":"%s","text":"<@UBOT> hello"}}
        """
            .formatted(
                team,
                NUMBER.incrementAndGet(),
                team,
                isDirect ? "message" : "app_mention",
                isDirect ? "D" + user : channel,
                isDirect ? "im" : "channel",
                user,
                ts)
            .getBytes(StandardCharsets.UTF_8);
    var event = SlackEvent.read(json);
    assertEquals(Accepted.WAITING, inbox.accept(event, json));
    return event.thread().orElseThrow();
  }

  private long inboxId(ThreadKey thread) {
    return database.transaction(
        () ->
            ((Number)
                    statements
                        .of("select min(id) from inbox where thread_id = ?1")
                        .setParameter(1, thread.toString())
                        .getSingleResult())
                .longValue());
  }

  private void change(String sql, Object... values) {
    database.transaction(
        () -> {
          var query = statements.of(sql);
          for (var at = 0; at < values.length; at++) {
            query.setParameter(
                at + 1, values[at] instanceof ThreadKey key ? key.toString() : values[at]);
          }
          return query.executeUpdate();
        });
  }

  /// In every table that has a thread's rows.
  private long rows(ThreadKey thread) {
    var rows = 0L;
    for (var table :
        new String[] {
          "threads", "inbox", "turns", "approvals", "outbox", "sandbox_sessions", "transcripts"
        }) {
      rows += count(table, "thread_id = ?1", thread);
    }
    return rows;
  }

  private long count(String table, String where, Object... values) {
    return database.transaction(
        () -> {
          var query = statements.of("select count(*) from " + table + " where " + where);
          for (var at = 0; at < values.length; at++) {
            query.setParameter(
                at + 1, values[at] instanceof ThreadKey key ? key.toString() : values[at]);
          }
          return ((Number) query.getSingleResult()).longValue();
        });
  }
}
