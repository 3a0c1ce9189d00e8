package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.slack.Delivery;
import dev.gorkie.local.slack.ThreadView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What whoever runs it sees and can do: log, metrics, health, the switch, the end, one thread's life.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {

  private final Stage stage = Stage.open();
  private final HttpClient http = HttpClient.newHttpClient();
  private Gorkie gorkie;

  @BeforeAll
  void start() throws Exception {
    gorkie = stage.another(Map.of("GORKIE_LOG", "json"));
  }

  @AfterEach
  void letGo() {
    stage.model().release();
    stage.model().forgetScript();
    stage.slack().deliverTo(gorkie.events());
  }

  @AfterAll
  void end() throws Exception {
    stage.asBefore();
    gorkie.close();
    http.close();
  }

  @Test
  void each_line_about_a_turn_says_whose_it_is_and_what_happened_has_a_name() throws Exception {
    var thread = stage.ask("general", "$ echo first");
    stage.goOn(thread, "$ echo second");

    var lines = linesOf(thread, 2);

    assertEquals(
        List.of(
            "sandbox.resolve.start",
            "sandbox.created",
            "sandbox.resolve.recreate",
            "turn.ended",
            "sandbox.prompt.ok",
            "sandbox.resolve.start",
            "sandbox.resolve.reuse",
            "turn.ended",
            "sandbox.prompt.ok"),
        lines.stream().map(OperatorIT::event).filter(event -> !event.isEmpty()).toList());
    for (var line : lines) {
      var mdc = line.getJsonObject("mdc");
      assertTrue(mdc.getString("request").length() > 8, line.encode());
      if (event(line).equals("turn.ended")) {
        assertEquals("DONE", mdc.getString("code"));
        assertEquals("none", mdc.getString("fault"));
        assertEquals(stage.sandboxOf(thread).id(), mdc.getString("sandbox"));
        assertFalse(mdc.getString("turn").isEmpty());
        assertFalse(mdc.getString("fence").isEmpty());
      }
    }
  }

  @Test
  void what_turns_did_is_counted_for_prometheus() throws Exception {
    stage.ask("general", "$ echo counted");

    var metrics = get("/metrics").body();

    for (var series :
        List.of(
            "gorkie_outcomes_total{code=\"DONE\",fault=\"none\"}",
            "gorkie_sandbox_creates_total",
            "gorkie_ack_seconds_count",
            "gorkie_first_sign_seconds_count",
            "gorkie_turn_seconds_count",
            "gorkie_tokens_total")) {
      assertTrue(value(metrics, series) >= 1, series + "\n" + metrics);
    }
  }

  @Test
  void whoever_asks_whether_it_is_ready_is_told_and_slack_is_not_asked_each_time()
      throws Exception {
    var before = callsOf("auth.test");
    for (var i = 0; i < 40; i++) {
      assertEquals(200, get("/readyz").statusCode());
    }

    assertEquals(
        Map.of(
            "database",
            "UP",
            "slack",
            "UP",
            "daytona",
            "UP",
            "model",
            "UP",
            "open",
            "UP",
            // Quarkus' own word for the same.
            "Graceful Shutdown",
            "UP"),
        checks(get("/readyz")));
    assertEquals(200, get("/healthz").statusCode());
    assertEquals(200, get("/q/health").statusCode());
    assertTrue(callsOf("auth.test") - before < 20);
  }

  @Test
  void a_server_that_is_switched_off_brings_to_its_end_what_has_begun_and_begins_nothing()
      throws Exception {
    var database = stage.migratedDatabase("switched");
    var off =
        Map.of("DATABASE_URL", database, "GORKIE_ENABLED", "false", "MODEL_BASE_URL", nowhere());
    String begun;
    try (var _ = stage.another(Map.of("DATABASE_URL", database))) {
      stage
          .model()
          .script(
              Rule.whenContaining(
                  "begun before", Reply.says("ended after").ending(new Ending.Hanging(0))));
      begun = stage.slack().say("random", "ada", "@gorkie begun before");
      stage
          .model()
          .awaitHanging(asked -> asked.body().encode().contains("begun before"), Stage.PATIENCE);
    }
    var sandboxes = stage.daytona().sandboxes().size();
    try (var other = stage.another(off)) {
      var refused = stage.ask("random", "$ echo not-now");
      var again = stage.goOn(refused, "$ echo not-now-either");
      stage.model().release();
      var ended = stage.answered("random", begun, 1);

      for (var answer : Stage.answers(again)) {
        assertTrue(answer.text().contains("has switched me off for now"), again.plain());
      }
      assertEquals(2, Stage.answers(again).size(), again.plain());
      assertEquals("ended after", Stage.answer(ended).strip(), ended.plain());
      assertEquals(sandboxes, stage.daytona().sandboxes().size());
      var ready = get(other.url().resolve("/readyz"));
      assertEquals(503, ready.statusCode());
      assertEquals("DOWN", checks(ready).get("model"), ready.body());
      assertTrue(ready.body().contains("Nobody answers at 127.0.0.1"), ready.body());
      // A message is taken in all the same.
      assertEquals(200, get(other.url().resolve("/readyz/door")).statusCode());
    }
  }

  @Test
  void a_server_that_is_told_to_end_says_so_and_takes_nothing_in_any_more() throws Exception {
    var leaving = stage.another(Map.of("GORKIE_DRAIN", "60s"));
    try {
      assertEquals(200, get(leaving.url().resolve("/readyz/door")).statusCode());

      leaving.tellToEnd();

      Await.until(
          () -> get(leaving.url().resolve("/readyz/door")).statusCode() == 503, leaving::output);
      assertEquals(503, get(leaving.url().resolve("/readyz")).statusCode());
      assertEquals(200, get(leaving.url().resolve("/healthz")).statusCode());
      // Slack delivers again what is not taken, and that reaches the next one.
      var root = stage.slack().say("general", "ada", "@gorkie $ echo at-the-next");
      var refused =
          stage
              .slack()
              .awaitDeliveries(all -> all.stream().anyMatch(OperatorIT::isRefused), Stage.PATIENCE)
              .stream()
              .filter(OperatorIT::isRefused)
              .toList();
      stage.slack().deliverTo(gorkie.events());
      stage.slack().deliverAgain(refused.getLast().id());
      var thread = stage.answered("general", root, 1);
      assertTrue(Stage.answer(thread).contains("at-the-next"), thread.plain());
    } finally {
      leaving.kill();
    }
  }

  @Test
  void one_threads_life_is_told_in_order_and_without_a_word_of_it() throws Exception {
    var thread = stage.ask("general", "$ echo nobody-else-reads-this");
    linesOf(thread, 1);
    var link =
        "https://local.slack.com/archives/%s/p%s"
            .formatted(stage.slack().channel("general").id(), thread.rootTs().replace(".", ""));

    var told = trace(0, Map.of("GORKIE_THREAD", link, "GORKIE_TRACE_LOG", gorkie.log().toString()));

    assertFalse(told.contains("nobody-else-reads-this"), told);
    var from = 0;
    for (var expected :
        List.of(
            thread.rootTs() + " of " + stage.slack().person("ada").id() + " is taken in",
            " begins, asked for by ",
            "sandbox.created: ",
            " is given to the agent",
            "turn.ended: DONE",
            " is settled as DONE, after 1 attempts",
            "nobody has the thread")) {
      var at = told.indexOf(expected, from);
      assertTrue(at >= 0, expected + " is not in its place in\n" + told);
      from = at;
    }
    assertTrue(told.contains("is in Slack as "), told);
    assertTrue(told.contains(stage.sandboxOf(thread).id()), told);
  }

  @Test
  void a_thread_that_is_none_is_told_so() throws Exception {
    assertTrue(
        trace(1, Map.of("GORKIE_THREAD", "T1:C1:1700000000.000100"))
            .contains("No message of that thread ever came"));
  }

  private String trace(int code, Map<String, String> more) throws Exception {
    var environment = new TreeMap<>(more);
    environment.put("GORKIE_ROLE", "trace");
    environment.put("DATABASE_URL", stage.setting("DATABASE_URL"));
    try (var trace = Gorkie.start(environment)) {
      assertEquals(code, trace.end(), trace.output());
      return trace.output();
    }
  }

  /// All that was logged for it, as soon as so many of its turns have ended.
  private List<JsonObject> linesOf(ThreadView thread, int turns) {
    var key =
        stage.slack().teamId()
            + ":"
            + stage.slack().channel(thread.channel()).id()
            + ":"
            + thread.rootTs();
    Await.until(
        () ->
            linesOf(key).stream().filter(line -> event(line).equals("sandbox.prompt.ok")).count()
                == turns,
        gorkie::output);
    return linesOf(key);
  }

  private List<JsonObject> linesOf(String key) {
    return gorkie
        .output()
        .lines()
        .filter(line -> line.contains(key))
        .map(JsonObject::new)
        .filter(line -> key.equals(line.getJsonObject("mdc").getString("thread")))
        .toList();
  }

  private static String event(JsonObject line) {
    return line.getJsonObject("mdc").getString("event", "");
  }

  private long callsOf(String method) {
    return stage.slack().calls().stream().filter(call -> call.method().equals(method)).count();
  }

  private static double value(String metrics, String series) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(-1);
  }

  private static Map<String, String> checks(HttpResponse<String> answer) {
    var checks = new TreeMap<String, String>();
    JsonArray all = new JsonObject(answer.body()).getJsonArray("checks");
    for (var i = 0; i < all.size(); i++) {
      checks.put(all.getJsonObject(i).getString("name"), all.getJsonObject(i).getString("status"));
    }
    return checks;
  }

  private static boolean isRefused(Delivery delivery) {
    return delivery.status().orElse(0) == 503 && delivery.event().encode().contains("at-the-next");
  }

  /// Where nobody listens.
  private static String nowhere() {
    return "http://127.0.0.1:1/v1";
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return get(gorkie.url().resolve(path));
  }

  private HttpResponse<String> get(URI address) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }
}
