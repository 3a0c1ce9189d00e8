package dev.gorkie.sandbox;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.FailureCode;
import dev.gorkie.sandbox.Found.Asleep;
import dev.gorkie.sandbox.Found.Gone;
import dev.gorkie.sandbox.Found.Running;
import dev.gorkie.sandbox.Sandbox.FileInfo;
import dev.gorkie.sandbox.Sandboxes.Listed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What everybody who rents out machines must do for us. The ones who extend it say how to reach them, and what others do there.
public abstract class SandboxesContract {

  // Somebody else's machines are slower, above all to come back from the archive.
  private static final int PATIENCE_SECONDS = Integer.getInteger("patience", 30);
  private static final Duration COMMAND_MOST = Duration.ofSeconds(20);
  private static final int LARGE_FILE_BYTES = 40 * 1024 * 1024;

  // A process whose parent does not ask for its end is still listed, as a zombie.
  private static final String UNTIL_ENDED =
      "for i in $(seq 200); do ps -o stat= -p $(cat %s) | grep -qv Z || exit 0; sleep 0.02; done;"
          + " exit 1";

  protected abstract Sandboxes sandboxes();

  /// Somebody else, or a timer, changes the machine. It may be in transition when this returns.
  protected abstract void somebodyStops(SandboxId id);

  protected abstract void somebodyArchives(SandboxId id);

  protected abstract void somebodyDeletes(SandboxId id);

  /// All open connections to terminals break without a word.
  protected abstract void connectionsBreak();

