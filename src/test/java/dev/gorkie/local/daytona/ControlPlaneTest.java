package dev.gorkie.local.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path directory;

  @Test
  void a_name_is_taken_until_its_sandbox_is_deleted() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      var first = client.createReady("gorkie-C1-1700000000.123456");

      var second = client.api("POST", "/sandbox", "{\"name\":\"gorkie-C1-1700000000.123456\"}");

      assertEquals(409, second.status());
      assertEquals(
          "Sandbox with name gorkie-C1-1700000000.123456 already exists", second.message());

      assertEquals(200, client.api("DELETE", "/sandbox/" + first).status());
      var third = client.createReady("gorkie-C1-1700000000.123456");

      assertNotEquals(first, third);
      Client.await(() -> client.api("GET", "/sandbox/" + first).status() == 404);
    }
  }

  @Test
  void what_a_create_answers_is_older_than_the_sandbox() throws Exception {
    try (var world = World.in(directory)) {
      var created = world.client().api("POST", "/sandbox", "{\"name\":\"a\",\"nobody\":1}");

      assertEquals(200, created.status());
      assertEquals("creating", created.json().path("state").asText());
      assertEquals("started", world.client().state("a"));
    }
  }

  @Test
  void create_answers_before_a_slow_sandbox_is_up() throws Exception {
    var slow =
        Delays.usual().dividedBy(10).with(Delay.CREATE, LONG).with(Delay.CALL_MAX, Duration.ZERO);
    try (var world = World.in(directory, settings -> settings.withDelays(slow))) {
      var created = world.client().api("POST", "/sandbox", "{\"name\":\"a\"}");

      assertEquals(200, created.status());
      assertEquals("creating", world.client().state("a"));
      assertEquals(409, world.client().api("POST", "/sandbox/a/start").status());
      assertEquals(409, world.client().api("DELETE", "/sandbox/a").status());
    }
  }

  @Test
  void what_cannot_be_is_refused() throws Exception {
    try (var world = World.in(directory, settings -> settings.withDiskGiB(3))) {
      var client = world.client();

      assertEquals(
          400, client.api("POST", "/sandbox", "{\"snapshot\":\"gorkie\",\"cpu\":1}").status());
      assertEquals(400, client.api("POST", "/sandbox", "{\"autoStopInterval\":-1}").status());
      assertEquals(400, client.api("POST", "/sandbox", "{\"name\":\"<b>\"}").status());
      assertEquals(400, client.api("POST", "/sandbox", "{\"snapshot\":\"none\"}").status());
      client.createReady("a");
      var second = client.api("POST", "/sandbox", "{}");

      assertEquals(400, second.status());
      assertTrue(second.message().startsWith("Total disk limit exceeded"), second.message());
    }
  }

  @Test
  void an_error_says_what_where_and_when() throws Exception {
    try (var world = World.in(directory)) {
      var error = world.client().api("GET", "/sandbox/none").json();

      assertEquals(404, error.path("statusCode").asInt());
      assertEquals("Not Found", error.path("error").asText());
      assertEquals("Sandbox with ID or name none not found", error.path("message").asText());
      assertEquals("/api/sandbox/none", error.path("path").asText());
      assertFalse(error.path("timestamp").asText().isEmpty());
    }
  }

  @Test
  void nobody_without_the_key_gets_anything() throws Exception {
    try (var world = World.in(directory);
        var http = HttpClient.newHttpClient()) {
      var id = world.client().createReady("a");
      for (var path :
          List.of("/api/sandbox/a", "/toolbox/" + id + "/version", "/_local/sandboxes")) {
        var request = HttpRequest.newBuilder(world.daytona().url().resolve(path));
        var wrong = request.header("Authorization", "Bearer other").build();

        assertEquals(401, http.send(wrong, BodyHandlers.discarding()).statusCode());
      }
      var open = HttpRequest.newBuilder(URI.create(world.daytona().url() + "/config")).build();

      assertEquals(200, http.send(open, BodyHandlers.discarding()).statusCode());
    }
  }

  @Test
  void an_inactive_snapshot_has_to_be_activated_first() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      world.daytona().setSnapshotState("gorkie", "inactive");

      var refused = client.api("POST", "/sandbox", "{\"name\":\"a\"}");
      var activated = client.api("POST", "/snapshots/gorkie/activate");

      assertEquals(400, refused.status());
      assertEquals("Snapshot gorkie is inactive", refused.message());
      assertEquals("pending", activated.json().path("state").asText());
      Client.await(() -> client.api("POST", "/sandbox", "{\"name\":\"a\"}").status() == 200);
    }
  }

  @Test
  void a_stop_ends_processes_that_left_everything_behind_and_keeps_files() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      var id = client.createReady("a");
      client.execute(
          id, "echo kept > file; (perl -MPOSIX -e 'setsid; exec @ARGV' sleep 1000 <&- >&- 2>&- &)");
      // The shell that was given this line names it too, so the program itself is waited for.
      Client.await(() -> program(world, id, "sleep").isPresent());
      var sleeper = program(world, id, "sleep").orElseThrow();

      var stopping = client.api("POST", "/sandbox/a/stop");

      assertEquals("stopping", stopping.json().path("state").asText());
      assertEquals("stopped", stopping.json().path("desiredState").asText());
      client.awaitState("a", "stopped");
      assertFalse(SandboxProcesses.runs(sleeper));
      assertEquals(200, client.api("POST", "/sandbox/a/start").status());
      client.awaitReady(id);
      assertEquals("kept\n", client.execute(id, "cat file").json().path("result").asText());
    }
  }

  private static Optional<ProcessHandle> program(World world, String id, String name) {
    return world.daytona().sandbox(id).orElseThrow().processes().stream()
        .filter(process -> process.info().command().orElse("").endsWith("/" + name))
        .findFirst();
  }

  @Test
  void a_transition_is_not_to_be_raced_but_archiving_may_be_cancelled() throws Exception {
    var slow = Delays.usual().dividedBy(10).with(Delay.STOP, LONG).with(Delay.ARCHIVE, LONG);
    try (var world = World.in(directory, settings -> settings.withDelays(slow))) {
      var client = world.client();
      var id = client.createReady("a");

      assertEquals(400, client.api("POST", "/sandbox/a/archive").status());
      assertEquals(200, client.api("POST", "/sandbox/a/stop").status());
      assertEquals(409, client.api("POST", "/sandbox/a/start").status());
      assertEquals(409, client.api("POST", "/sandbox/a/stop").status());
      assertEquals(409, client.api("DELETE", "/sandbox/a").status());

      world.daytona().setState(id, State.STOPPED);
      assertEquals(
          "archiving", client.api("POST", "/sandbox/a/archive").json().path("state").asText());
      assertEquals("started", client.api("POST", "/sandbox/a/start").json().path("state").asText());
    }
  }

  @Test
  void an_archived_sandbox_is_restored_after_the_answer() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      var id = client.createReady("a");
      client.execute(id, "echo kept > file");
      client.api("POST", "/sandbox/a/stop");
      client.awaitState("a", "stopped");
      client.api("POST", "/sandbox/a/archive");
      client.awaitState("a", "archived");

      var started = client.api("POST", "/sandbox/a/start");

      assertEquals("restoring", started.json().path("state").asText());
      client.awaitReady(id);
      assertEquals("kept\n", client.execute(id, "cat file").json().path("result").asText());
    }
  }

  @Test
  void a_broken_sandbox_can_be_recovered_only_where_that_is_said() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      client.createReady("a");

      world.daytona().fail("a", "disk full", false);
      assertEquals(
          "disk full", client.api("GET", "/sandbox/a").json().path("errorReason").asText());
      assertEquals(400, client.api("POST", "/sandbox/a/start").status());
      assertEquals(400, client.api("POST", "/sandbox/a/recover").status());

      world.daytona().fail("a", "runner lost", true);
      assertEquals(200, client.api("POST", "/sandbox/a/recover").status());
      client.awaitState("a", "started");
    }
  }

  @Test
  void a_listing_is_late_and_finds_by_label() throws Exception {
    var late = Delays.usual().dividedBy(10).with(Delay.LIST_LAG, LONG);
    var labels =
        "/sandbox?labels=" + URLEncoder.encode("{\"app\":\"gorkie\"}", StandardCharsets.UTF_8);
    try (var world = World.in(directory, settings -> settings.withDelays(late))) {
      world.client().api("POST", "/sandbox", "{\"name\":\"a\",\"labels\":{\"app\":\"gorkie\"}}");

      assertEquals(0, world.client().api("GET", labels).json().path("items").size());
    }
    try (var world = World.in(directory)) {
      var client = world.client();
      client.api(
          "POST", "/sandbox", "{\"name\":\"b\",\"labels\":{\"app\":\"gorkie\",\"x\":\"y\"}}");
      client.api("POST", "/sandbox", "{\"name\":\"c\",\"labels\":{\"app\":\"other\"}}");

      Client.await(() -> client.api("GET", labels + "&name=B").json().path("items").size() == 1);
      Client.await(() -> client.api("GET", labels).json().path("items").size() == 2);
      var first = client.api("GET", labels + "&limit=1").json();
      var second =
          client.api("GET", labels + "&limit=1&cursor=" + first.path("nextCursor").asText()).json();
      assertNotEquals(
          first.path("items").get(0).path("id"), second.path("items").get(0).path("id"));
      assertTrue(second.path("nextCursor").isNull());
    }
  }

  @Test
  void timers_go_by_what_was_used_and_not_by_what_runs() throws Exception {
    var quick =
        Delays.usual()
            .dividedBy(10)
            .with(Delay.MINUTE, Duration.ofMillis(300))
            .with(Delay.TIMERS, Duration.ofMillis(20));
    try (var world = World.in(directory, settings -> settings.withDelays(quick))) {
      var client = world.client();
      var id = client.createReady("a");
      client.execute(id, "sleep 1000 <&- >&- 2>&- &");

      client.api("POST", "/sandbox/a/autostop/1");
      client.awaitState("a", "stopped");
      client.api("POST", "/sandbox/a/autoarchive/1");
      client.awaitState("a", "archived");
      client.api("POST", "/sandbox/a/autodelete/1");
      client.api("POST", "/sandbox/a/ttl/1");

      Client.await(() -> client.api("GET", "/sandbox/" + id).status() == 404);
    }
  }

  @Test
  void an_ephemeral_sandbox_is_gone_when_it_stops() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      var id = client.createReady("a");
      client.api("POST", "/sandbox/a/autodelete/0");

      client.api("POST", "/sandbox/a/stop");

      Client.await(() -> client.api("GET", "/sandbox/" + id).status() == 404);
      Client.await(() -> Files.notExists(directory.resolve("sandboxes").resolve(id)));
    }
  }

  @Test
  void a_stuck_transition_becomes_an_error() throws Exception {
    var quick =
        Delays.usual()
            .dividedBy(10)
            .with(Delay.MINUTE, Duration.ofMillis(10))
            .with(Delay.TIMERS, Duration.ofMillis(10));
    try (var world = World.in(directory, settings -> settings.withDelays(quick))) {
      world.client().api("POST", "/sandbox", "{\"name\":\"a\",\"autoStopInterval\":0}");

      world.daytona().setState("a", State.STARTING);

      world.client().awaitState("a", "error");
    }
  }

  @Test
  void activity_is_told_by_id_only() throws Exception {
    try (var world = World.in(directory)) {
      var id = world.client().createReady("a");

      assertEquals(201, world.client().api("POST", "/sandbox/" + id + "/last-activity").status());
      assertEquals(404, world.client().api("POST", "/sandbox/a/last-activity").status());
    }
  }

  @Test
  void answers_change_their_looks() throws Exception {
    try (var world = World.in(directory)) {
      world.client().createReady("a");

      var one = world.client().api("GET", "/sandbox/a");
      var other = world.client().api("GET", "/sandbox/a");

      var texts = one.text() + other.text();
      assertTrue(texts.contains("\"cpu\":1.0,"), texts);
      assertTrue(texts.contains("\"cpu\":1,"), texts);
      assertTrue(texts.contains("sinceRelease"), texts);
    }
  }

  @Test
  void labels_are_replaced_and_archiving_has_a_longest_interval() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      client.api("POST", "/sandbox", "{\"name\":\"a\",\"labels\":{\"x\":\"y\"}}");

      client.api("PUT", "/sandbox/a/labels", "{\"labels\":{\"app\":\"gorkie\"}}");
      var changed = client.api("POST", "/sandbox/a/autoarchive/0").json();

      assertEquals(Json.object().put("app", "gorkie"), changed.path("labels"));
      assertEquals(43_200, changed.path("autoArchiveInterval").asInt());
    }
  }

  @Test
  void a_new_life_finds_its_sandboxes_stopped() throws Exception {
    String id;
    List<ProcessHandle> processes;
    try (var world = World.in(directory)) {
      id = world.client().createReady("a");
      world.client().execute(id, "echo kept > file; sleep 1000 <&- >&- 2>&- &");
      processes = world.daytona().sandbox(id).orElseThrow().processes();
    }
    assertEquals(1, processes.size());
    assertTrue(processes.stream().noneMatch(SandboxProcesses::runs));

    try (var world = World.in(directory)) {
      var client = world.client();

      assertEquals("stopped", client.state("a"));
      client.api("POST", "/sandbox/a/start");
      client.awaitReady(id);
      assertEquals("kept\n", client.execute(id, "cat file").json().path("result").asText());
    }
  }

  @Test
  void one_directory_has_one_daytona() throws Exception {
    try (var world = World.in(directory)) {
      world.client().createReady("a");

      assertThrows(IOException.class, () -> World.in(directory));
    }
    World.in(directory).close();
  }

  @Test
  void what_runs_in_a_sandbox_inherits_nothing_from_here() throws Exception {
    try (var world = World.in(directory)) {
      var client = world.client();
      client.api("POST", "/sandbox", "{\"name\":\"a\",\"env\":{\"OWN\":\"1\"}}");
      var id = client.api("GET", "/sandbox/a").json().path("id").asText();
      client.awaitReady(id);

      var wish = Json.object().put("command", "env | cut -d= -f1 | sort | tr '\\n' ' '");
      wish.set("envs", Json.object().put("MORE", "2"));
      var names = client.toolbox(id, "POST", "/process/execute", wish.toString());

      assertEquals(
          "DAYTONA_SANDBOX_ID GORKIE HOME LANG LOGNAME MORE OWN PATH PWD SHELL SHLVL TMPDIR USER _ ",
          names.json().path("result").asText());
    }
  }
}
