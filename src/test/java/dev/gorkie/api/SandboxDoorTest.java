package dev.gorkie.api;

import static dev.gorkie.api.Program.body;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.Await;
import dev.gorkie.Deadline;
import dev.gorkie.aws.KeyService;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import dev.gorkie.daytona.BehindTheScene;
import dev.gorkie.seal.Seal;
import dev.gorkie.sessions.DatabaseAndDaytona;
import dev.gorkie.tokens.Scope;
import dev.gorkie.tokens.Tokens;
import dev.gorkie.tokens.Verdict;
import dev.gorkie.workbench.Accepted;
import dev.gorkie.workbench.Kind;
import dev.gorkie.workbench.Order;
import dev.gorkie.workbench.Outcome;
import dev.gorkie.workbench.Workbench;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.ws.rs.HttpMethod;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a program may do over HTTP in the sandboxes of its tenant, and what it may not.
@QuarkusTest
@QuarkusTestResource(value = DatabaseAndDaytona.class, restrictToAnnotatedClass = true)
class SandboxDoorTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AtomicInteger TENANTS = new AtomicInteger();

  @Inject Tokens tokens;
  @Inject Workbench workbench;
  @Inject Database database;
  @Inject Statements statements;
  @Inject BehindTheScene daytona;
  @Inject KeyService keys;

  private final URI api = URI.create(ConfigProvider.getConfig().getValue("test.url", String.class));
  private final String tenant = "tenant" + TENANTS.incrementAndGet();
  private Program program;

  @BeforeEach
  void there_is_a_tenant_with_a_token() {
    daytona.clear();
    program = with("execute,read,write");
  }

  private Program with(String scopes) {
    return new Program(api, tokens.make(tenant, "a test", scopes, "1"));
  }

  private Program stranger() {
    return new Program(api, tokens.make(tenant + "x", "a test", "execute,read,write", "1"));
  }

  private JsonNode bash(String command) throws Exception {
    return program.done(
        "bash", JSON.createObjectNode().put("session", "s").put("command", command).toString());
  }

  private String machine() {
    return database.transaction(
        () ->
            (String)
                statements
                    .of(
                        "select s.sandbox_id from sandbox_sessions s join api_sessions a on a.thread_id ="
                            + " s.thread_id where a.tenant = :tenant and a.session = 's'")
                    .setParameter("tenant", tenant)
                    .getSingleResult());
  }

  // Running

  @Test
  void code_runs_and_its_result_says_all_there_is_to_say() throws Exception {
    var result =
        program.done(
            "execute",
            body(
                "'session': 's', 'language': 'python', 'code': 'import sys; print(6 * 7); print(\\'oh\\', file=sys.stderr); sys.exit(3)'"
                    .replace("\\'", "\\u0027")));

    assertFalse(result.path("ok").asBoolean(true));
    assertEquals(3, result.path("exit_code").asInt());
    assertEquals("42\n", result.path("stdout").asText());
    assertEquals("oh\n", result.path("stderr").asText());
    assertFalse(result.path("timed_out").asBoolean(true));
    assertFalse(result.path("truncated").asBoolean(true));
    assertTrue(result.path("duration_ms").asInt() > 0);
    assertTrue(result.path("artifacts").isArray());
  }

  @Test
  void a_session_keeps_its_files_also_when_its_sandbox_was_stopped() throws Exception {
    bash("echo kept > file");
    daytona.stop(machine());

    assertEquals("kept\n", bash("cat file").path("stdout").asText());
  }

  @Test
  void whoever_lost_his_files_is_told() throws Exception {
    bash("echo lost > file");
    daytona.delete(machine());

    var missing = program.soon("read", body("'session': 's', 'path': 'file'"));
    var result = bash("ls");

    assertTrue(missing.json().path("detail").asText().endsWith("its files are lost."));
    assertEquals("", result.path("stdout").asText());
    assertEquals("files_lost", result.path("replaced").asText());
    assertFalse(bash("ls").has("replaced"));
  }

  @Test
  void what_takes_too_long_is_ended() throws Exception {
    var result = program.done("bash", body("'command': 'sleep 100', 'timeout': 1, 'session': 's'"));

    assertTrue(result.path("timed_out").asBoolean());
    assertFalse(result.path("ok").asBoolean(true));
  }

  @Test
  void what_takes_longer_than_a_request_may_is_asked_for() throws Exception {
    bash("true");

    var answer =
        program.post(
            "bash",
            body("'command': 'until [ -e go ]; do sleep 0.05; done; echo went', 'session': 's'"));

    assertEquals(202, answer.status());
    var place = answer.header("Location");
    assertTrue(place.endsWith(answer.json().path("location").asText()), place);
    var id = answer.json().path("operation").asText();
    assertEquals("running", program.get("operations/" + id).json().path("state").asText());
    bash("touch go");
    var done = program.get("operations/" + id + "?wait=2").json();
    while (done.path("state").asText().equals("running")) {
      done = program.get("operations/" + id + "?wait=2").json();
    }
    assertEquals("went\n", done.path("result").path("stdout").asText());
    assertEquals("s", done.path("session").asText());
    assertEquals(404, stranger().get("operations/" + id).status());
    assertEquals(404, program.get("operations/op-none").status());
  }

  @Test
  void operations_of_a_session_run_side_by_side() throws Exception {
    bash("true");
    var waiting =
        program.post(
            "bash", body("'command': 'until [ -e go ]; do sleep 0.05; done', 'session': 's'"));
    assertEquals(202, waiting.status());

    assertEquals("here\n", bash("echo here; touch go").path("stdout").asText());
  }

  @Test
  void whoever_takes_over_finds_what_was_begun_and_begins_nothing_again() throws Exception {
    var wish =
        JSON.createObjectNode()
            .put("kind", "execute")
            .put("language", "bash")
            .put("code", "echo x >> times; until [ -e go ]; do sleep 0.05; done; cat times")
            .put("timeout", 60)
            .put("max_output", 1_024);
    var order =
        new Order(tenant, Optional.of("s"), Optional.empty(), Kind.EXECUTE, wish, Optional.empty());
    bash("true");
    var id = ((Accepted.Operation) workbench.accept(order)).id();

    assertFalse(workbench.carryOut(id, Deadline.in(Duration.ofSeconds(4))));
    bash("touch go");
    assertTrue(workbench.carryOut(id, Deadline.in(Duration.ofSeconds(30))));

    var outcome = workbench.find(tenant, id).orElseThrow().outcome().orElseThrow();
    assertEquals("x\n", ((Outcome.Done) outcome).result().path("stdout").asText());
  }

  @Test
  void a_program_runs_on_while_its_sandbox_can_not_be_reached() throws Exception {
    bash("true");
    var wish =
        JSON.createObjectNode()
            .put("kind", "execute")
            .put("language", "bash")
            .put("code", "until [ -e go ]; do sleep 0.05; done; echo done")
            .put("timeout", 60)
            .put("max_output", 1_024);
    var order =
        new Order(tenant, Optional.of("s"), Optional.empty(), Kind.EXECUTE, wish, Optional.empty());
    var id = ((Accepted.Operation) workbench.accept(order)).id();
    assertFalse(workbench.carryOut(id, Deadline.in(Duration.ofSeconds(4))));

    for (var times = 0; times < 5; times++) {
      daytona.answer("POST", "/process/execute$", 1, 502, "");
      assertFalse(workbench.carryOut(id, Deadline.in(Duration.ofSeconds(4))));
      fill(0, "update operations set lease_until = null where tenant = '%1$s' and state = 'open'");
    }
    bash("touch go");

    assertTrue(workbench.carryOut(id, Deadline.in(Duration.ofSeconds(30))));
    var outcome = workbench.find(tenant, id).orElseThrow().outcome().orElseThrow();
    assertEquals("done\n", ((Outcome.Done) outcome).result().path("stdout").asText());
  }

  @Test
  void what_was_accepted_while_its_session_was_removed_is_lost() throws Exception {
    bash("true");
    var machine = machine();
    var wish = JSON.createObjectNode().put("kind", "glob").put("pattern", "*");
    var order =
        new Order(tenant, Optional.of("s"), Optional.empty(), Kind.GLOB, wish, Optional.empty());
    daytona.delay("DELETE", machine, Duration.ofSeconds(2));
    var removing =
        new FutureTask<>(() -> workbench.remove(tenant, "s", Deadline.in(Duration.ofMinutes(1))));
    Thread.ofVirtual().start(removing);
    Await.until(() -> daytona.requests("DELETE", machine) > 0);

    var id = ((Accepted.Operation) workbench.accept(order)).id();

    assertEquals(Optional.empty(), removing.get());
    var outcome = workbench.find(tenant, id).orElseThrow().outcome().orElseThrow();
    assertEquals("lost", ((Outcome.Refused) outcome).word());
  }

  @Test
  void what_ran_in_a_sandbox_that_is_gone_is_lost_and_not_begun_again() throws Exception {
    bash("true");
    var id =
        program
            .post("bash", body("'command': 'sleep 300', 'session': 's', 'timeout': 600"))
            .json()
            .path("operation")
            .asText();
    daytona.delete(machine());
    bash("true");
    var standing = program.get("operations/" + id + "?wait=2").json();
    while (standing.path("state").asText().equals("running")) {
      workbench.abandoned(100).forEach(this::carryOut);
      standing = program.get("operations/" + id + "?wait=2").json();
    }

    assertEquals("lost", standing.path("problem").path("code").asText(), standing.toString());
  }

  private void carryOut(String id) {
    try {
      workbench.carryOut(id, Deadline.in(Duration.ofSeconds(30)));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void without_a_session_there_is_a_sandbox_for_this_once() throws Exception {
    var first = program.done("bash", body("'command': 'touch file; ls'"));
    var second = program.done("bash", body("'command': 'ls'"));

    assertEquals("file\n", first.path("stdout").asText());
    assertEquals("", second.path("stdout").asText());
  }

  // Files

  @Test
  void files_are_written_read_and_found() throws Exception {
    var written =
        program.done(
            "write", body("'session': 's', 'path': 'a/b.txt', 'content': 'one\\ntwo\\nthree\\n'"));
    var bytes = Base64.getEncoder().encodeToString(new byte[] {0, 1, (byte) 255});
    program.done(
        "write", body("'session': 's', 'path': 'a/c.bin', 'base64': '%s'".formatted(bytes)));

    assertEquals(14, written.path("size").asInt());
    var read = program.done("read", body("'session': 's', 'path': 'a/b.txt', 'limit': 1"));
    assertEquals("one\n", read.path("content").asText());
    assertEquals(2, read.path("next_offset").asInt());
    assertTrue(read.path("truncated").asBoolean());
    assertEquals(
        "two\nthree\n",
        program
            .done("read", body("'session': 's', 'path': 'a/b.txt', 'offset': 2"))
            .path("content")
            .asText());
    assertEquals(
        bytes,
        program
            .done("read_binary", body("'session': 's', 'path': 'a/c.bin'"))
            .path("base64")
            .asText());
    var match =
        program.done("grep", body("'session': 's', 'pattern': 't(w|h)'")).path("matches").get(0);
    assertEquals(
        List.of("a/b.txt", 2, "two"),
        List.of(
            match.path("path").asText(), match.path("line").asInt(), match.path("text").asText()));
    assertEquals(
        "a/c.bin",
        program
            .done("glob", body("'session': 's', 'pattern': '**/*'"))
            .path("paths")
            .get(0)
            .asText());
  }

  @Test
  void listening_to_what_was_written_writes_it_not_again() throws Exception {
    var long_ = "x".repeat(40_000);
    var id =
        program
            .done("write", body("'session': 's', 'path': 'a', 'content': '" + long_ + "'"))
            .path("operation")
            .asText();
    bash("echo newer > a");

    var said = program.get("operations/" + id + "/output").json();

    assertEquals("done", said.path("state").asText());
    assertEquals("newer\n", bash("cat a").path("stdout").asText());
  }

  @Test
  void an_artifact_that_is_gone_keeps_no_other_file_from_being_copied() throws Exception {
    var copied =
        program.done(
            "copy",
            body(
                "'session': 's', 'files': [{'path': 'a', 'artifact': 'art-aaaaaaaaaaaaaaaaaaaa'}, {'path': 'b', 'content': 'x'}]"));

    assertEquals("missing", copied.path("files").get(0).path("error").asText());
    assertEquals(1, copied.path("files").get(1).path("size").asInt());
  }

  @Test
  void no_path_leads_out_and_no_pattern_becomes_a_command() throws Exception {
    bash("ln -s /etc etc; echo '$(touch pwned)' > text");
    for (var path : List.of("../x", "/etc/passwd", "etc/passwd", "a/../../x")) {
      var answer = program.soon("read", body("'session': 's', 'path': '%s'".formatted(path)));
      assertEquals(422, answer.status(), path);
      assertEquals("outside", answer.code(), path);
      assertEquals(
          "outside",
          program
              .soon("write", body("'session': 's', 'path': '%s', 'content': ''".formatted(path)))
              .code());
    }
    var pattern =
        JSON.createObjectNode().put("session", "s").put("pattern", "\\$\\(touch pwned\\)");

    assertEquals(1, program.done("grep", pattern.toString()).path("matches").size());
    pattern.put("pattern", "'; touch pwned; '");
    assertEquals(0, program.done("grep", pattern.toString()).path("matches").size());
    assertEquals(
        0,
        program
            .done("glob", body("'session': 's', 'pattern': '$(touch pwned)'"))
            .path("paths")
            .size());
    assertFalse(bash("ls").path("stdout").asText().contains("pwned"));
  }

  @Test
  void what_is_not_there_is_not_found() throws Exception {
    var answer = program.soon("read", body("'session': 's', 'path': 'none'"));

    assertEquals(404, answer.status());
    assertEquals("application/problem+json", answer.header("Content-Type"));
    assertEquals("missing", answer.code());
  }

  // Who may

  @Test
  void without_a_good_token_nobody_comes_in() throws Exception {
    var good = tokens.make(tenant, "a test", "execute", "1");
    var revoked = tokens.make(tenant, "a test", "execute", "1");
    assertTrue(tokens.revoke(revoked));
    var forged = good.substring(0, good.length() - 1) + (good.endsWith("A") ? "B" : "A");

    for (var token : List.of("", "x", revoked, forged, good.toUpperCase(Locale.ROOT))) {
      var answer = new Program(api, token).post("bash", body("'command': 'true'"));
      assertEquals(401, answer.status());
      assertEquals("Bearer", answer.header("WWW-Authenticate"));
      assertEquals("unauthorized", answer.code());
    }
  }

  @Test
  void a_token_is_good_for_its_scopes_only() throws Exception {
    var run = body("'command': 'true', 'session': 's'");
    var read = body("'path': 'x', 'session': 's'");
    var write = body("'path': 'x', 'session': 's', 'content': ''");

    for (var scopes : List.of("read", "write", "admin")) {
      assertEquals(403, with(scopes).post("bash", run).status(), scopes);
      assertEquals(403, with(scopes).post("execute", run).status(), scopes);
    }
    for (var scopes : List.of("execute", "read", "write")) {
      assertEquals(404, with(scopes).get("operations/op-none").status(), scopes);
    }
    assertEquals(403, with("admin").get("operations/op-none").status());
    for (var scopes : List.of("execute", "write", "admin")) {
      for (var path : List.of("read", "read_binary", "grep", "glob")) {
        assertEquals(403, with(scopes).post(path, read).status(), scopes);
      }
    }
    for (var scopes : List.of("execute", "read", "admin")) {
      assertEquals(403, with(scopes).post("write", write).status(), scopes);
    }
  }

  @Test
  void a_session_of_the_same_name_is_another_tenants_own() throws Exception {
    bash("echo secret > file");

    var result = stranger().done("bash", body("'command': 'ls', 'session': 's'"));

    assertEquals("", result.path("stdout").asText());
  }

  @Test
  void a_token_that_is_used_too_often_waits() throws Exception {
    database.transaction(
        () ->
            statements
                .of(
                    "update api_tokens set paid_until = clock_timestamp() + interval '1 minute' where tenant ="
                        + " :tenant")
                .setParameter("tenant", tenant)
                .executeUpdate());

    var answer = program.get("operations/op-none");

    assertEquals(429, answer.status());
    assertTrue(Integer.parseInt(answer.header("Retry-After")) >= 1);
  }

  @Test
  void a_token_may_be_used_so_often_at_once_and_then_so_often_in_a_minute() {
    var header = "Bearer " + tokens.make(tenant, "a test", "read", "1");
    var began = System.nanoTime();

    var good = 0;
    for (var call = 0; call < 200; call++) {
      good += tokens.check(header, Set.of(Scope.READ)) instanceof Verdict.Good ? 1 : 0;
    }

    // A tenth of 600 at once, and another each 100 ms.
    var more = (System.nanoTime() - began) / 100_000_000 + 1;
    assertTrue(good >= 60 && good <= 60 + more, good + " with " + more);
  }

  @Test
  void of_a_token_only_a_hash_is_kept_and_it_is_good_for_its_days() throws Exception {
    var token = tokens.make(tenant, "a test", "execute", "1");
    // A secret may have the same character in it.
    var secret = token.split("_", 3)[2];
    var kept =
        database.transaction(
            () ->
                statements
                    .of("select string_agg(t::text, ' ') from api_tokens t", String.class)
                    .getSingleResult());
    assertFalse(String.valueOf(kept).contains(secret));
    assertTrue(tokens.list().stream().anyMatch(line -> line.contains(tenant + "  a test")));

    fill(0, "update api_tokens set expires_at = clock_timestamp() where tenant = '%1$s'");

    assertEquals(401, new Program(api, token).post("bash", body("'command': 'true'")).status());
    assertTrue(tokens.list().stream().noneMatch(line -> line.contains(tenant + "  a test")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Acme | x          | read      | 90   | TENANT
          a-b  | x          | read      | 90   | TENANT
          acme | 'x; drop'  | read      | 90   | NAME
          acme | x          | read,all  | 90   | SCOPES
          acme | x          | ''        | 90   | SCOPES
          acme | x          | read      | 0    | DAYS
          acme | x          | read      | 3651 | DAYS
          """)
  void a_token_that_is_wished_for_wrongly_is_refused_with_the_reason(
      String who, String name, String scopes, String days, String names) {
    assertTrue(Tokens.complaint(who, name, scopes, days).startsWith(names + " is not what"));
    assertEquals("", Tokens.complaint("acme", "build server", "execute,read,write,admin", "3650"));
  }

  // What may be asked

  @Test
  void a_body_that_is_not_what_it_should_be_is_refused_with_the_reason() throws Exception {
    assertEquals(400, program.post("bash", "").status());
    assertEquals(400, program.post("bash", "[]").status());
    assertEquals(400, program.post("bash", "{'").status());
    assertEquals(400, program.post("bash", "{} {}").status());
    assertEquals(400, program.post("bash", "[".repeat(100)).status());
    assertEquals(400, program.post("bash", "{\"command\":\"a\",\"command\":\"b\"}").status());
    for (var wrong :
        List.of(
            "",
            "'command': ''",
            "'command': 1",
            "'command': 'x', 'timeout': 0",
            "'command': 'x', 'timeout': 601",
            "'command': 'x', 'timeout': 1.5",
            "'command': 'x', 'timeout': '1'",
            "'command': 'x', 'timeout': 99999999999999999999",
            "'command': 'x', 'max_output': 262145",
            "'command': 'x', 'session': '../x'",
            "'command': 'x', 'session': ''",
            "'command': 'x', 'more': 1",
            "'command': null")) {
      var answer = program.post("bash", body(wrong));
      assertEquals(422, answer.status(), wrong);
      assertFalse(answer.json().path("detail").asText().isEmpty(), wrong);
    }
    assertEquals(422, program.post("execute", body("'language': 'perl', 'code': 'x'")).status());
    assertEquals(422, program.post("write", body("'session': 's', 'path': 'x'")).status());
    assertEquals(
        422,
        program
            .post("write", body("'session': 's', 'path': 'x', 'content': '', 'base64': ''"))
            .status());
    assertEquals(422, program.get("operations/op-none?wait=99").status());
  }

  @Test
  void a_request_sent_twice_under_a_key_is_carried_out_once() throws Exception {
    var key = Map.of("Idempotency-Key", "the-key");
    var body = body("'command': 'echo x >> times; cat times', 'session': 's'");
    bash("true");

    var first = program.soon("bash", body, key);
    var second = program.post("bash", body, key);
    var other = program.post("bash", body("'command': 'true', 'session': 's'"), key);
    var elsewhere = stranger().post("bash", body, key);

    assertEquals(200, first.status());
    assertEquals(first.json(), second.json());
    assertEquals("x\n", second.json().path("stdout").asText());
    assertEquals(422, other.status());
    assertEquals("key_taken", other.code());
    assertNotEquals(422, elsewhere.status());
    assertEquals(
        400, program.post("bash", body, Map.of("Idempotency-Key", "k".repeat(129))).status());
  }

  @Test
  void what_was_never_begun_is_tried_anew_under_its_key() throws Exception {
    var key = Map.of("Idempotency-Key", "the-key");
    var body = body("'command': 'echo done', 'session': 's'");
    daytona.answer("POST", "/sandbox$", 1, 403, "");

    var refused = program.done("bash", body, key);
    var again = program.done("bash", body, key);

    assertEquals("not_allowed", refused.path("code").asText(), refused.toString());
    assertEquals("done\n", again.path("stdout").asText(), again.toString());
  }

  @Test
  void nothing_is_put_to_sleep_in_which_something_runs() throws Exception {
    bash("true");
    var thread =
        database.transaction(
            () ->
                (String)
                    statements
                        .of(
                            "select thread_id from api_sessions where tenant = :tenant and session = 's'")
                        .setParameter("tenant", tenant)
                        .getSingleResult());
    var key = dev.gorkie.ThreadKey.parse(thread);
    assertFalse(workbench.isAnyOpen(key));

    program.post("bash", body("'command': 'until [ -e go ]; do sleep 0.05; done', 'session': 's'"));

    assertTrue(workbench.isAnyOpen(key));
    bash("touch go");
  }

  @Test
  void a_tenant_has_so_many_operations_at_once_and_sessions_and_no_more() throws Exception {
    fill(
        Workbench.AT_ONCE_MAX,
        "insert into operations (operation_id, thread_id, tenant, kind, wish) select '%1$s' || n, 'none', '%1$s', 'glob', '{}' from generate_series(1, %2$d) n");
    assertEquals(429, program.post("bash", body("'command': 'true', 'session': 's'")).status());
    fill(1, "delete from operations where operation_id = '%1$s1'");
    assertNotEquals(429, program.post("bash", body("'command': 'true', 'session': 's'")).status());
    fill(0, "delete from operations where tenant = '%1$s' and kind = 'glob'");

    fill(
        Workbench.SESSIONS_MAX - 1,
        "insert into threads (thread_id, team, channel, root_ts) select '%1$s:api:' || n, '%1$s', 'api', n::text from generate_series(1, %2$d) n");
    fill(
        0,
        "insert into api_sessions (thread_id, tenant, session, ephemeral) select thread_id, '%1$s', thread_id, false from threads where thread_id ~ '^%1$s:api:[0-9]+$' and length(root_ts) < 5");
    var answer = program.post("bash", body("'command': 'true', 'session': 'one-more'"));
    assertEquals(429, answer.status());
    assertEquals("too_many", answer.code());
    assertEquals("true\n", bash("echo true").path("stdout").asText());
  }

  private void fill(int count, String sql) {
    database.transaction(() -> statements.of(sql.formatted(tenant, count)).executeUpdate());
  }

  @Test
  void where_the_tables_can_not_be_asked_there_is_a_problem_and_no_page() throws Exception {
    fill(0, "alter table api_tokens rename to api_tokens_away");
    try {
      var answer = program.get("operations/op-none");

      assertEquals(500, answer.status());
      assertEquals("application/problem+json", answer.header("Content-Type"));
      assertEquals("failed", answer.code());
      assertFalse(answer.response().body().contains("api_tokens"));
    } finally {
      fill(0, "alter table api_tokens_away rename to api_tokens");
    }
  }

  @Test
  void what_is_no_route_of_ours_is_told_as_everything_is() throws Exception {
    for (var path : List.of("nothing", "operations/x/nothing", "policies/acme/quiet/nothing")) {
      var nothing = program.get(path);
      assertEquals(404, nothing.status(), path);
      assertEquals("unknown", nothing.code());
    }
    var wrong = program.get("bash");
    assertEquals(405, wrong.status());
    assertEquals("not_allowed", wrong.code());
  }

  // What is made

  @Test
  void what_was_made_can_be_fetched_as_it_was() throws Exception {
    var made =
        bash("mkdir -p output; head -c 700000 /dev/zero > output/zeros.bin; echo kept > output/a.txt")
            .path("artifacts");
    assertEquals(2, made.size());
    var id = idOf(made, "a.txt");
    bash("echo changed > output/a.txt");

    var known = program.get("artifacts/" + id).json();
    var content = program.get("artifacts/" + id + "/content");
    var address =
        URI.create(program.get("artifacts/" + id + "/address").json().path("url").asText());

    assertEquals(
        List.of("a.txt", "text/plain", 5),
        List.of(
            known.path("name").asText(), known.path("type").asText(), known.path("size").asInt()));
    assertEquals("kept\n", content.response().body());
    assertEquals("nosniff", content.header("X-Content-Type-Options"));
    assertEquals("kept\n", fetched(address));
    assertNotEquals(
        "kept\n", fetched(URI.create(address.toString().replace("expires=", "expires=1"))));
    for (var path : List.of("", "/content", "/address")) {
      assertEquals(404, stranger().get("artifacts/" + id + path).status());
    }
    assertEquals(
        700_000,
        program
            .done("read_binary", body("'session': 's', 'path': 'output/zeros.bin'"))
            .path("artifact")
            .path("size")
            .asInt());
  }

  private static String idOf(JsonNode made, String name) {
    return made.valueStream()
        .filter(it -> it.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow()
        .path("id")
        .asText();
  }

  private static String fetched(URI address) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
    }
  }

  @Test
  void what_is_gone_with_its_sandbox_can_not_be_fetched() throws Exception {
    var made = bash("mkdir -p output; echo kept > output/a.txt").path("artifacts");
    daytona.delete(machine());

    var answer = program.get("artifacts/" + idOf(made, "a.txt") + "/content");

    assertEquals(410, answer.status());
    assertEquals("gone", answer.code());
  }

  @Test
  void a_sandbox_for_this_once_is_gone_when_it_is_over() throws Exception {
    program.done("bash", body("'command': 'true'"));
    var made = program.done("bash", body("'command': 'mkdir output; echo x > output/y'"));
    var content = "artifacts/" + idOf(made.path("artifacts"), "y") + "/content";

    // What is to be fetched from the other one stays for a while.
    awaitSessions(1);
    assertEquals("x\n", program.get(content).response().body());
    fill(0, "update api_sessions set over_at = clock_timestamp() where tenant = '%1$s'");
    workbench.tidy();

    awaitSessions(0);
    assertEquals(404, program.get(content).status());
  }

  private void awaitSessions(int count) {
    Await.until(
        () -> workbench.sessions(Optional.of(tenant), "", 10).size() == count,
        () -> "there are others");
  }

  // Looking after it

  @Test
  void whoever_looks_after_all_sees_sessions_and_removes_them() throws Exception {
    var admin = with("admin");
    bash("echo secret > file");
    var machine = machine();

    var session = admin.get("sessions?tenant=" + tenant).json().path("sessions").get(0);
    var removed = admin.send("DELETE", "sessions/" + tenant + "/s", "", Map.of());
    var again = admin.send("DELETE", "sessions/" + tenant + "/s", "", Map.of());

    assertEquals(
        List.of("s", "active"),
        List.of(session.path("session").asText(), session.path("status").asText()));
    assertEquals(List.of(204, 204), List.of(removed.status(), again.status()));
    assertTrue(daytona.isGone(machine));
    assertEquals(0, admin.get("sessions?tenant=" + tenant).json().path("sessions").size());
    assertEquals("", bash("ls").path("stdout").asText());
    assertEquals(403, program.get("sessions").status());
    assertEquals(403, program.send("DELETE", "sessions/" + tenant + "/s", "", Map.of()).status());
    assertEquals(422, admin.send("DELETE", "sessions/" + tenant + "/a%20b", "", Map.of()).status());
  }

  @Test
  void what_ran_in_a_removed_session_is_lost() throws Exception {
    var admin = with("admin");
    bash("true");
    var id =
        program
            .post("bash", body("'command': 'sleep 300', 'session': 's', 'timeout': 600"))
            .json()
            .path("operation")
            .asText();

    assertEquals(204, admin.send("DELETE", "sessions/" + tenant + "/s", "", Map.of()).status());

    assertEquals(
        "lost", program.get("operations/" + id).json().path("problem").path("code").asText());
  }

  @Test
  void a_policy_holds_in_the_sessions_that_have_it() throws Exception {
    var admin = with("admin");
    var place = "policies/" + tenant + "/strict";
    var put =
        admin.send(
            "PUT",
            place,
            body(
                "'network': 'none', 'memory_mb': 256, 'timeout': 2, 'runtimes': ['node'], 'environment': {'STAGE': 'test-secret'}"),
            Map.of());
    assertEquals(200, put.status(), put.response().body());

    var result =
        program.done(
            "bash", body("'session': 'p', 'policy': 'strict', 'command': 'echo $STAGE; sleep 60'"));

    assertEquals("test-secret\n", result.path("stdout").asText());
    assertTrue(result.path("timed_out").asBoolean());
    assertTrue(result.path("advice").asText().contains("node"));
    assertEquals(
        List.of("STAGE"),
        admin.get(place).json().path("environment").valueStream().map(JsonNode::asText).toList());
    assertFalse(admin.get(place).response().body().contains("test-secret"));
    var kept =
        database.transaction(
            () ->
                statements
                    .of("select environment from api_policies where tenant = :tenant", String.class)
                    .setParameter("tenant", tenant)
                    .getSingleResult());
    assertFalse(String.valueOf(kept).contains("test-secret"));
    var sandbox =
        database.transaction(
            () ->
                (String)
                    statements
                        .of(
                            "select s.sandbox_id from sandbox_sessions s join api_sessions a on a.thread_id = s.thread_id where a.tenant = :tenant and a.session = 'p'")
                        .setParameter("tenant", tenant)
                        .getSingleResult());
    assertTrue(daytona.sandbox(sandbox).path("networkBlockAll").asBoolean());
    admin.send("PUT", place, body("'network': 'github.com'"), Map.of());
    program.done("bash", body("'session': 'p', 'command': 'true'"));
    assertEquals("github.com", daytona.sandbox(sandbox).path("domainAllowList").asText());
    assertFalse(daytona.sandbox(sandbox).path("networkBlockAll").asBoolean());
    assertEquals(
        "wrong_policy",
        program.post("bash", body("'session': 'p', 'policy': 'other', 'command': 'true'")).code());
    assertEquals(
        "wrong_policy",
        program.post("bash", body("'session': 'q', 'policy': 'other', 'command': 'true'")).code());
    assertEquals(
        422, admin.send("PUT", place, body("'environment': {'GORKIE_X': '1'}"), Map.of()).status());
    assertEquals(204, admin.send("DELETE", place, "", Map.of()).status());
    assertEquals(404, admin.get(place).status());
    program.done("bash", body("'session': 'p', 'command': 'true'"));
    assertEquals("", daytona.sandbox(sandbox).path("domainAllowList").asText());
    assertEquals(403, program.send("PUT", place, "{}", Map.of()).status());
  }

  @Test
  void what_no_known_key_has_sealed_keeps_nothing_else_from_being_tidied() throws Exception {
    database.transaction(
        () ->
            statements
                .of(
                    "insert into api_policies (tenant, name, environment) values (:tenant, 'strict', 'nobody.knows')")
                .setParameter("tenant", tenant)
                .executeUpdate());
    program.done("bash", body("'command': 'mkdir output; echo x > output/y'"));
    fill(0, "update api_sessions set over_at = clock_timestamp() where tenant = '%1$s'");

    workbench.tidy();

    awaitSessions(0);
    fill(0, "delete from api_policies where tenant = '%1$s'");
  }

  @Test
  void what_an_older_key_has_sealed_is_sealed_with_the_newest_one_and_read_as_before()
      throws Exception {
    var older = Seal.with(List.of(DatabaseAndDaytona.OLDER), keys);
    var sealed = older.seal("{\"STAGE\":\"of-old\"}", "policy " + tenant + " strict");
    database.transaction(
        () ->
            statements
                .of(
                    "insert into api_policies (tenant, name, environment) values (:tenant, 'strict', :sealed)")
                .setParameter("tenant", tenant)
                .setParameter("sealed", sealed)
                .executeUpdate());

    workbench.tidy();

    var now =
        database.transaction(
            () ->
                statements
                    .of("select environment from api_policies where tenant = :tenant", String.class)
                    .setParameter("tenant", tenant)
                    .getSingleResult());
    assertFalse(String.valueOf(now).startsWith(older.newest().orElseThrow()));
    assertEquals(
        "of-old\n",
        program
            .done("bash", body("'session': 'p', 'policy': 'strict', 'command': 'echo $STAGE'"))
            .path("stdout")
            .asText());
  }

  // What is told of it

  @Test
  void the_documentation_has_an_example_of_each_route_and_it_comes_out_as_it_is_told()
      throws Exception {
    var acme = new Program(api, tokens.make("acme", "a test", "execute,read,write", "1"));
    var admin = tokens.make("acme", "a test", "admin", "1");

    var tried =
        Examples.of(Path.of("docs", "api.md")).tryAll(acme, Map.of("ADMIN", admin), described());

    assertEquals(described().routes(), tried);
  }

  @Test
  void what_cannot_be_an_id_is_as_unknown_as_one_that_never_was() throws Exception {
    var admin = with("admin");
    for (var id : List.of("%00", "op-%00", "%F0%9F%98%80", "a".repeat(200), "%2e%2e", "'")) {
      for (var path : List.of("operations/%s", "operations/%s/output", "operations/%s/events")) {
        assertEquals(404, program.get(path.formatted(id)).status(), path + " " + id);
      }
      for (var path : List.of("artifacts/%s", "artifacts/%s/content", "artifacts/%s/address")) {
        assertEquals(404, program.get(path.formatted(id)).status(), path + " " + id);
      }
      assertEquals(422, admin.get("sessions?after=" + id).status(), id);
      assertEquals(422, admin.get("sessions?tenant=" + id).status(), id);
    }
  }

  @Test
  void the_document_has_every_route_and_no_other() throws Exception {
    var routes = new TreeSet<String>();
    for (var door :
        List.of(
            SandboxDoor.class,
            OperationsDoor.class,
            ArtifactsDoor.class,
            SessionsDoor.class,
            PoliciesDoor.class,
            DocumentDoor.class)) {
      for (var method : door.getDeclaredMethods()) {
        for (var annotation : method.getAnnotations()) {
          var verb = annotation.annotationType().getAnnotation(HttpMethod.class);
          if (verb != null) {
            var path = method.getAnnotation(jakarta.ws.rs.Path.class);
            routes.add(
                verb.value().toLowerCase(Locale.ROOT)
                    + " "
                    + door.getAnnotation(jakarta.ws.rs.Path.class).value()
                    + (path == null ? "" : path.value()));
          }
        }
      }
    }

    assertEquals(routes, described().routes());
  }

  private Described described() throws Exception {
    return new Described(new Program(api, "").get("openapi.json").json());
  }
}
