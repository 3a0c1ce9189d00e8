package dev.gorkie.local.daytona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsTest {

  @TempDir Path directory;
  private World world;
  private Client client;
  private String sandbox;

  @BeforeEach
  void start() throws Exception {
    world = World.in(directory);
    client = world.client();
    sandbox = client.createReady("a");
  }

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_terminals_connection_can_be_cut_while_its_shell_goes_on() throws Exception {
    client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"t\"}");
    var first = client.attach(sandbox, "t");
    first.awaitControl("connected");

    world.daytona().cutTerminals();

    assertEquals(1006, first.awaitEnd().code());
    var second = client.attach(sandbox, "t");
    second.type("echo still-'here'\n");
    second.awaitOutput("still-here");
  }

  @Test
  void a_silent_terminals_connection_is_cut() throws Exception {
    client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"silent\"}");

    world.daytona().faults().cutSilentTerminalsAfter(Duration.ofMillis(200));

    assertEquals(1006, client.attach(sandbox, "silent").awaitEnd().code());
  }

  @Test
  void a_terminals_connection_can_be_cut_at_a_byte() throws Exception {
    var terminal = client.rawTerminal(sandbox);
    var shown = terminal.output().length();

    world.daytona().faults().cutTerminalsAfter(10_000);
    terminal.type("head -c 50000 /dev/zero | tr '\\0' -\n");

    assertEquals(1006, terminal.awaitEnd().code());
    assertEquals(10_000, terminal.output().length() - shown);
    assertTrue(world.daytona().counts().terminalBytes() >= terminal.output().length());
  }

  @Test
  void terminals_can_be_refused() throws Exception {
    world.daytona().faults().refuseTerminals(true);
    var refused = client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"t\"}");
    world.daytona().faults().clear();
    var granted = client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"t\"}");

    assertEquals(500, refused.status());
    assertEquals(201, granted.status());
    assertEquals(1, world.daytona().counts().terminalsOpened());
  }

  @Test
  void an_answer_can_be_replaced_as_often_as_wanted() throws Exception {
    world
        .daytona()
        .faults()
        .add(
            Trouble.on("POST", "/sandbox$")
                .times(2)
                .answering(429, Map.of("Retry-After-sandbox-create", "1"), "<html>"));
    var create =
        HttpRequest.newBuilder(world.daytona().url().resolve("/api/sandbox"))
            .POST(HttpRequest.BodyPublishers.ofString("{}"));

    var first = client.send(create, BodyHandlers.ofString());

    assertEquals(429, first.statusCode());
    assertEquals("1", first.headers().firstValue("Retry-After-sandbox-create").orElse(""));
    assertEquals(429, client.api("POST", "/sandbox", "{}").status());
    assertEquals(200, client.api("POST", "/sandbox", "{}").status());
    assertEquals(2, world.daytona().counts().sandboxesCreated());
  }

  @Test
  void an_answer_can_be_lost_after_its_effect() throws Exception {
    world.daytona().faults().add(Trouble.on("POST", "/sandbox$").dropping().withEffect());

    assertThrows(IOException.class, () -> client.api("POST", "/sandbox", "{\"name\":\"adopted\"}"));

    assertEquals(409, client.api("POST", "/sandbox", "{\"name\":\"adopted\"}").status());
    assertEquals("started", client.state("adopted"));
  }

  @Test
  void a_call_can_come_twice() throws Exception {
    world.daytona().faults().add(Trouble.on("POST", "/process/execute").twice());

    client.execute(sandbox, "echo once >> twice");

    assertEquals(
        "once\nonce\n", client.execute(sandbox, "cat twice").json().path("result").asText());
  }

  @Test
  void all_that_can_be_asked_for_from_outside_too() throws Exception {
    local("/_local/troubles", "{\"path\":\"/version\",\"status\":502,\"times\":1}");
    local("/_local/terminals/refuse", "{}");

    assertEquals(502, client.toolbox(sandbox, "GET", "/version").status());
    assertEquals(500, client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"t\"}").status());

    local("/_local/clear", "{}");
    var terminal = client.rawTerminal(sandbox);
    local("/_local/terminals/cut", "{}");
    assertEquals(1006, terminal.awaitEnd().code());

    local("/_local/sandboxes/a/state", "{\"state\":\"error\",\"recoverable\":true}");
    local("/_local/snapshots/gorkie/state", "{\"state\":\"inactive\"}");
    assertEquals("error", client.state("a"));
    assertEquals(400, client.api("POST", "/sandbox", "{}").status());

    var seen = client.local("GET", "/_local/sandboxes", "").json().path("sandboxes").get(0);
    assertEquals("a", seen.path("name").asText());
    assertEquals("error", seen.path("state").asText());
    assertEquals(0, seen.path("processes").size());
    assertEquals(
        1, client.local("GET", "/_local/counts", "").json().path("terminalsOpened").asInt());
  }

  private void local(String path, String body) throws Exception {
    assertEquals(204, client.local("POST", path, body).status());
  }
}
