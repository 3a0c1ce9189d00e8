package dev.gorkie.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.Await;
import dev.gorkie.Deadline;
import dev.gorkie.attack.Attack;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sandbox.Finding;
import dev.gorkie.sandbox.Found.Asleep;
import dev.gorkie.sandbox.Found.Broken;
import dev.gorkie.sandbox.Found.Gone;
import dev.gorkie.sandbox.Found.Running;
import dev.gorkie.sandbox.RandomBytes;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sandbox.SandboxId;
import dev.gorkie.sandbox.Sandboxes;
import dev.gorkie.sandbox.Sandboxes.Listed;
import dev.gorkie.sandbox.SandboxesContract;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the contract asks for, and what only Daytona does to those who speak to it.
@QuarkusTest
@QuarkusTestResource(value = LocalDaytonaResource.class, restrictToAnnotatedClass = true)
class DaytonaSandboxesTest extends SandboxesContract {

  private static final String CREATE = "/api/sandbox$";
  private static final String LOOK = "/api/sandbox/[^/]+$";
  private static final String START = "/start$";
  private static final String VERSION = "/version$";
  private static final String INFO = "/files/info$";
  private static final String MOVE = "/files/move$";
  private static final String EXECUTE = "/process/execute$";
  private static final String NEW_TERMINAL = "/process/pty$";
  private static final String CONNECT = "/connect$";
  private static final int ALWAYS = 10_000;
  private static final Duration COMMAND_MOST = Duration.ofSeconds(20);

  @Inject Sandboxes sandboxes;

  @Inject BehindTheScene daytona;

  @Override
  protected Sandboxes sandboxes() {
    return sandboxes;
  }

  @Override
  protected void somebodyStops(SandboxId id) {
    daytona.stop(id.value());
  }

  @Override
  protected void somebodyArchives(SandboxId id) {
    daytona.stop(id.value());
    Await.until(() -> daytona.state(id.value()).equals("stopped"));
    daytona.archive(id.value());
    Await.until(() -> daytona.state(id.value()).equals("archived"));
  }

  @Override
  protected void somebodyDeletes(SandboxId id) {
    daytona.delete(id.value());
  }

  @Override
  protected void connectionsBreak() {
    daytona.cutTerminals();
  }

  @BeforeEach
  void nothing_goes_wrong_unasked() {
    daytona.clear();
  }

  @AfterEach
  void nothing_was_asked_that_daytona_does_not_know() {
    assertEquals(List.of(), daytona.misunderstandings());
  }

