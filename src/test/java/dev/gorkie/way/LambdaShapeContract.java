package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Pooler;
import dev.gorkie.local.World;
import dev.gorkie.local.aws.Fault;
import dev.gorkie.local.aws.FunctionSettings;
import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Both roles from one artifact, behind API Gateway's events, Lambda's queue and its runtime's wire. The ones who extend it say
/// from which.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LambdaShapeContract {

  private static final String WORKER = "gorkie-worker";

  // Waits of minutes, such as Slack's and Lambda's before another try, take as many sixtieths.
  private static final int HURRY = 60;

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
  private Untouched untouched;
  private Optional<Pooler> pooler = Optional.empty();

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
    var zip = zip();
    world = World.start(Stage.options().hurry(HURRY));
    untouched = new Untouched();
    var environment = new HashMap<>(world.environment());
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
    idle =
        world
            .aws()
            .deploy(
                FunctionSettings.of("gorkie-idle", zip.program(idleOnly(environment), log("idle")))
                    .freezing());
    world.aws().rule(RULE, worker, SWEEP, Duration.ofMinutes(1).dividedBy(HURRY));
    var gateway =
        world.aws().gateway(0, Map.of("POST /slack/events", ingress), Gateway.Bodies.BY_TYPE);
    world.slack().deliverTo(gateway.url().resolve("/slack/events"));
  }

  @AfterAll
  void end() {
    // There is none where there is nothing to deploy.
    Optional.ofNullable(world).ifPresent(World::close);
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

    await(() -> measured("ingress").contains("Ack"));
    await(
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
    worker.failures().await("RetriesExhausted", Stage.PATIENCE);

    sql("alter table inbox_away rename to inbox");

    var thread =
        world
            .slack()
            .awaitThread("general", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
    assertTrue(Stage.answer(thread).contains("back-2"), thread.plain());
    await(() -> !world.aws().isEnabled(RULE));
  }

  @Test
  void while_somebody_works_somebody_else_watches_and_not_longer() throws Exception {
    world
        .model()
        .script(Rule.whenContaining("watched", Reply.says("over").ending(new Ending.Hanging(0))));
    var root = world.slack().say("random", "ada", "@gorkie watched");

    world.model().awaitHanging(asked -> asked.body().encode().contains("watched"), Stage.PATIENCE);
    await(() -> is("select watched_until > now() from sweep"));

    world.model().release();
    var thread =
        world
            .slack()
            .awaitThread("random", root, now -> !Stage.answers(now).isEmpty(), Stage.PATIENCE);
    assertTrue(Stage.answer(thread).contains("over"), thread.plain());
    await(() -> is("select watched_until is null from sweep"));
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

  private static void await(BooleanSupplier happened) {
    var until = Instant.now().plus(Stage.PATIENCE);
    while (!happened.getAsBoolean()) {
      assertTrue(Instant.now().isBefore(until), "it did not happen");
      Thread.onSpinWait();
    }
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
            "MODEL_ALLOWED")) {
      all.put(unchosen, "");
    }
    all.put("GORKIE_ROLE", "worker");
    all.put("GORKIE_WORKER_FUNCTION", WORKER + ":live");
    all.put("GORKIE_SWEEP_RULE", RULE);
    all.put("GORKIE_FAILURE_QUEUE_URL", world.aws().failureQueueUrl(WORKER));
    all.put("GORKIE_SWEEP_QUIET_AFTER", "5s");
    return all;
  }
}
