package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.Pooler;
import dev.gorkie.local.World;
import dev.gorkie.local.aws.Fault;
import dev.gorkie.local.aws.FunctionSettings;
import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.local.daytona.State;
import dev.gorkie.local.daytona.Trouble;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// All roles from one artifact, behind API Gateway's events, Lambda's queue and its runtime's wire. The ones who extend it say
/// from which.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LambdaShapeContract {

  private static final String WORKER = "gorkie-worker";

  // Waits of minutes, such as Slack's and Lambda's before another try, take as many sixtieths.
  private static final int HURRY = 60;

  // What Lambda takes from a function that was waited for.
  private static final int ANSWER_BYTES_MAX = 6_291_556;

  // A worker that is frozen within a transaction keeps one until the database ends it.
  private static final int POOLED = 10;

  private static final String RULE = "gorkie-sweep";
  private static final String SWEEP =
      """
      {"version":"2.0","rawPath":"/internal/sweeps","requestContext":{"http":{"method":"POST",\
      "path":"/internal/sweeps"}}}""";

  private final String name = getClass().getSimpleName();
  private World world;
  private LambdaFunction ingress;
  private LambdaFunction worker;
  private LambdaFunction idle;
  private LambdaFunction api;
  private Untouched untouched;
  private Optional<Pooler> pooler = Optional.empty();
  private FunctionZip zip;
  private URI usual;
  private Map<String, String> environment;

  abstract FunctionZip zip() throws IOException, InterruptedException;

  /// Sees to it that there are tables when the first message comes.
  abstract void migrate(Map<String, String> environment) throws IOException, InterruptedException;

  World world() {
    return world;
  }

  LambdaFunction ingress() {
    return ingress;
  }

  LambdaFunction worker() {
    return worker;
  }

  @BeforeAll
  void deploy() throws IOException, InterruptedException {
    zip = zip();
    world = World.start(Stage.options().hurry(HURRY));
    untouched = new Untouched();
    environment = new HashMap<>(world.environment());
    migrate(environment);
    if (Pooler.isInstalled()) {
      pooler = Optional.of(Pooler.before(world.database().url(), POOLED));
      environment.put("DATABASE_URL", pooler.get().url());
    }
    ingress =
        world
            .aws()
            .deploy(
                FunctionSettings.of(
                        "gorkie-ingress", zip.program(ingressOnly(environment), log("ingress")))
                    .concurrency(2)
                    .freezing());
    worker =
        world
            .aws()
            .deploy(
                FunctionSettings.of(WORKER, zip.program(workerOnly(environment), log("worker")))
                    .timeout(Duration.ofMinutes(15))
                    // One that works, one that watches, one that the clock wakes, and one for a
                    // second message.
                    .concurrency(4)
                    .freezing());
    api =
        world
            .aws()
            .deploy(
                FunctionSettings.of("gorkie-api", zip.program(apiOnly(environment), log("api")))
                    .timeout(Duration.ofSeconds(30))
                    .freezing());
    idle =
        world
            .aws()
            .deploy(
                FunctionSettings.of("gorkie-idle", zip.program(idleOnly(environment), log("idle")))
                    .freezing());
    world.aws().rule(RULE, worker, SWEEP, Duration.ofMinutes(1).dividedBy(HURRY));
    usual = door(ingress);
    world.slack().deliverTo(usual);
  }

  private URI door(LambdaFunction function) throws IOException {
    return world
        .aws()
        .gateway(0, Map.of("POST /slack/events", function), Gateway.Bodies.BY_TYPE)
        .url()
        .resolve("/slack/events");
  }

  @AfterAll
  void end() {
    // There is none where there is nothing to deploy.
    if (world != null) {
      new Canaries(world).look();
      world.close();
    }
    pooler.ifPresent(Pooler::close);
    Optional.ofNullable(untouched).ifPresent(Untouched::close);
  }

  private Path log(String role) {
    return Path.of("target", "function-" + name + "-" + role + ".log");
  }

  @Test
  void a_message_goes_through_both_functions_and_is_answered() throws Exception {
    var root = world.slack().say("general", "ada", "@gorkie $ echo through-$((40+2))");

    var thread =
        world
            .slack()
            .awaitThread("general", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);

    assertTrue(Stage.answer(thread).contains("through-42"), thread.plain());
    world.slack().awaitQuiet(Stage.PATIENCE);
    assertEquals(1, Stage.answers(world.slack().thread("general", root)).size());
  }

  @Test
  void a_run_that_outlives_its_workers_goes_from_hand_to_hand_and_is_answered_once()
      throws Exception {
    deliverToShortLived("short", Duration.ofSeconds(20), Map.of());
    world
        .model()
        .script(
            Rule.whenContaining(
                "outlive-them", Reply.says("I outlived them.").ending(new Ending.Hanging(1))));
    try {
      var root = world.slack().say("general", "ada", "@gorkie outlive-them");
      var handedOn = "select max(hops) >= 2 from turns where thread_id like '%" + root + "'";
      Await.until(() -> is(handedOn));
      world.model().release();
      var thread =
          world
              .slack()
              .awaitThread("general", root, now -> now.appSaid("I outlived them."), Stage.PATIENCE);

      assertEquals("I outlived them.", Stage.answer(thread).strip(), thread.plain());
      world.slack().awaitQuiet(Stage.PATIENCE);
      assertEquals(1, Stage.answers(world.slack().thread("general", root)).size());
      assertEquals(
          1,
          world.model().asked().stream()
              .filter(asked -> asked.lastUserText().contains("outlive-them"))
              .count());
    } finally {
      world.model().release();
      world.model().forgetScript();
      world.slack().deliverTo(usual);
    }
  }

  @Test
  void a_machine_that_does_not_come_is_waited_for_by_another_worker_and_not_for_ever()
      throws Exception {
    deliverToShortLived(
        "waiting", Duration.ofSeconds(16), Map.of("GORKIE_TURNS_REACHES_WITHIN", "12s"));
    try {
      var root = world.slack().say("general", "ada", "@gorkie $ echo wide-awake");
      answered(root, "wide-awake");

      isSaidToBe(State.SNAPSHOTTING, root);
      world.slack().reply("general", root, "ada", "$ echo woke-late");
      Await.until(
          () -> is("select sum(hops) >= 1 from turns where thread_id like '%" + root + "'"));
      isSaidToBe(State.STOPPED, root);
      answered(root, "woke-late");

      isSaidToBe(State.SNAPSHOTTING, root);
      world.slack().reply("general", root, "ada", "$ echo never-said");
      answered(root, "did not wake up in time");
    } finally {
      world.slack().deliverTo(usual);
    }
  }

  @Test
  void an_account_without_room_is_waited_for_by_other_workers_and_nobody_hears_a_word_of_regret()
      throws Exception {
    deliverToShortLived("crowded", Duration.ofSeconds(16), Map.of());
    try {
      world
          .daytona()
          .faults()
          .add(
              Trouble.on("POST", "/sandbox$")
                  .times(Integer.MAX_VALUE)
                  .answering(400, "{\"message\":\"Total disk limit exceeded.\"}"));
      var first = world.slack().say("general", "ada", "@gorkie $ echo room-$((40+2))");
      var next = world.slack().say("general", "ada", "@gorkie $ echo room-$((6*7))");
      Await.until(
          () ->
              is(
                  "select count(*) = 2 from turns where hops >= 1 and (thread_id like '%"
                      + first
                      + "' or thread_id like '%"
                      + next
                      + "')"));
      world.daytona().faults().clear();

      for (var root : List.of(first, next)) {
        // What is to be run stands in the card as well, long before.
        var thread =
            world
                .slack()
                .awaitThread("general", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
        assertTrue(Stage.answer(thread).contains("room-42"), thread.plain());
      }
    } finally {
      world.daytona().faults().clear();
      world.slack().deliverTo(usual);
    }
  }

  /// As what Daytona says of its thread's machine.
  private void isSaidToBe(State state, String root) throws Exception {
    var machine =
        world.daytona().sandboxes().stream().filter(it -> it.name().endsWith(root)).findFirst();
    world.daytona().setState(machine.orElseThrow().id(), state);
  }

  private void answered(String root, String said) throws InterruptedException {
    world.slack().awaitThread("general", root, now -> now.appSaid(said), Stage.PATIENCE);
  }

  /// People write to a worker that has ten seconds less than its function.
  private void deliverToShortLived(String called, Duration timeout, Map<String, String> settings)
      throws IOException {
    var shortLived = "gorkie-" + called;
    var working = new HashMap<>(workerOnly(environment));
    working.put("GORKIE_WORKER_FUNCTION", shortLived);
    working.put("GORKIE_WORK_LEAVES_BEFORE", "10s");
    working.putAll(settings);
    world
        .aws()
        .deploy(
            FunctionSettings.of(shortLived, zip.program(working, log(called)))
                .timeout(timeout)
                .concurrency(3)
                .freezing());
    var knocking = new HashMap<>(ingressOnly(environment));
    knocking.put("GORKIE_WORKER_FUNCTION", shortLived);
    var before = "before-" + called;
    world
        .slack()
        .deliverTo(
            door(
                world
                    .aws()
                    .deploy(
                        FunctionSettings.of("gorkie-" + before, zip.program(knocking, log(before)))
                            .freezing())));
  }

  @Test
  void the_first_function_knows_neither_database_nor_slack_nor_sandboxes() throws Exception {
    var root = world.slack().say("random", "ada", "@gorkie $ echo carried-on");

    var thread =
        world
            .slack()
            .awaitThread("random", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);

    assertTrue(Stage.answer(thread).contains("carried-on"), thread.plain());
    assertEquals(0, untouched.touches());
  }

  @Test
  void what_takes_a_program_longer_than_a_request_may_goes_over_to_the_worker() throws Exception {
    var token = token();
    var command = "echo begun; until [ -e go ]; do sleep 0.1; done; echo went-$((6*7))";

    var asked = asked("POST", "/v1/sandbox/bash", token, bash(command));
    var id = new JsonObject(asked.getString("body")).getString("operation");
    // Somebody else is at it by now; here nothing moves.
    Await.until(
        () -> is("select worker is not null from operations where operation_id = '" + id + "'"));
    var went = asked("POST", "/v1/sandbox/bash", token, bash("touch go"));

    assertEquals(202, asked.getInteger("statusCode"));
    assertTrue(Set.of(200, 202).contains(went.getInteger("statusCode")), went.encode());
    Await.until(
        () -> is("select state = 'done' from operations where operation_id = '" + id + "'"));
    var done = asked("GET", "/v1/sandbox/operations/" + id, token, "");
    assertTrue(done.getString("body").contains("went-42"), done.encode());
    var nobody = asked("POST", "/v1/sandbox/bash", "none", bash("true"));
    assertEquals(401, nobody.getInteger("statusCode"));
  }

  @Test
  void what_is_too_large_for_a_functions_answer_is_fetched_where_it_lies() throws Exception {
    var token = token();
    var command =
        "mkdir -p output; head -c $((4 << 20)) /dev/zero >output/at;"
            + " head -c $(((4 << 20) + 1)) /dev/zero >output/above";

    var made = made(token, command);
    var at = asked("GET", content(made, "at"), token, "");
    var above = asked("GET", content(made, "above"), token, "");

    assertEquals(200, at.getInteger("statusCode"));
    assertTrue(at.getBoolean("isBase64Encoded"));
    assertTrue(at.encode().length() < ANSWER_BYTES_MAX);
    assertEquals(4 << 20, Base64.getDecoder().decode(at.getString("body")).length);
    assertEquals(303, above.getInteger("statusCode"), above.encode());
    var place = URI.create(location(above));
    assertEquals((4 << 20) + 1, fetched(place).length);
    var longer = place.toString().replace("expires=", "expires=1");
    assertNotEquals((4 << 20) + 1, fetched(URI.create(longer)).length);
  }

  @Test
  void a_function_tells_piece_by_piece_what_it_can_not_stream() throws Exception {
    var token = token();
    var command = "echo piece; until [ -e go-on ]; do sleep 0.05; done; echo by-piece";
    var asked = asked("POST", "/v1/sandbox/bash", token, bash(command));
    var place =
        "/v1/sandbox/operations/" + new JsonObject(asked.getString("body")).getString("operation");

    var streamed = asked("GET", place + "/events", token, "");
    var pieces = new StringBuilder();
    var goesOn = false;
    var until = Instant.now().plus(Stage.PATIENCE);
    for (var state = "running"; !state.equals("done"); ) {
      assertTrue(Instant.now().isBefore(until), pieces.toString());
      var answer = asked("GET", place + "/output", token, "", "wait=2&stdout=" + pieces.length());
      var piece = new JsonObject(answer.getString("body"));
      pieces.append(piece.getJsonObject("stdout").getString("text"));
      state = piece.getString("state");
      if (pieces.toString().equals("piece\n") && !goesOn) {
        goesOn = true;
        asked("POST", "/v1/sandbox/bash", token, bash("touch go-on"));
      }
    }

    assertEquals(406, streamed.getInteger("statusCode"));
    assertTrue(streamed.getString("body").contains("\"not_streamed\""), streamed.encode());
    assertEquals("piece\nby-piece\n", pieces.toString());
  }

  /// What came into `output/` when this ran, however long that took.
  private List<JsonObject> made(String token, String command) throws Exception {
    var asked = asked("POST", "/v1/sandbox/bash", token, bash(command));
    var id = new JsonObject(asked.getString("body")).getString("operation");
    Await.until(
        () -> is("select state = 'done' from operations where operation_id = '" + id + "'"));
    var done = asked("GET", "/v1/sandbox/operations/" + id, token, "");
    return new JsonObject(done.getString("body"))
        .getJsonObject("result").getJsonArray("artifacts").stream()
            .map(JsonObject.class::cast)
            .toList();
  }

  private static String content(List<JsonObject> made, String name) {
    var id =
        made.stream()
            .filter(it -> name.equals(it.getString("name")))
            .findFirst()
            .orElseThrow()
            .getString("id");
    return "/v1/sandbox/artifacts/" + id + "/content";
  }

  private static String location(JsonObject answer) {
    return answer.getJsonObject("headers").stream()
        .filter(header -> header.getKey().equalsIgnoreCase("Location"))
        .map(header -> String.valueOf(header.getValue()))
        .findFirst()
        .orElseThrow();
  }

  private static byte[] fetched(URI address) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray())
          .body();
    }
  }

  private static String bash(String command) {
    return JsonObject.of("session", "s", "command", command).encode();
  }

  private JsonObject asked(String method, String path, String token, String body)
      throws InterruptedException {
    return asked(method, path, token, body, "");
  }

  private JsonObject asked(String method, String path, String token, String body, String query)
      throws InterruptedException {
    var event =
        JsonObject.of(
            "version",
            "2.0",
            "rawPath",
            path,
            "rawQueryString",
            query,
            "headers",
            JsonObject.of("authorization", "Bearer " + token, "content-type", "application/json"),
            "requestContext",
            JsonObject.of("http", JsonObject.of("method", method, "path", path)),
            "body",
            body);
    return new JsonObject(api.invoke(event.encode()).orElseThrow().payload());
  }

  /// As “make token” puts it down.
  private String token() throws SQLException, GeneralSecurityException {
    var secret = "s".repeat(43);
    var hash =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(secret.getBytes(StandardCharsets.US_ASCII)));
    sql(
        """
        insert into api_tokens (token_id, sha256, tenant, name, scopes, expires_at)
        values ('abcdefghijkl', '%s', 'acme', 'a test', 'execute read', now() + interval '1 day')
        on conflict do nothing
        """
            .formatted(hash));
    return "gorkie_abcdefghijkl_" + secret;
  }

  @Test
  void a_function_that_starts_neither_migrates_nor_asks_the_database_for_its_version()
      throws Exception {
    var outcome = idle.invoke(SWEEP.replace("/internal/sweeps", "/internal/nothing")).orElseThrow();

    assertTrue(outcome.payload().contains("404"), outcome.payload());
    assertEquals(0, untouched.touches());
  }

  @Test
  void what_both_functions_did_is_measured_in_lines_of_their_logs() throws Exception {
    var root = world.slack().say("general", "ada", "@gorkie $ echo measured");
    world
        .slack()
        .awaitThread("general", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);

    Await.until(() -> measured("ingress").contains("Ack"));
    Await.until(
        () ->
            measured("worker")
                .containsAll(Set.of("FirstSign", "Turn", "Tokens", "Spend", "Outcome")));
    var ends = lines("worker").stream().filter(line -> line.contains("turn.ended: ")).toList();
    for (var end : ends) {
      assertTrue(
          new JsonObject(end)
              .getJsonObject("mdc")
              .fieldNames()
              .containsAll(Set.of("request", "thread", "turn", "fence", "sandbox", "code")),
          end);
    }
    assertFalse(ends.isEmpty());
  }

  private Set<String> measured(String role) {
    var names = new TreeSet<String>();
    for (var line : lines(role)) {
      if (line.contains("\"_aws\"")) {
        assertTrue(line.contains("\"role\":\"" + role + "\""), line);
        names.addAll(new JsonObject(line).fieldNames());
      }
    }
    return names;
  }

  private List<String> lines(String role) {
    try {
      return Files.readAllLines(log(role));
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  @Test
  void a_delivery_that_cannot_be_handed_over_is_refused_and_comes_again() throws Exception {
    world.aws().fail(new Fault.Refused(503), new Fault.Refused(429));
    var root = world.slack().say("random", "ada", "@gorkie $ echo at-last");

    var thread =
        world
            .slack()
            .awaitThread("random", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);

    assertTrue(Stage.answer(thread).contains("at-last"), thread.plain());
    assertTrue(
        world.slack().deliveries().stream()
            .anyMatch(delivery -> delivery.status().equals(Optional.of(503))));
  }

  @Test
  void work_that_fails_is_a_failed_invocation() throws Exception {
    var outcome =
        worker
            .invoke(
                """
                {"version":"2.0","rawPath":"/internal/wakes","requestContext":{"http":{"method":"POST",\
                "path":"/internal/wakes"}},"body":"no thread's key"}""")
            .orElseThrow();

    assertFalse(outcome.isSuccess(), outcome.payload());
    assertTrue(outcome.payload().contains("/internal/wakes"), outcome.payload());
  }

  @Test
  void what_lambda_gave_up_is_driven_back_in_and_the_clock_rests_when_all_is_quiet()
      throws Exception {
    var before = world.slack().say("general", "ada", "@gorkie $ echo wakes-the-clock");
    world
        .slack()
        .awaitThread("general", before, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
    sql("alter table inbox rename to inbox_away");
    var root = world.slack().say("general", "ada", "@gorkie $ echo back-$((1+1))");
    worker.failures().awaitAbout("echo back-", Stage.PATIENCE);

    sql("alter table inbox_away rename to inbox");

    var thread =
        world
            .slack()
            .awaitThread("general", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
    assertTrue(Stage.answer(thread).contains("back-2"), thread.plain());
    Await.until(() -> !world.aws().isEnabled(RULE));
  }

  @Test
  void what_lambda_gave_up_comes_back_in_by_itself_also_where_nothing_else_was_ever_open()
      throws Exception {
    Await.until(() -> !world.aws().isEnabled(RULE));
    world.slack().fail("users.info", new dev.gorkie.local.slack.Fault.Status(503));
    try {
      var root = world.slack().say("general", "grace", "@gorkie $ echo at-last-$((1+1))");
      worker.failures().awaitAbout("echo at-last-", Stage.PATIENCE);

      world.slack().heal();

      world.slack().awaitThread("general", root, now -> now.appSaid("at-last-2"), Stage.PATIENCE);
    } finally {
      world.slack().heal();
    }
  }

  @Test
  void what_can_never_be_taken_in_lets_the_clock_rest_and_comes_with_the_next_message()
      throws Exception {
    Await.until(() -> !world.aws().isEnabled(RULE));
    world.slack().fail("users.info", new dev.gorkie.local.slack.Fault.Status(503));
    try {
      var root = world.slack().say("general", "alan", "@gorkie $ echo late-$((1+1))");
      worker.failures().awaitAbout("echo late-", Stage.PATIENCE);

      Await.until(() -> !world.aws().isEnabled(RULE));
      world.slack().heal();
      assertFalse(world.slack().thread("general", root).appSaid("late-2"));
      world.slack().say("random", "ada", "@gorkie $ echo wakes-the-clock");

      world.slack().awaitThread("general", root, now -> now.appSaid("late-2"), Stage.PATIENCE);
    } finally {
      world.slack().heal();
    }
  }

  @Test
  void
      a_clock_that_somebody_switched_who_died_before_he_wrote_it_down_goes_on_with_the_next_message()
          throws Exception {
    Await.until(() -> !world.aws().isEnabled(RULE));
    sql("update sweep set awake = true, changed_at = now()");

    var root = world.slack().say("general", "ada", "@gorkie $ echo on-$((5+5))");

    Await.until(() -> world.aws().isEnabled(RULE));
    world.slack().awaitThread("general", root, now -> now.appSaid("on-10"), Stage.PATIENCE);
  }

  @Test
  void the_clock_rests_until_something_is_due_and_then_it_is_done() throws Exception {
    var inTenMinutes =
        LocalDateTime.now(ZoneOffset.UTC).plusMinutes(10).truncatedTo(ChronoUnit.SECONDS);
    var wish =
        JsonObject.of("what", "$ echo due-$((6*7))", "at", inTenMinutes + "Z", "zone", "UTC");
    world
        .model()
        .script(
            Rule.whenContaining(
                "plan-it", Reply.calls(new ToolCall("schedule", wish)), Reply.says("{{result}}")));
    var root = world.slack().say("random", "ada", "@gorkie plan-it");
    world.slack().awaitThread("random", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
    Await.until(() -> world.aws().expression(RULE).startsWith("cron("));
    world.model().forgetScript();

    // Whoever tried it last came to nothing, and nobody tries it again before a minute is over:
    // that is after the clock's stroke.
    sql("update tasks set due_at = now() - interval '48 s', tried_at = now() - interval '48 s'");

    world.slack().awaitThread("random", root, now -> now.appSaid("due-42"), Stage.PATIENCE);
    Await.until(() -> !world.aws().isEnabled(RULE));
  }

  @Test
  void while_somebody_works_somebody_else_watches_and_not_longer() throws Exception {
    world
        .model()
        .script(Rule.whenContaining("watched", Reply.says("over").ending(new Ending.Hanging(0))));
    var root = world.slack().say("random", "ada", "@gorkie watched");

    world.model().awaitHanging(asked -> asked.body().encode().contains("watched"), Stage.PATIENCE);
    Await.until(() -> is("select watched_until > now() from sweep"));

    world.model().release();
    var thread =
        world
            .slack()
            .awaitThread("random", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
    assertTrue(Stage.answer(thread).contains("over"), thread.plain());
    Await.until(() -> is("select watched_until is null from sweep"));
  }

  private boolean is(String question) {
    try (var connection = connection();
        var asking = connection.createStatement();
        var answer = asking.executeQuery(question)) {
      return answer.next() && answer.getBoolean(1);
    } catch (SQLException refused) {
      throw new IllegalStateException(refused);
    }
  }

  private void sql(String statement) throws SQLException {
    try (var connection = connection();
        var work = connection.createStatement()) {
      work.execute(statement);
    }
  }

  private Connection connection() throws SQLException {
    var url = URI.create(world.database().url());
    var person = url.getUserInfo().split(":");
    return DriverManager.getConnection(
        "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
        person[0],
        person.length > 1 ? person[1] : "");
  }

  private Map<String, String> ingressOnly(Map<String, String> environment) {
    return Map.of(
        "GORKIE_ROLE",
        "ingress",
        "GORKIE_WORKER_FUNCTION",
        WORKER + ":live",
        "SLACK_SIGNING_SECRET",
        named("SLACK_SIGNING_SECRET", environment),
        // It has no use for any of these, and somebody would notice if it had.
        "DATABASE_URL",
        untouched.database(),
        "SLACK_API_URL",
        untouched.url(),
        "DAYTONA_API_URL",
        untouched.url(),
        "DAYTONA_API_KEY",
        "key");
  }

  private Map<String, String> apiOnly(Map<String, String> environment) {
    var all = new HashMap<String, String>();
    for (var name : List.of("DAYTONA_API_URL", "DAYTONA_SNAPSHOT")) {
      all.put(name, Objects.requireNonNull(environment.get(name)));
    }
    for (var secret : List.of("DAYTONA_API_KEY", "DATABASE_URL")) {
      all.put(secret, named(secret, environment));
    }
    all.put("GORKIE_ROLE", "api");
    all.put("GORKIE_WORKER_FUNCTION", WORKER + ":live");
    all.put("GORKIE_API_PATIENCE", "3s");
    all.put("GORKIE_TOKEN_KEY", "");
    return all;
  }

  /// As they are deployed: a secret lies in the parameter store, and a function's environment has its name.
  private String named(String secret, Map<String, String> environment) {
    var parameter = "/gorkie/" + secret;
    world.aws().parameters().put(parameter, Objects.requireNonNull(environment.get(secret)));
    return "ssm:" + parameter;
  }

  /// A worker that is only started.
  private Map<String, String> idleOnly(Map<String, String> environment) {
    var all = new HashMap<>(workerOnly(environment));
    all.remove("GORKIE_DATABASE_MIGRATE_AT_START");
    all.put("DATABASE_URL", untouched.database());
    all.put("SLACK_API_URL", untouched.url());
    all.put("DAYTONA_API_URL", untouched.url());
    // It looks for work as soon as it can, which is another matter.
    all.put("QUARKUS_SCHEDULER_ENABLED", "false");
    return all;
  }

  private Map<String, String> workerOnly(Map<String, String> environment) {
    var all = new HashMap<>(environment);
    all.remove("SLACK_SIGNING_SECRET");
    for (var secret :
        List.of("SLACK_BOT_TOKEN", "DAYTONA_API_KEY", "DATABASE_URL", "MODEL_API_KEY")) {
      all.put(secret, named(secret, environment));
    }
    // What an operator has not chosen is deployed all the same, and empty.
    for (var unchosen :
        List.of(
            "SLACK_CLIENT_ID",
            "SLACK_CLIENT_SECRET",
            "GORKIE_TOKEN_KEY",
            "GORKIE_SPENDING_THREAD",
            "GORKIE_ENABLED",
            "GORKIE_LOG",
            "GORKIE_DRAIN",
            "DAYTONA_SECRET",
            "MODEL_ALLOWED",
            "MODEL_SEES",
            "GORKIE_MODEL_RUN_LIMITS",
            "GORKIE_CHOICES_ADMINS",
            "GORKIE_PROGRAMS_ANSWERED")) {
      all.put(unchosen, "");
    }
    all.put("GORKIE_ROLE", "worker");
    all.put("GORKIE_SLACK_TOLD_WITHIN", "10s");
    all.put("GORKIE_WORKER_FUNCTION", WORKER + ":live");
    all.put("GORKIE_SWEEP_RULE", RULE);
    all.put("GORKIE_FAILURE_QUEUE_URL", world.aws().failureQueueUrl(WORKER));
    all.put("GORKIE_SWEEP_QUIET_AFTER", "5s");
    all.put("GORKIE_WATCH_DRIVES_BACK_FOR", "15s");
    return all;
  }
}