  @Test
  void a_machine_is_private_and_cleans_up_after_itself() throws Exception {
    var sandbox = sandboxes.create(anyName(), Map.of("thread", "T1:C1:1.2"), soon());

    var facts = daytona.sandbox(sandbox.name());

    assertEquals(LocalDaytonaResource.SNAPSHOT, facts.path("snapshot").asText());
    assertEquals("T1:C1:1.2", facts.path("labels").path("thread").asText());
    assertFalse(facts.path("public").asBoolean(true));
    assertEquals(15, facts.path("autoStopInterval").asInt());
    assertEquals(60, facts.path("autoArchiveInterval").asInt());
    assertEquals(2880, facts.path("autoDeleteInterval").asInt());
    assertTrue(facts.has("autoDestroyAt"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_create_whose_answer_is_lost_makes_one_machine(int effects) throws Exception {
    var before = daytona.sandboxesCreated();
    daytona.lose("POST", CREATE, effects);

    anySandbox();

    assertEquals(before + 1, daytona.sandboxesCreated());
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void a_create_that_a_gateway_answers_makes_one_machine(int status) throws Exception {
    var before = daytona.sandboxesCreated();
    daytona.doAndAnswer("POST", CREATE, status);

    anySandbox();

    assertEquals(before + 1, daytona.sandboxesCreated());
  }

  @Test
  void a_create_that_comes_too_often_waits_as_it_is_told() throws Exception {
    daytona.answer(
        "POST",
        CREATE,
        1,
        429,
        Map.of("Retry-After-sandbox-create", "1"),
        "{\"message\":\"slow\"}");

    assertInstanceOf(Running.class, sandboxes.find(anySandbox().id()));
  }

  @Test
  void who_is_told_to_wait_longer_than_there_is_time_gives_up_at_once() {
    daytona.answer("POST", CREATE, 1, 429, Map.of("Retry-After-sandbox-create", "60"), "");

    assertEquals(SandboxFailure.UNREACHABLE, codeOf(this::anySandbox));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | {"message":"Total CPU limit exceeded. Maximum allowed: 10."} | NO_ROOM
          400 | {"message":"No available runners"} | NO_ROOM
          400 | {"message":"Snapshot nothing not found"} | NO_IMAGE
          400 | {"message":["labels must be an object"]} | REFUSED
          401 | {"error":"Unauthorized"} | NOT_ALLOWED
          403 | <html>Forbidden</html> | NOT_ALLOWED
          500 | {"error":"Internal"} | UNREACHABLE
          """)
  void a_create_that_is_refused_says_whose_fault_it_is(
      int status, String body, SandboxFailure code) {
    daytona.setSnapshotState(
        LocalDaytonaResource.SNAPSHOT, code == SandboxFailure.NO_IMAGE ? "error" : "active");
    daytona.answer("POST", CREATE, 1, status, body);

    var failure = codeOf(this::anySandbox);

    daytona.setSnapshotState(LocalDaytonaResource.SNAPSHOT, "active");
    assertEquals(code, failure);
  }

  @Test
  void a_snapshot_that_was_put_aside_is_brought_back() throws Exception {
    daytona.setSnapshotState(LocalDaytonaResource.SNAPSHOT, "inactive");

    assertInstanceOf(Running.class, sandboxes.find(anySandbox().id()));
  }

  @Test
  void a_list_of_several_pages_is_read_to_its_end_without_what_is_broken() throws Exception {
    daytona.answer(
        "GET",
        CREATE,
        1,
        200,
        """
        {"nextCursor":"0","items":[
          {"id":"a","name":"gorkie-a","state":"archived"},
          {"id":"b","name":"gorkie-b","state":"error","recoverable":false},
          {"id":"c","name":"gorkie-c","state":"destroying"},
          {"id":"d","name":"gorkie-d","state":"hibernating"}]}
        """);

    var listed = sandboxes.list(Map.of("nobody", "has this"));

    assertEquals(
        List.of(
            new Listed(new SandboxId("a"), "gorkie-a", Map.of()),
            new Listed(new SandboxId("d"), "gorkie-d", Map.of())),
        listed);
  }

  @Test
  void a_machine_missed_once_is_not_gone() throws Exception {
    var sandbox = anySandbox();
    daytona.answer("GET", LOOK, 1, 404, "{\"message\":\"Sandbox not found\"}");

    assertInstanceOf(Running.class, sandboxes.find(sandbox.id()));
  }

  @Test
  void a_machine_missed_twice_is_gone() throws Exception {
    var sandbox = anySandbox();
    daytona.answer("GET", LOOK, 2, 404, "{\"message\":\"Sandbox not found\"}");

    assertInstanceOf(Gone.class, sandboxes.find(sandbox.id()));
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504, 429})
  void a_machine_is_looked_for_again_when_a_gateway_answers(int status) throws Exception {
    var sandbox = anySandbox();
    daytona.answer("GET", LOOK, 2, status, "<html>Bad gateway</html>");

    assertInstanceOf(Running.class, sandboxes.find(sandbox.id()));
  }

  @Test
  void a_machine_is_looked_for_again_when_the_answer_is_lost() throws Exception {
    var sandbox = anySandbox();
    daytona.lose("GET", LOOK, 0);

    assertInstanceOf(Running.class, sandboxes.find(sandbox.id()));
  }

  @Test
  void a_machine_that_can_t_be_asked_for_is_not_gone() throws Exception {
    var sandbox = anySandbox();
    daytona.answer("GET", LOOK, ALWAYS, 502, "");

    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> sandboxes.find(sandbox.id())));
  }

  @Test
  void where_nobody_answers_nothing_is_gone() {
    var nobody = sandboxesWith(Map.of("gorkie.daytona.api-url", "http://127.0.0.1:1/api"));

    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> nobody.find(new SandboxId("any"))));
    assertEquals(
        SandboxFailure.UNREACHABLE, codeOf(() -> nobody.start(new SandboxId("any"), verySoon())));
    assertEquals(
        SandboxFailure.UNREACHABLE, codeOf(() -> nobody.create(anyName(), Map.of(), verySoon())));
  }

  @Test
  void a_wrong_key_is_the_operators_fault() {
    var stranger = sandboxesWith(Map.of("gorkie.daytona.api-key", "wrong"));

    assertEquals(SandboxFailure.NOT_ALLOWED, codeOf(() -> stranger.find(new SandboxId("any"))));
  }

  @Test
  void a_machine_in_trouble_that_can_be_recovered_is() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/kept.txt", "still here");
    daytona.fail(sandbox.id().value(), true);

    var found = sandboxes.find(sandbox.id());
    var recovered = sandboxes.start(sandbox.id(), soon());

    assertInstanceOf(Asleep.class, found);
    assertEquals("still here", download(recovered, "/kept.txt"));
  }

  @Test
  void a_machine_in_trouble_for_good_is_broken_and_only_another_name_helps() throws Exception {
    var sandbox = anySandbox();
    daytona.fail(sandbox.id().value(), false);

    assertEquals(new Broken(sandbox.id(), "its disk broke"), sandboxes.find(sandbox.id()));
    assertEquals(SandboxFailure.BROKEN, codeOf(() -> sandboxes.start(sandbox.id(), soon())));
    assertEquals(
        SandboxFailure.BROKEN, codeOf(() -> sandboxes.create(sandbox.name(), Map.of(), soon())));
  }

  @Test
  void a_state_that_nobody_knows_yet_is_waited_out() throws Exception {
    var sandbox = anySandbox();
    daytona.answer(
        "GET",
        LOOK,
        3,
        200,
        "{\"id\":\"%s\",\"name\":\"%s\",\"state\":\"hibernating\",\"toolboxProxyUrl\":\"http://127.0.0.1:1\"}"
            .formatted(sandbox.id(), sandbox.name()));

    assertEquals(sandbox.id(), sandboxes.start(sandbox.id(), soon()).id());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "creating",
        "pending_build",
        "building_snapshot",
        "pulling_snapshot",
        "starting",
        "restoring",
        "resuming",
        "stopping",
        "pausing",
        "resizing",
        "snapshotting",
        "forking",
        "unknown"
      })
  void a_transition_is_waited_out_and_never_raced(String state) throws Exception {
    var sandbox = anySandbox();
    var id = sandbox.id().value();
    daytona.setState(id, state);
    var starts = daytona.requests("POST", id + START);
    var looks = daytona.requests("GET", id + "$");

    var started = meanwhile(() -> sandboxes.start(sandbox.id(), soon()));
    Await.until(() -> daytona.requests("GET", id + "$") > looks + 2);
    assertEquals(starts, daytona.requests("POST", id + START));
    daytona.setState(id, "stopped");

    assertEquals(0, started.join().execute("true", COMMAND_MOST).exitCode());
    assertEquals(starts + 1, daytona.requests("POST", id + START));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stopped", "archived", "archiving"})
  void a_machine_at_rest_is_started(String state) throws Exception {
    var sandbox = anySandbox();
    daytona.setState(sandbox.id().value(), state);

    assertEquals(0, sandboxes.start(sandbox.id(), soon()).execute("true", COMMAND_MOST).exitCode());
  }

  @Test
  void a_machine_that_is_being_deleted_is_gone_and_its_name_is_free() throws Exception {
    var sandbox = anySandbox();
    daytona.setState(sandbox.id().value(), "destroying");

    assertInstanceOf(Gone.class, sandboxes.find(sandbox.id()));
  }

  @ParameterizedTest
  @CsvSource({
    "starting, 11, true",
    "starting, 9, false",
    "restoring, 61, true",
    "restoring, 59, false",
    "creating, 31, true",
    "stopping, 600, false",
    "hibernating, 600, false"
  })
  void a_transition_that_nobody_at_daytona_ends_is_given_up_long_after_its_watchdog(
      String state, int minutes, boolean isStuck) throws Exception {
    var sandbox = anySandbox();
    var since = Instant.now().minus(Duration.ofMinutes(minutes));
    daytona.answer("GET", LOOK, isStuck ? 2 : 1, 200, facts(sandbox, state, since));

    var found = sandboxes.find(sandbox.id());

    assertEquals(
        isStuck
            ? new Broken(sandbox.id(), state + " since " + since)
            : new Asleep(sandbox.id(), state),
        found);
  }

  @Test
  void a_machine_seen_broken_once_is_not() throws Exception {
    var sandbox = anySandbox();
    var facts = facts(sandbox, "error", Instant.now());
    daytona.answer("GET", LOOK, 1, 200, facts);
    var found = sandboxes.find(sandbox.id());
    daytona.answer("GET", LOOK, 1, 200, facts);
    sandboxes.start(sandbox.id(), soon());

    assertInstanceOf(Running.class, found);
  }

  @Test
  void a_machine_that_is_being_recovered_is_waited_for() throws Exception {
    var sandbox = anySandbox();
    daytona.fail(sandbox.id().value(), true);
    // It is taken, and nothing comes of it yet.
    daytona.answer("POST", "/recover$", 1, 200, "{}");

    var code = codeOf(() -> sandboxes.start(sandbox.id(), Deadline.in(Duration.ofSeconds(2))));

    assertEquals(SandboxFailure.TOO_SLOW, code);
    assertEquals(1, daytona.requests("POST", sandbox.id() + "/recover$"));
  }

  @Test
  void a_machine_that_does_not_say_where_its_toolbox_is_is_asked() throws Exception {
    var sandbox = anySandbox();
    daytona.answer("GET", LOOK, 1, 200, facts(sandbox, "started", Instant.now()));

    var found = assertInstanceOf(Running.class, sandboxes.find(sandbox.id()));

    assertEquals(0, found.sandbox().execute("true", COMMAND_MOST).exitCode());
  }

  private static String facts(Sandbox sandbox, String state, Instant updated) {
    return "{\"id\":\"%s\",\"name\":\"%s\",\"state\":\"%s\",\"updatedAt\":\"%s\"}"
        .formatted(sandbox.id(), sandbox.name(), state, updated);
  }

  @Test
  void a_machine_reaches_what_the_settings_say_and_what_they_say_later() throws Exception {
    var limited =
        sandboxesWith(
            Map.of("gorkie.daytona.network", "*.github.com, OpenRouter.ai,10.1.2.3,10.2.0.0/16"));
    var sandbox = limited.create(anyName(), Map.of(), soon());
    var created = daytona.sandbox(sandbox.name());
    sleep(sandbox);
    limited.start(sandbox.id(), soon());
    var changesOfTheSame = daytona.requests("POST", sandbox.id() + "/network-settings");
    sleep(sandbox);
    sandboxesWith(Map.of("gorkie.daytona.network", "none")).start(sandbox.id(), soon());
    var closed = daytona.sandbox(sandbox.name());
    sleep(sandbox);
    sandboxes.start(sandbox.id(), soon());
    var open = daytona.sandbox(sandbox.name());

    assertEquals("*.github.com,openrouter.ai", created.path("domainAllowList").asText());
    assertEquals("10.1.2.3/32,10.2.0.0/16", created.path("networkAllowList").asText());
    assertFalse(created.path("networkBlockAll").asBoolean(true));
    assertEquals(0, changesOfTheSame);
    assertTrue(closed.path("networkBlockAll").asBoolean());
    assertEquals("", closed.path("domainAllowList").asText());
    assertFalse(open.path("networkBlockAll").asBoolean(true));
  }

  @Test
  void a_machine_of_its_own_limit_reaches_what_that_says_and_never_more_than_all()
      throws Exception {
    var sandbox = sandboxes.create(anyName(), Map.of("thread", "T1:C1:1.4"), soon());
    assertEquals(Optional.empty(), sandbox.network());

    sandboxes.limit(sandbox.id(), Optional.of("*.github.com,npmjs.org"), soon());
    var limited = daytona.sandbox(sandbox.name());
    var found = assertInstanceOf(Running.class, sandboxes.find(sandbox.id())).sandbox();
    sleep(sandbox);
    var narrower =
        sandboxesWith(Map.of("gorkie.daytona.network", "*.org,api.github.com,openrouter.ai"));
    narrower.start(sandbox.id(), soon());
    var both = daytona.sandbox(sandbox.name());
    sleep(sandbox);
    sandboxesWith(Map.of("gorkie.daytona.network", "openrouter.ai")).start(sandbox.id(), soon());
    var closed = daytona.sandbox(sandbox.name());
    sandboxes.limit(sandbox.id(), Optional.empty(), soon());
    var open = daytona.sandbox(sandbox.name());

    assertEquals("*.github.com,npmjs.org", limited.path("domainAllowList").asText());
    assertEquals(Optional.of("*.github.com,npmjs.org"), found.network());
    assertEquals("api.github.com,npmjs.org", both.path("domainAllowList").asText());
    assertTrue(closed.path("networkBlockAll").asBoolean());
    assertFalse(open.path("networkBlockAll").asBoolean(true));
    assertEquals("T1:C1:1.4", open.path("labels").path("thread").asText());
  }

  /// Of each setting, which of these a machine reaches, whatever it speaks: HTTP, DNS, or TCP as it is.
  private static final String REACHED =
      """
      to                        | open | none | openrouter.ai | *.github.com,openrouter.ai | 10.1.0.0/16 | openrouter.ai,10.1.2.3
      openrouter.ai             | yes  |      | yes           | yes                        |             | yes
      api.github.com            | yes  |      |               | yes                        |             |
      github.com                | yes  |      |               |                            |             |
      evil.example              | yes  |      |               |                            |             |
      openrouter.ai.evil.example| yes  |      |               |                            |             |
      evil-openrouter.ai        | yes  |      |               |                            |             |
      x.openrouter.ai           | yes  |      |               |                            |             |
      10.1.2.3                  | yes  |      |               |                            | yes         | yes
      10.1.2.4                  | yes  |      |               |                            | yes         |
      10.2.0.1                  | yes  |      |               |                            |             |
      172.16.0.1                | yes  |      |               |                            |             |
      192.168.0.1               | yes  |      |               |                            |             |
      169.254.169.254           | yes  |      |               |                            |             |
      1.1.1.1                   | yes  |      |               |                            |             |
      fd00::1                   | yes  |      |               |                            |             |
      """;

  @Test
  void what_a_machine_reaches_is_what_its_setting_names() throws Exception {
    var rows =
        REACHED
            .lines()
            .map(line -> Stream.of(line.split("\\|")).map(String::strip).toList())
            .toList();
    var settings = rows.getFirst();
    var through = new ArrayList<String>();
    var cases = 0;
    for (var column = 1; column < settings.size(); column++) {
      var network = settings.get(column);
      var made =
          sandboxesWith(Map.of("gorkie.daytona.network", network))
              .create(anyName(), Map.of(), soon());
      var machine = daytona.sandbox(made.name());
      for (var row : rows.subList(1, rows.size())) {
        cases++;
        var expected = row.size() > column && row.get(column).equals("yes");
        if (isReached(machine, row.getFirst()) != expected) {
          through.add(row.getFirst() + " with " + network + ": " + !expected);
        }
      }
    }

    Attack.of("S6", "what a sandbox reaches, by what Daytona is told").withstood(cases, through);
  }

  /// What Daytona's own words mean, as it documents them.
  private static boolean isReached(JsonNode machine, String host) {
    if (machine.path("networkBlockAll").asBoolean()) {
      return false;
    }
    var domains = words(machine.path("domainAllowList").asText());
    var blocks = words(machine.path("networkAllowList").asText());
    if (domains.isEmpty() && blocks.isEmpty()) {
      return true;
    }
    return host.matches("[0-9.]+")
        ? blocks.stream().anyMatch(block -> isIn(host, block))
        : domains.stream()
            .anyMatch(
                domain ->
                    domain.startsWith("*.")
                        ? host.endsWith(domain.substring(1))
                        : host.equals(domain));
  }

  private static List<String> words(String list) {
    return Stream.of(list.split(",")).filter(word -> !word.isEmpty()).toList();
  }

  private static boolean isIn(String address, String block) {
    var parts = block.split("/");
    var shift = 32 - Integer.parseInt(parts[1]);
    return number(address) >>> shift == number(parts[0]) >>> shift;
  }

  private static long number(String address) {
    return Stream.of(address.split("\\."))
        .mapToLong(Long::parseLong)
        .reduce(0, (all, one) -> all << 8 | one);
  }

  @Test
  void a_machine_is_not_started_with_more_network_than_it_may_have() throws Exception {
    var sandbox = anySandbox();
    sleep(sandbox);
    daytona.answer("POST", "/network-settings$", 1, 403, "");
    var closed = sandboxesWith(Map.of("gorkie.daytona.network", "none"));

    assertEquals(SandboxFailure.NOT_ALLOWED, codeOf(() -> closed.start(sandbox.id(), soon())));
    assertEquals("stopped", daytona.state(sandbox.id().value()));
  }

  @Test
  void a_machine_sees_only_what_stands_for_a_secret() throws Exception {
    daytona.createSecret("of-new-machines", "sk-very-secret", "model.example");
    var sandbox =
        sandboxesWith(Map.of("gorkie.daytona.secret", "of-new-machines"))
            .create(anyName(), Map.of(), soon());

    var seen = sandbox.execute("printf %s \"$GORKIE_MODEL_KEY\"", COMMAND_MOST).output();

    assertTrue(seen.startsWith("dtn_secret_"), seen);
    assertFalse(daytona.sandbox(sandbox.name()).toString().contains("sk-very-secret"));
  }

  @Test
  void a_machine_that_runs_without_its_secret_is_started_again_with_it_once() throws Exception {
    var sandbox = sandboxes.create(anyName(), Map.of("thread", "T1:C1:1.2"), soon());
    daytona.createSecret("of-old-machines", "sk-very-secret", "model.example");
    var later = sandboxesWith(Map.of("gorkie.daytona.secret", "of-old-machines"));

    var found = later.find(sandbox.id());
    var seen =
        later
            .start(sandbox.id(), soon())
            .execute("printf %s \"$GORKIE_MODEL_KEY\"", COMMAND_MOST)
            .output();

    assertInstanceOf(Asleep.class, found);
    assertTrue(seen.startsWith("dtn_secret_"), seen);
    assertInstanceOf(Running.class, later.find(sandbox.id()));
    assertEquals(
        "T1:C1:1.2", daytona.sandbox(sandbox.name()).path("labels").path("thread").asText());
  }

  @Test
  void a_machine_has_the_secrets_that_an_operator_names_and_loses_what_is_named_no_more()
      throws Exception {
    daytona.createSecret("our-github", "ghp-very-secret", "api.github.example");
    daytona.createSecret("our-npm", "npm-very-secret", "npm.example");
    var named = "GITHUB_TOKEN=our-github,NPM_TOKEN=our-npm";
    var sandbox =
        sandboxesWith(Map.of("gorkie.daytona.secrets", named))
            .create(anyName(), Map.of("thread", "T1:C1:1.3"), soon());
    var both = "printf '%s %s' \"$GITHUB_TOKEN\" \"$NPM_TOKEN\"";

    var seen = sandbox.execute(both, COMMAND_MOST).output();
    assertTrue(seen.matches("dtn_secret_\\S+ dtn_secret_\\S+"), seen);

    var fewer = sandboxesWith(Map.of("gorkie.daytona.secrets", "GITHUB_TOKEN=our-github"));
    assertInstanceOf(Asleep.class, fewer.find(sandbox.id()));
    seen = fewer.start(sandbox.id(), soon()).execute(both, COMMAND_MOST).output();
    assertTrue(seen.matches("dtn_secret_\\S+ "), seen);
    assertInstanceOf(Running.class, fewer.find(sandbox.id()));
    assertEquals(
        "T1:C1:1.3", daytona.sandbox(sandbox.name()).path("labels").path("thread").asText());
  }

  private static final String ALL_RIGHTS =
      "{\"permissions\":[\"write:sandboxes\",\"delete:sandboxes\",\"write:snapshots\"]}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          api-key  | stolen         | Daytona refuses the key.
          api-url  | http://127.0.0.1:9/api | Nobody answers at http://127.0.0.1:9/api:
          snapshot | gorkie-none    | There is no snapshot of that name.
          secret   | of-nobody      | There is no secret of-nobody.
          secret   | of-another     | Secret of-another is not meant for model.example
          network  | github.com     | DAYTONA_NETWORK does not list model.example
          network  | none           | DAYTONA_NETWORK does not list model.example
          """)
  void whatever_stands_in_the_way_of_a_message_is_a_sentence(
      String setting, String value, String sentence) throws Exception {
    if (value.equals("of-another")) {
      daytona.createSecret(value, "sk-1", "other.example");
    }

    assertEquals(
        List.of(sentence),
        landlordsWorst(Map.of("gorkie.daytona." + setting, value)).stream()
            .map(said -> said.substring(0, Math.min(sentence.length(), said.length())))
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"permissions":["write:sandboxes"]} | The key lacks the right delete:sandboxes.
          {"permissions":["write:sandboxes","delete:sandboxes"],"suspended":true} | Organization the laptop's is suspended
          """)
  void an_account_that_can_do_nothing_is_told_by_what_it_lacks(String account, String sentence)
      throws Exception {
    daytona.setAccount(account);

    var worst = landlordsWorst(Map.of());

    daytona.setAccount(ALL_RIGHTS);
    assertTrue(worst.getFirst().startsWith(sentence), worst.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "model.example, true",
    "'github.com, *.example', true",
    "'github.com, *.other.example', false"
  })
  void a_list_of_what_may_be_reached_must_hold_the_model(String network, boolean isEnough)
      throws Exception {
    assertEquals(isEnough, landlordsWorst(Map.of("gorkie.daytona.network", network)).isEmpty());
  }

  @Test
  void what_cannot_be_seen_of_an_account_is_no_reason_against_it() throws Exception {
    for (var path : List.of("/api-keys/current$", "/organizations/")) {
      daytona.answer("GET", path, 2, 403, "");
    }

    assertEquals(List.of(), landlordsWorst(Map.of()));
  }

  private List<String> landlordsWorst(Map<String, String> other) throws InterruptedException {
    return new DaytonaLandlord(daytonaWith(other))
        .examine(Optional.empty(), "model.example").stream()
            .filter(finding -> finding.weight() == Finding.Weight.BAD)
            .map(Finding::sentence)
            .toList();
  }

  private void sleep(Sandbox sandbox) {
    sandboxes.stop(sandbox.id());
    Await.until(() -> daytona.state(sandbox.id().value()).equals("stopped"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"starting", "restoring"})
  void a_transition_without_end_is_given_up_at_the_deadline(String state) throws Exception {
    var sandbox = anySandbox();
    daytona.setState(sandbox.id().value(), state);

    assertEquals(SandboxFailure.TOO_SLOW, codeOf(() -> sandboxes.start(sandbox.id(), verySoon())));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_start_whose_answer_is_lost_is_looked_after(int effects) throws Exception {
    var sandbox = anySandbox();
    sandboxes.stop(sandbox.id());
    daytona.lose("POST", START, effects);

    var awake = sandboxes.start(sandbox.id(), soon());

    assertEquals(0, awake.execute("true", COMMAND_MOST).exitCode());
  }

  @Test
  void a_start_that_somebody_else_is_at_already_is_waited_for() throws Exception {
    var sandbox = anySandbox();
    sandboxes.stop(sandbox.id());
    daytona.answer("POST", START, 2, 409, "{\"message\":\"Sandbox state change in progress\"}");

    var awake = sandboxes.start(sandbox.id(), soon());

    assertEquals(0, awake.execute("true", COMMAND_MOST).exitCode());
  }

  @Test
  void there_may_be_no_room_to_start_a_machine() throws Exception {
    var sandbox = anySandbox();
    sandboxes.stop(sandbox.id());
    daytona.answer("POST", START, 1, 400, "{\"message\":\"Total memory limit exceeded.\"}");

    assertEquals(SandboxFailure.NO_ROOM, codeOf(() -> sandboxes.start(sandbox.id(), soon())));
  }

  @Test
  void a_machine_that_runs_but_is_mute_is_stopped_by_force_and_started() throws Exception {
    var sandbox = anySandbox();
    daytona.answer("GET", VERSION, ALWAYS, 502, "");

    var started = meanwhile(() -> sandboxes.start(sandbox.id(), soon()));
    Await.until(() -> !daytona.state(sandbox.id().value()).equals("started"));
    daytona.clear();

    assertEquals(0, started.join().execute("true", COMMAND_MOST).exitCode());
  }

  @Test
  void a_stop_while_something_else_happens_is_left_to_that() throws Exception {
    var sandbox = anySandbox();
    daytona.setState(sandbox.id().value(), "resizing");

    sandboxes.stop(sandbox.id());

    assertEquals("resizing", daytona.state(sandbox.id().value()));
  }

  @Test
  void a_machine_that_is_gone_need_not_be_stopped() throws Exception {
    var sandbox = anySandbox();
    daytona.delete(sandbox.id().value());

    sandboxes.stop(sandbox.id());

    assertInstanceOf(Gone.class, sandboxes.find(sandbox.id()));
  }

  @Test
  void keeping_awake_is_heard_of() throws Exception {
    var sandbox = anySandbox();
    var before = daytona.sandbox(sandbox.name()).path("lastActivityAt").asText();

    sandboxes.keepAwake(sandbox.id());

    Await.until(
        () -> !daytona.sandbox(sandbox.name()).path("lastActivityAt").asText().equals(before));
  }

  @Test
  void a_life_is_counted_from_when_it_was_extended() throws Exception {
    var sandbox = anySandbox();
    var before = daytona.sandbox(sandbox.name()).path("autoDestroyAt").asText();

    sandboxes.extendLife(sandbox.id());

    var after = daytona.sandbox(sandbox.name()).path("autoDestroyAt").asText();
    assertTrue(after.compareTo(before) > 0, before + " " + after);
  }

  @Test
  void an_installation_without_a_time_to_live_does_without() throws Exception {
    var sandbox = anySandbox();
    daytona.answer("POST", "/ttl/", 1, 404, "Cannot POST");

    sandboxes.extendLife(sandbox.id());

    assertInstanceOf(Running.class, sandboxes.find(sandbox.id()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          502 | ''
          400 | {"message":"bad request: no IP address found for sandbox. Is the Sandbox started?"}
          400 | {"error":"failed to get runner info: not found"}
          404 | {"message":"container not found"}
          """)
  void what_is_said_in_a_transition_is_not_believed_of_a_file(int status, String body)
      throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/file", "content");
    daytona.answer("GET", INFO, 1, status, body);

    assertTrue(sandbox.info(sandbox.workDirectory() + "/file").isPresent());
  }

  @Test
  void a_terminal_in_which_nothing_happens_is_not_taken_for_a_dead_one() throws Exception {
    var silence = Duration.ofSeconds(3);
    var sandbox = anySandbox();
    daytona.cutSilentTerminals(silence);

    try (var terminal = rawTerminal(sandbox, "sleep 5; exec cat")) {
      terminal.write("still here");

      assertEquals("still here", terminal.readText(10));
    }
  }

  @Test
  void a_machine_stopped_behind_our_back_has_not_lost_its_files() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/file", "content");
    var path = sandbox.workDirectory() + "/file";
    daytona.stop(sandbox.id().value());

    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> sandbox.info(path)));
    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> sandbox.download(path)));
    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> sandbox.execute("true", COMMAND_MOST)));
    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> sandbox.openTerminal(soon())));
    assertEquals(
        SandboxFailure.UNREACHABLE,
        codeOf(() -> sandbox.upload(path, new ByteArrayInputStream(new byte[1]))));
  }

  @Test
  void a_machine_deleted_behind_our_back_is_not_taken_for_one_without_the_file() throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/file";
    daytona.delete(sandbox.id().value());

    Await.until(() -> daytona.isGone(sandbox.id().value()));
    assertEquals(SandboxFailure.REFUSED, codeOf(() -> sandbox.info(path)));
  }

  @Test
  void a_command_whose_answer_is_lost_is_not_run_again() throws Exception {
    var sandbox = anySandbox();
    sandbox.workDirectory();
    daytona.lose("POST", EXECUTE, 1);

    var failure = codeOf(() -> sandbox.execute("echo x >> runs", COMMAND_MOST));

    assertEquals(SandboxFailure.UNREACHABLE, failure);
    assertEquals("x\n", download(sandbox, "/runs"));
  }

  @Test
  void a_command_that_a_gateway_answers_is_not_run_again() throws Exception {
    var sandbox = anySandbox();
    sandbox.workDirectory();
    daytona.doAndAnswer("POST", EXECUTE, 502);

    var failure = codeOf(() -> sandbox.execute("echo x >> runs", COMMAND_MOST));

    assertEquals(SandboxFailure.UNREACHABLE, failure);
    assertEquals("x\n", download(sandbox, "/runs"));
  }

  @Test
  void a_command_that_never_came_to_the_machine_is_run() throws Exception {
    var sandbox = anySandbox();
    sandbox.workDirectory();
    daytona.answer("POST", EXECUTE, 1, 400, "{\"message\":\"Is the Sandbox started?\"}");

    assertEquals("x\n", sandbox.execute("echo x", COMMAND_MOST).output());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_move_whose_answer_is_lost_is_done_once(int effects) throws Exception {
    var sandbox = anySandbox();
    daytona.lose("POST", MOVE, effects);

    upload(sandbox, "/file", "content");

    assertEquals("content", download(sandbox, "/file"));
    assertEquals(Optional.empty(), sandbox.info(sandbox.workDirectory() + "/other"));
  }

  @Test
  void a_move_that_a_proxy_asks_for_twice_is_done() throws Exception {
    var sandbox = anySandbox();
    daytona.doTwice("POST", MOVE);

    upload(sandbox, "/file", "content");

    assertEquals("content", download(sandbox, "/file"));
  }

  @Test
  void a_file_is_replaced_although_daytona_moves_nothing_onto_a_file() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/it's", "first");
    daytona.answer("POST", MOVE, 1, 409, "{\"message\":\"destination already exists\"}");

    upload(sandbox, "/it's", "second");

    assertEquals("second", download(sandbox, "/it's"));
  }

  @Test
  void a_file_moved_onto_itself_is_still_there() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/file", "content");
    var path = sandbox.workDirectory() + "/file";
    daytona.answer("POST", MOVE, 1, 409, "{\"message\":\"destination already exists\"}");

    assertEquals(SandboxFailure.REFUSED, codeOf(() -> sandbox.move(path, path)));

    assertEquals("content", download(sandbox, "/file"));
  }

  @Test
  void a_download_is_asked_for_again() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/file", "content");
    daytona.answer("GET", "/files/download$", 1, 502, "");
    daytona.lose("GET", "/files/download$", 0);

    assertEquals("content", download(sandbox, "/file"));
  }

  // “make transfer” tries a gigabyte.
  private static final int TRANSFER_MEGABYTES = Integer.getInteger("megabytes", 96);
  // Far below the file, and above what else comes and goes in this process, the local Daytona among
  // it.
  private static final long MORE_BYTES_MAX = 32L * 1024 * 1024;
  private static final int LOOKS = 4;

  @Test
  void a_file_takes_no_more_memory_the_longer_it_is() throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/long.bin";
    upload(sandbox, "/short.bin", "the way is warm");
    var before = bytesInUse();
    var up = new Watched(new RandomBytes(TRANSFER_MEGABYTES * 1024L * 1024));
    var began = System.nanoTime();

    sandbox.upload(path, up);
    var between = System.nanoTime();
    Watched down;
    try (var back = sandbox.download(path)) {
      down = new Watched(back);
      down.transferTo(OutputStream.nullOutputStream());
    }

    System.out.printf(
        "%d MB: up in %d ms, %d KB more in use at most; down in %d ms, %d KB more%n",
        TRANSFER_MEGABYTES,
        Duration.ofNanos(between - began).toMillis(),
        (up.mostInUse - before) / 1024,
        Duration.ofNanos(System.nanoTime() - between).toMillis(),
        (down.mostInUse - before) / 1024);
    assertEquals(TRANSFER_MEGABYTES * 1024L * 1024, down.passed);
    assertTrue(up.mostInUse - before < MORE_BYTES_MAX);
    assertTrue(down.mostInUse - before < MORE_BYTES_MAX);
  }

  private static long bytesInUse() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /// Looks some times on the way what is in use, garbage not counted.
  private static final class Watched extends FilterInputStream {

    private static final long BETWEEN_LOOKS = TRANSFER_MEGABYTES * 1024L * 1024 / LOOKS - 1;

    private long passed;
    private long mostInUse;

    private Watched(InputStream content) {
      super(content);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      var read = super.read(into, from, length);
      if (read > 0) {
        if (passed / BETWEEN_LOOKS < (passed + read) / BETWEEN_LOOKS) {
          mostInUse = Math.max(mostInUse, bytesInUse());
        }
        passed += read;
      }
      return read;
    }
  }

  @Test
  void a_terminal_that_a_proxy_asks_for_twice_is_one() throws Exception {
    daytona.doTwice("POST", NEW_TERMINAL);

    assertTerminalWorks(anySandbox());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_terminal_whose_creation_is_not_answered_works(int effects) throws Exception {
    daytona.lose("POST", NEW_TERMINAL, effects);

    assertTerminalWorks(anySandbox());
  }

  @Test
  void a_terminal_is_connected_to_again_when_a_gateway_answers() throws Exception {
    daytona.answer("GET", CONNECT, 1, 502, "");

    assertTerminalWorks(anySandbox());
  }

  @Test
  void who_reads_a_terminal_too_slowly_hears_that_he_was_sent_away() throws Exception {
    // Nobody answers a ping who doesn't read.
    var sandbox =
        sandboxesWith(Map.of("gorkie.daytona.ping-every", "30S"))
            .create(anyName(), Map.of(), soon());
    var spoken = sandbox.workDirectory() + "/spoken";
    // More than both ends and a kernel between them hold for a connection.
    try (var terminal =
        rawTerminal(sandbox, "head -c 100000000 /dev/zero; touch spoken; exec cat")) {
      Await.until(() -> sandbox.info(spoken).isPresent());

      var why = terminal.awaitEnd();

      assertTrue(why.contains("1008"), why);
    }
    assertTerminalWorks(sandbox);
  }

  @Test
  void a_terminal_that_can_t_be_had_is_a_failure() throws Exception {
    var sandbox = anySandbox();
    daytona.refuseTerminals();

    assertEquals(SandboxFailure.UNREACHABLE, codeOf(() -> sandbox.openTerminal(soon())));
  }

  private static void assertTerminalWorks(Sandbox sandbox) throws Exception {
    try (var terminal = rawTerminal(sandbox, "exec cat")) {
      terminal.write("here");
      assertEquals("here", terminal.readText(4));
    }
  }

  /// The same Daytona, asked by somebody with other settings.
  private Sandboxes sandboxesWith(Map<String, String> other) {
    return new DaytonaSandboxes(daytonaWith(other));
  }

  private Daytona daytonaWith(Map<String, String> other) {
    var settings =
        new SmallRyeConfigBuilder()
            .withMapping(DaytonaSettings.class)
            .addDiscoveredConverters()
            .withDefaultValues(
                Map.of(
                    "gorkie.daytona.api-url",
                    daytona.api().toString(),
                    "gorkie.daytona.api-key",
                    LocalDaytonaResource.API_KEY,
                    "gorkie.daytona.snapshot",
                    LocalDaytonaResource.SNAPSHOT,
                    "gorkie.daytona.poll-first",
                    "0.01S"))
            .withDefaultValues(other)
            .build()
            .getConfigMapping(DaytonaSettings.class);
    return new Daytona(settings, Logbook.ofNobody());
  }

  private static Deadline verySoon() {
    return Deadline.in(Duration.ofMillis(300));
  }
}