  protected static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(PATIENCE_SECONDS));
  }

  protected static String anyName() {
    return "gorkie-" + UUID.randomUUID();
  }

  protected final Sandbox anySandbox() throws InterruptedException {
    return sandboxes().create(anyName(), Map.of("app", "gorkie"), soon());
  }

  @Test
  void a_created_machine_runs_and_knows_its_places() throws Exception {
    var name = anyName();

    var sandbox = sandboxes().create(name, Map.of("app", "gorkie"), soon());

    assertEquals(name, sandbox.name());
    assertTrue(sandbox.homeDirectory().startsWith("/"), sandbox.homeDirectory());
    assertTrue(sandbox.workDirectory().startsWith("/"), sandbox.workDirectory());
    assertInstanceOf(Running.class, sandboxes().find(sandbox.id()));
  }

  @Test
  void a_name_that_is_taken_gives_the_machine_that_has_it() throws Exception {
    var name = anyName();

    var first = sandboxes().create(name, Map.of(), soon());
    var second = sandboxes().create(name, Map.of(), soon());

    assertEquals(first.id(), second.id());
  }

  @Test
  void two_who_create_at_once_get_one_machine() throws Exception {
    var name = anyName();

    var first = meanwhile(() -> sandboxes().create(name, Map.of(), soon()));
    var second = sandboxes().create(name, Map.of(), soon());

    assertEquals(first.join().id(), second.id());
  }

  @Test
  void a_machine_put_to_sleep_wakes_up_with_its_files() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/kept.txt", "still here");

    sandboxes().stop(sandbox.id());
    assertInstanceOf(Asleep.class, sandboxes().find(sandbox.id()));
    var awake = sandboxes().start(sandbox.id(), soon());

    assertEquals(sandbox.id(), awake.id());
    assertEquals("still here", download(awake, "/kept.txt"));
  }

  @Test
  void an_archived_machine_wakes_up_with_its_files() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/kept.txt", "still here");

    somebodyArchives(sandbox.id());
    assertInstanceOf(Asleep.class, sandboxes().find(sandbox.id()));
    var awake = sandboxes().start(sandbox.id(), soon());

    assertEquals("still here", download(awake, "/kept.txt"));
  }

  @Test
  void a_machine_that_is_just_going_to_sleep_is_waited_for_and_started() throws Exception {
    var sandbox = anySandbox();

    somebodyStops(sandbox.id());
    var awake = sandboxes().start(sandbox.id(), soon());

    assertEquals(0, awake.execute("true", COMMAND_MOST).exitCode());
  }

  @Test
  void a_sleeping_machine_is_adopted_by_its_name_and_woken() throws Exception {
    var sandbox = anySandbox();
    sandboxes().stop(sandbox.id());

    var adopted = sandboxes().create(sandbox.name(), Map.of(), soon());

    assertEquals(sandbox.id(), adopted.id());
    assertEquals(0, adopted.execute("true", COMMAND_MOST).exitCode());
  }

  @Test
  void nothing_happens_to_a_machine_that_runs_when_it_is_started() throws Exception {
    var sandbox = anySandbox();
    sandbox.execute("setsid sleep 60 </dev/null >/dev/null 2>&1 & echo $! > pid", COMMAND_MOST);

    var again = sandboxes().start(sandbox.id(), soon());

    assertEquals(0, again.execute("kill $(cat pid)", COMMAND_MOST).exitCode());
  }

  @Test
  void a_machine_may_be_stopped_twice() throws Exception {
    var sandbox = anySandbox();

    sandboxes().stop(sandbox.id());
    sandboxes().stop(sandbox.id());

    assertInstanceOf(Asleep.class, sandboxes().find(sandbox.id()));
  }

  @Test
  void a_deleted_machine_is_gone_and_its_name_is_free() throws Exception {
    var sandbox = anySandbox();

    somebodyDeletes(sandbox.id());
    var found = sandboxes().find(sandbox.id());
    var other = sandboxes().create(sandbox.name(), Map.of(), soon());

    assertInstanceOf(Gone.class, found);
    assertNotEquals(sandbox.id(), other.id());
  }

  @Test
  void a_machine_that_is_gone_can_t_be_started() throws Exception {
    var sandbox = anySandbox();
    somebodyDeletes(sandbox.id());

    var failure = assertThrows(Failure.class, () -> sandboxes().start(sandbox.id(), soon()));

    assertEquals(SandboxFailure.REFUSED, failure.code());
  }

  @Test
  void machines_are_listed_by_their_labels() throws Exception {
    var owner = anyName();
    var first = sandboxes().create(anyName(), Map.of("app", owner, "thread", "T1:C1:1.2"), soon());
    var second = sandboxes().create(anyName(), Map.of("app", owner), soon());
    var deleted = sandboxes().create(anyName(), Map.of("app", owner), soon());
    anySandbox();
    somebodyDeletes(deleted.id());

    var listed = untilListed(Map.of("app", owner), Set.of(first.id(), second.id()));

    var labelled = listed.stream().filter(one -> one.id().equals(first.id())).findFirst();
    assertEquals(
        Optional.of(
            new Listed(first.id(), first.name(), Map.of("app", owner, "thread", "T1:C1:1.2"))),
        labelled);
    assertEquals(
        List.of(first.id()),
        sandboxes().list(Map.of("app", owner, "thread", "T1:C1:1.2")).stream()
            .map(Listed::id)
            .toList());
  }

  /// A list is some seconds old, and nobody says when it is not any more.
  private List<Listed> untilListed(Map<String, String> labels, Set<SandboxId> expected)
      throws InterruptedException {
    var until = soon();
    while (true) {
      var listed = sandboxes().list(labels);
      if (listed.stream().map(Listed::id).collect(toSet()).equals(expected)) {
        return listed;
      }
      assertFalse(until.isOver(), listed.toString());
      Thread.yield();
    }
  }

  @Test
  void a_machine_can_be_kept_awake_and_its_life_extended() throws Exception {
    var sandbox = anySandbox();

    sandboxes().keepAwake(sandbox.id());
    sandboxes().extendLife(sandbox.id());

    assertInstanceOf(Running.class, sandboxes().find(sandbox.id()));
  }

  @Test
  void a_port_has_another_address_each_time_somebody_wants_to_look() throws Exception {
    var sandbox = anySandbox();

    var one = sandboxes().preview(sandbox.id(), 8080, Duration.ofMinutes(1));
    var other = sandboxes().preview(sandbox.id(), 8080, Duration.ofMinutes(1));

    assertTrue(one.isAbsolute(), one.toString());
    assertNotEquals(one, other);
  }

  @Test
  void a_file_comes_back_as_it_went() throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/new/folder/file.bin";
    var content = everyByte(10_000);

    sandbox.upload(path, new ByteArrayInputStream(content));

    try (var back = sandbox.download(path)) {
      assertArrayEquals(content, back.readAllBytes());
    }
    assertEquals(Optional.of(new FileInfo("file.bin", content.length, false)), sandbox.info(path));
  }

  @Test
  void an_empty_file_is_a_file() throws Exception {
    var sandbox = anySandbox();

    upload(sandbox, "/empty", "");

    assertEquals("", download(sandbox, "/empty"));
  }

  @Test
  void a_large_file_is_streamed_both_ways() throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/large.bin";
    var sent = new DigestInputStream(new RandomBytes(LARGE_FILE_BYTES), sha256());

    sandbox.upload(path, sent);

    try (var received = new DigestInputStream(sandbox.download(path), sha256())) {
      assertEquals(LARGE_FILE_BYTES, received.transferTo(OutputStream.nullOutputStream()));
      assertEquals(hexOf(sent), hexOf(received));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b  c", " leading", "trailing ", "quote'and\"quote", "100%41 + 1 & 2=3?#;", "{name}",
            "ünï/…/日本語🦊",
        "back\\slash", "new\nline", "-rf", "*", "$(HOME)`ls`", "tab\there", "..."
      })
  void a_file_keeps_its_awkward_name(String name) throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/awkward/" + name;

    sandbox.upload(path, new ByteArrayInputStream(name.getBytes(StandardCharsets.UTF_8)));
    sandbox.move(path, path + "2");

    try (var back = sandbox.download(path + "2")) {
      assertEquals(name, new String(back.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertTrue(sandbox.info(path + "2").isPresent());
    sandbox.delete(path + "2");
    assertEquals(Optional.empty(), sandbox.info(path + "2"));
  }

  @Test
  void a_name_may_be_as_long_as_a_name_may_be() throws Exception {
    var sandbox = anySandbox();
    var name = "/" + "n".repeat(255);

    upload(sandbox, name, "long");

    assertEquals("long", download(sandbox, name));
  }

  @Test
  void a_file_that_is_there_is_replaced() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/file", "first and longer");
    upload(sandbox, "/other", "third");

    upload(sandbox, "/file", "second");
    assertEquals("second", download(sandbox, "/file"));

    sandbox.move(sandbox.workDirectory() + "/other", sandbox.workDirectory() + "/file");
    assertEquals("third", download(sandbox, "/file"));
  }

  @Test
  void a_file_does_not_move_into_a_directory_unasked() throws Exception {
    var sandbox = anySandbox();
    upload(sandbox, "/file", "content");
    sandbox.createDirectory(sandbox.workDirectory() + "/directory");

    assertEquals(
        SandboxFailure.REFUSED,
        codeOf(
            () ->
                sandbox.move(
                    sandbox.workDirectory() + "/file", sandbox.workDirectory() + "/directory")));

    assertEquals("content", download(sandbox, "/file"));
  }

  @Test
  void an_upload_leaves_nothing_else_behind() throws Exception {
    var sandbox = anySandbox();

    upload(sandbox, "/only/file", "content");

    assertEquals("file\n", sandbox.execute("ls -A only", COMMAND_MOST).output());
  }

  @Test
  void an_upload_whose_source_breaks_leaves_no_file() throws Exception {
    var sandbox = anySandbox();
    sandbox.createDirectory(sandbox.workDirectory() + "/half");

    assertThrows(
        RuntimeException.class,
        () -> sandbox.upload(sandbox.workDirectory() + "/half/file", new BrokenStream()));

    assertEquals("", sandbox.execute("ls -A half", COMMAND_MOST).output());
  }

  @Test
  void a_directory_is_created_with_its_parents_and_only_once() throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/one/two/three";

    sandbox.createDirectory(path);
    sandbox.createDirectory(path);

    assertTrue(sandbox.info(path).orElseThrow().directory());
  }

  @Test
  void a_file_that_is_not_there_is_missed_everywhere() throws Exception {
    var sandbox = anySandbox();
    var path = sandbox.workDirectory() + "/container not found";

    assertEquals(Optional.empty(), sandbox.info(path));
    assertEquals(SandboxFailure.NO_FILE, codeOf(() -> sandbox.download(path)));
    assertEquals(SandboxFailure.NO_FILE, codeOf(() -> sandbox.move(path, path + "2")));
    sandbox.delete(path);
  }

  @Test
  void a_directory_is_no_file_to_download() throws Exception {
    var sandbox = anySandbox();

    assertEquals(SandboxFailure.NO_FILE, codeOf(() -> sandbox.download(sandbox.workDirectory())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file", "./file", "~/file", "/a\0b"})
  void a_path_that_is_not_absolute_is_a_bug(String path) throws Exception {
    var sandbox = anySandbox();

    assertThrows(IllegalArgumentException.class, () -> sandbox.info(path));
    assertThrows(IllegalArgumentException.class, () -> sandbox.download(path));
    assertThrows(
        IllegalArgumentException.class, () -> sandbox.upload(path, InputStream.nullInputStream()));
  }

  @Test
  void a_command_says_how_it_ended_and_what_it_wrote() throws Exception {
    var sandbox = anySandbox();

    var executed =
        sandbox.execute("echo \"it's\" done; echo 'ünï' >&2; exit 3 # odd", COMMAND_MOST);

    assertEquals(3, executed.exitCode());
    assertEquals("it's done\n", executed.output());
    assertEquals("ünï\n", executed.errors());
  }

  @Test
  void much_on_both_outputs_comes_whole_and_apart() throws Exception {
    var sandbox = anySandbox();

    var executed = sandbox.execute("seq 1 20000; seq 20001 40000 >&2; kill -9 $$", COMMAND_MOST);
    var ended = sandbox.execute("seq 1 20000; seq 20001 40000 >&2; exit 7", COMMAND_MOST);

    assertEquals(137, executed.exitCode());
    assertEquals(7, ended.exitCode());
    assertEquals(lines(1, 20_000), ended.output());
    assertEquals(lines(20_001, 40_000), ended.errors());
  }

  @Test
  void a_commands_variables_are_its_own() throws Exception {
    var sandbox = anySandbox();

    var executed =
        sandbox.execute(
            "for e in one two; do touch $e; done; c=5; command=x; echo \"$e $#\" >&2; exit 4",
            COMMAND_MOST);

    assertEquals(4, executed.exitCode());
    assertEquals("two 0\n", executed.errors());
    assertEquals("one\ntwo\n", sandbox.execute("ls one two", COMMAND_MOST).output());
  }

  @Test
  void what_a_command_left_running_writes_later_is_no_error_of_its() throws Exception {
    var sandbox = anySandbox();

    var executed =
        sandbox.execute(
            "(while kill -0 $$ 2>/dev/null; do :; done; echo later) & echo now; echo oh >&2",
            COMMAND_MOST);

    assertEquals("now\nlater\n", executed.output());
    assertEquals("oh\n", executed.errors());
  }

  private static String lines(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(number -> number + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void a_command_runs_in_the_work_directory_and_finds_no_input() throws Exception {
    var sandbox = anySandbox();

    var executed = sandbox.execute("cat; pwd -P; echo end", COMMAND_MOST);

    var directory = sandbox.execute("cd '" + sandbox.workDirectory() + "'; pwd -P", COMMAND_MOST);
    assertEquals(directory.output() + "end\n", executed.output());
  }

  @Test
  void a_command_that_takes_too_long_is_ended() throws Exception {
    var sandbox = anySandbox();

    var executed = sandbox.execute("echo $$ > pid; sleep 60; echo no", Duration.ofSeconds(1));

    assertTrue(executed.isOutOfTime());
    assertEquals(0, sandbox.execute(UNTIL_ENDED.formatted("pid"), COMMAND_MOST).exitCode());
  }

  @Test
  void a_terminal_carries_every_byte_both_ways() throws Exception {
    var sandbox = anySandbox();
    var content = everyByte(1024 * 1024);

    try (var terminal = rawTerminal(sandbox, "exec cat")) {
      var written =
          meanwhile(
              () -> {
                terminal.write(content);
                return true;
              });
      var back = terminal.read(content.length);

      written.join();
      assertArrayEquals(content, back);
    }
  }

  @Test
  void a_terminal_starts_in_the_work_directory() throws Exception {
    var sandbox = anySandbox();

    try (var terminal = rawTerminal(sandbox, "pwd > where; exec cat")) {
      terminal.write("x");
      assertEquals("x", terminal.readText(1));
    }

    assertEquals(sandbox.execute("pwd", COMMAND_MOST).output(), download(sandbox, "/where"));
  }

  @Test
  void nothing_to_read_is_nothing_at_the_deadline() throws Exception {
    var sandbox = anySandbox();

    try (var terminal = rawTerminal(sandbox, "exec cat")) {
      var read = terminal.wrapped().read(Deadline.in(Duration.ofMillis(50)));

      assertEquals(0, read.length);
    }
  }

  @Test
  void a_terminal_that_ended_says_so_after_its_last_bytes() throws Exception {
    var sandbox = anySandbox();

    try (var terminal = rawTerminal(sandbox, "head -c 1 >/dev/null; exit 7")) {
      terminal.write("x");

      var why = terminal.awaitEnd();

      assertTrue(why.contains("exited with 7"), why);
    }
  }

  @Test
  void closing_a_terminal_ends_what_runs_in_it_but_not_what_left_it() throws Exception {
    var sandbox = anySandbox();

    try (var terminal =
        rawTerminal(
            sandbox,
            "(setsid sh -c 'echo $$ > gone; exec sleep 60' </dev/null >/dev/null 2>&1 &); while !"
                + " test -s gone; do :; done; exec sh -c 'echo $$ > here; printf ready; exec sleep"
                + " 60'")) {
      assertEquals("ready", terminal.readText(5));
    }

    var left = sandbox.execute("kill $(cat gone)", COMMAND_MOST);
    var ended = sandbox.execute(UNTIL_ENDED.formatted("here"), COMMAND_MOST);
    assertEquals(0, left.exitCode(), left.output());
    assertEquals(0, ended.exitCode(), ended.output());
  }

  @Test
  void a_closed_terminal_can_neither_be_read_nor_written() throws Exception {
    var sandbox = anySandbox();
    var terminal = sandbox.openTerminal(soon());

    terminal.close();
    terminal.close();

    assertThrows(
        IOException.class,
        () -> {
          while (true) {
            terminal.read(soon());
          }
        });
    assertThrows(IOException.class, () -> terminal.write(new byte[1]));
  }

  @Test
  void two_terminals_don_t_hear_each_other() throws Exception {
    var sandbox = anySandbox();

    try (var one = rawTerminal(sandbox, "exec cat");
        var two = rawTerminal(sandbox, "exec cat")) {
      one.write("first");
      two.write("other");

      assertEquals("first", one.readText(5));
      assertEquals("other", two.readText(5));
    }
  }

  @Test
  void a_terminal_that_was_cut_is_gone_and_another_one_can_be_opened() throws Exception {
    var sandbox = anySandbox();

    try (var terminal = rawTerminal(sandbox, "exec cat")) {
      connectionsBreak();

      assertTrue(terminal.awaitEnd().contains("gone"));
    }
    try (var another = rawTerminal(sandbox, "exec cat")) {
      another.write("here");
      assertEquals("here", another.readText(4));
    }
  }

  @Test
  void who_waits_at_a_terminal_hears_that_it_was_closed() throws Exception {
    var sandbox = anySandbox();

    try (var terminal = rawTerminal(sandbox, "exec cat")) {
      var waiting = meanwhile(terminal::awaitEnd);
      terminal.wrapped().close();

      assertTrue(waiting.join().contains("closed here"), waiting.join());
    }
  }

  @Test
  void a_machine_that_stops_takes_its_terminals_along() throws Exception {
    var sandbox = anySandbox();

    try (var terminal = rawTerminal(sandbox, "exec cat")) {
      somebodyStops(sandbox.id());

      assertTrue(terminal.awaitEnd().contains("gone"));
    }
  }

  protected static void upload(Sandbox sandbox, String name, String content) {
    sandbox.upload(
        sandbox.workDirectory() + name,
        new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)));
  }

  protected static String download(Sandbox sandbox, String name) throws IOException {
    try (var content = sandbox.download(sandbox.workDirectory() + name)) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// The code of the failure that must come of it.
  protected static FailureCode codeOf(Executable work) {
    return assertThrows(Failure.class, work).code();
  }

  /// A terminal that passes bytes on unchanged, after it has run the command's beginning.
  protected static RawTerminal rawTerminal(Sandbox sandbox, String command) throws Exception {
    return RawTerminal.open(sandbox.openTerminal(soon()), command);
  }

  protected static <T> CompletableFuture<T> meanwhile(Callable<T> work) {
    var result = new CompletableFuture<T>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(work.call());
              } catch (Throwable failure) {
                result.completeExceptionally(failure);
              }
            });
    return result;
  }

  private static byte[] everyByte(int length) {
    var bytes = new byte[length];
    for (var i = 0; i < length; i++) {
      bytes[i] = (byte) (i + i / 256);
    }
    return bytes;
  }

  private static MessageDigest sha256() throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256");
  }

  private static String hexOf(DigestInputStream stream) {
    return HexFormat.of().formatHex(stream.getMessageDigest().digest());
  }
}
