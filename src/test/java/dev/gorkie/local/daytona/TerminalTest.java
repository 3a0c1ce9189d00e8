package dev.gorkie.local.daytona;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.web.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalTest {

  private static final int FRAME_BYTES = 32 * 1024;

  private World world;
  private Client client;
  private String sandbox;
  private Path work;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    world = World.in(directory);
    client = world.client();
    sandbox = client.createReady("a");
    work = world.daytona().sandbox(sandbox).orElseThrow().work();
  }

  @AfterAll
  void stop() {
    world.close();
  }

  @Test
  void a_terminal_is_a_login_shell_with_its_noise() throws Exception {
    var created =
        client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"noise\",\"lazyStart\":true}");
    var terminal = client.attach(sandbox, "noise");

    assertEquals(201, created.status());
    assertEquals("noise", created.json().path("sessionId").asText());
    terminal.awaitOutput("Welcome.");
    terminal.awaitOutput("\u001b[?2004h");
    terminal.awaitControl("connected");
    terminal.type("tty; shopt login_shell; stty size\n");
    terminal.awaitOutput("/dev/");
    terminal.awaitOutput("login_shell");
    terminal.awaitOutput("24 80");
    client.toolbox(sandbox, "POST", "/process/pty/noise/resize", "{\"cols\":100,\"rows\":30}");
    terminal.type("stty size\n");
    terminal.awaitOutput("30 100");
  }

  @Test
  void what_is_written_while_nobody_is_connected_is_lost() throws Exception {
    client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"lost\"}");
    var first = client.attach(sandbox, "lost");
    // So much noise follows what is lost that it cannot have been written before that was read.
    first.type(
        """
        stty raw -echo; echo 'be''gun'; until [ -e go ]; do read -t 0.01; done; echo 'lo''st'; \
        head -c 1000000 /dev/zero | tr '\\0' -; touch written; \
        until [ -e on ]; do read -t 0.01; done; echo 'ke''pt'
        """);
    first.awaitOutput("begun");
    first.disconnect();

    Files.createFile(work.resolve("go"));
    Client.await(() -> Files.exists(work.resolve("written")));
    var second = client.attach(sandbox, "lost");
    second.awaitControl("connected");
    Files.createFile(work.resolve("on"));
    second.awaitOutput("kept");

    assertFalse(second.output().contains("lost"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void in_line_mode_a_long_line_is_cut_without_a_word() throws Exception {
    client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"line\"}");
    var terminal = client.attach(sandbox, "line");

    terminal.type("stty -echo; echo 'rea''dy'; IFS= read -r line; echo \"length=${#line}.\"\n");
    terminal.awaitOutput("ready");
    terminal.type("a".repeat(5_000) + "\n");

    terminal.awaitOutput("length=4095.");
  }

  @Test
  void in_raw_mode_everything_goes_through_both_ways() throws Exception {
    var terminal = client.rawTerminal(sandbox);
    // What a terminal in line mode would take for signals, erasures and ends.
    var sent =
        "#\u0003\u0004\u0011\u0013\u0015\u001a\u001c\u007f\u2028😀"
            .repeat(60_000)
            .getBytes(StandardCharsets.UTF_8);

    terminal.type("echo 'be''gun'; head -c " + sent.length + " > raw; echo 'sto''red'\n");
    terminal.awaitOutput("begun");
    for (var from = 0; from < sent.length; from += FRAME_BYTES) {
      terminal.type(Arrays.copyOfRange(sent, from, Math.min(sent.length, from + FRAME_BYTES)));
    }
    terminal.awaitOutput("stored\n");

    assertArrayEquals(sent, Files.readAllBytes(work.resolve("raw")));
    // A piece for each line that is typed: whoever is brought more than he can read is sent away.
    terminal.type(
        "while read -r; do dd bs=" + FRAME_BYTES + " count=1 <&3 2>/dev/null; done 3<raw\n");
    var before = terminal.outputBytes();
    for (var from = 0; from < sent.length; from += FRAME_BYTES) {
      terminal.type("\n");
      terminal.awaitOutputBytes(before + Math.min(sent.length, from + FRAME_BYTES));
    }
    assertTrue(terminal.output().contains(new String(sent, StandardCharsets.UTF_8)));
    assertTrue(terminal.frames().stream().allMatch(bytes -> bytes <= 4_095));
  }

  @Test
  void everybody_connected_gets_the_same_and_may_type() throws Exception {
    client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"shared\"}");
    var one = client.attach(sandbox, "shared");
    var other = client.attach(sandbox, "shared");
    other.awaitControl("connected");
    one.awaitControl("connected");

    one.type("echo from-'one'\n");
    other.type("echo from-'other'\n");

    one.awaitOutput("from-one");
    one.awaitOutput("from-other");
    other.awaitOutput("from-one");
    other.awaitOutput("from-other");
  }

  @Test
  void who_reads_too_slowly_is_sent_away() throws Exception {
    var terminal = client.rawTerminal(sandbox);
    terminal.stopReading();

    // More than a kernel holds for a connection: 32 MiB of the reader's and 4 of the writer's.
    terminal.type("head -c 80000000 /dev/zero | tr '\\0' -; touch spoken\n");
    Client.await(() -> Files.exists(work.resolve("spoken")));
    terminal.goOnReading();

    assertEquals(new Attached.End(1008, "slow consumer"), terminal.awaitEnd());
  }

  @Test
  void a_message_over_64_kib_is_too_much() throws Exception {
    var terminal = client.rawTerminal(sandbox);

    terminal.type(new byte[64 * 1024 + 1]);

    assertEquals(1009, terminal.awaitEnd().code());
  }

  @Test
  void the_exit_code_comes_as_the_reason_of_the_end() throws Exception {
    var well = client.rawTerminal(sandbox);
    well.type("exit\n");
    assertEquals(new Attached.End(1000, ""), well.awaitEnd());

    var badly = client.rawTerminal(sandbox);
    badly.type("exit 127\n");
    assertEquals(
        new Attached.End(1011, "{\"exitCode\":127,\"exitReason\":\"non-zero exit\"}"),
        badly.awaitEnd());

    var killed = client.rawTerminal(sandbox);
    killed.type("kill -KILL $$\n");
    assertEquals(
        new Attached.End(1011, "{\"exitCode\":137,\"exitReason\":\"SIGKILL\"}"), killed.awaitEnd());
  }

  @Test
  void a_terminal_that_is_not_there_says_so_after_the_upgrade() throws Exception {
    var nothing = client.attach(sandbox, "nothing");

    assertEquals(1006, nothing.awaitEnd().code());
    var said = Json.read(nothing.control().getFirst().getBytes(StandardCharsets.UTF_8));
    assertEquals("error", said.path("status").asText());
  }

  @Test
  void an_id_is_taken_while_its_shell_runs_and_environments_are_no_secret() throws Exception {
    var wish = "{\"id\":\"once\",\"envs\":{\"KEY\":\"value\"}}";
    client.toolbox(sandbox, "POST", "/process/pty", wish);

    var again = client.toolbox(sandbox, "POST", "/process/pty", wish);
    var shown = client.toolbox(sandbox, "GET", "/process/pty/once").json();

    assertEquals(409, again.status());
    assertEquals("value", shown.path("envs").path("KEY").asText());
    assertTrue(shown.path("active").asBoolean());
    assertTrue(client.toolbox(sandbox, "GET", "/process/pty").text().contains("once"));
    client.attach(sandbox, "once").type("exit\n");
    Client.await(() -> client.toolbox(sandbox, "GET", "/process/pty/once").status() == 404);
    assertEquals(
        410,
        client
            .toolbox(sandbox, "POST", "/process/pty/once/resize", "{\"cols\":9,\"rows\":9}")
            .status());
  }

  @Test
  void a_delete_kills_the_tree_and_not_what_has_left_it() throws Exception {
    client.toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"tree\"}");
    var terminal = client.attach(sandbox, "tree");
    terminal.type(
        "sleep 1001 & echo $! > child; (perl -MPOSIX -e 'setsid; exec @ARGV' sleep 1002 <&- >&- 2>&- &"
            + " echo $! > left); touch begun\n");
    Client.await(() -> Files.exists(work.resolve("begun")));

    assertEquals(200, client.toolbox(sandbox, "DELETE", "/process/pty/tree").status());

    assertEquals(1011, terminal.awaitEnd().code());
    Client.await(() -> !runs("child"));
    assertTrue(runs("left"));
  }

  private boolean runs(String file) throws Exception {
    var pid = Long.parseLong(Files.readString(work.resolve(file)).strip());
    return ProcessHandle.of(pid).filter(SandboxProcesses::runs).isPresent();
  }
}
