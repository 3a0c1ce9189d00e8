package dev.gorkie.local.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// AWS's own Java runtime client, in a JVM of its own, served by our runtime API.
class ProgramInstanceTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path logs;

  private final LocalAws aws =
      LocalAws.start(
          new LocalAws.Settings(
              0, "eu-central-1", new Credentials("AKIDLOCAL", "key", Optional.empty()), 10_000));

  @AfterEach
  void close() {
    aws.close();
  }

  @Test
  void one_process_serves_one_event_after_another() throws Exception {
    var function = aws.deploy(tiny().timeout(Duration.ofSeconds(50)));

    var first = answer(function, "{\"say\":\"Grüße\"}");
    var second = answer(function, "{}");

    assertEquals("Grüße", first.getString("said"));
    assertEquals(function.arn(), first.getString("function"));
    assertEquals(first.getString("pid"), second.getString("pid"));
    assertNotEquals(first.getString("request"), second.getString("request"));
    var left = Long.parseLong(second.getString("left"));
    assertTrue(left > 0 && left <= 50_000, "left: " + left);
  }

  @Test
  void an_exception_is_a_failure_and_the_process_lives_on() throws Exception {
    var function = aws.deploy(tiny());
    var pid = answer(function, "{}").getString("pid");

    var outcome = invoke(function, "{\"do\":\"throw\",\"because\":\"no luck\"}");

    assertTrue(outcome.payload().contains("no luck"), outcome.toString());
    assertEquals("Failed", outcome.getClass().getSimpleName());
    assertEquals(pid, answer(function, "{}").getString("pid"));
  }

  @Test
  void who_takes_too_long_is_killed_and_the_next_event_gets_a_new_process() throws Exception {
    var function = aws.deploy(tiny().timeout(Duration.ofSeconds(2)));
    var pid = Long.parseLong(answer(function, "{}").getString("pid"));

    var outcome = invoke(function, "{\"do\":\"hang\"}");

    assertTrue(outcome.payload().contains("Task timed out after 2.00 seconds"), outcome.toString());
    assertEquals(Optional.empty(), ProcessHandle.of(pid).filter(ProcessHandle::isAlive));
    assertNotEquals(Long.toString(pid), answer(function, "{}").getString("pid"));
  }

  @Test
  void a_process_that_ends_in_the_middle_is_a_failure() throws Exception {
    var function = aws.deploy(tiny());

    var outcome = invoke(function, "{\"do\":\"exit\"}");

    assertTrue(outcome.payload().contains("Runtime.ExitError"), outcome.toString());
    assertEquals("again", answer(function, "{\"say\":\"again\"}").getString("said"));
  }

  @Test
  void a_function_that_cannot_start_is_a_failure() throws Exception {
    var function = aws.deploy(FunctionSettings.of("none", program("no.such.Handler")));

    var outcome = invoke(function, "{}");

    assertTrue(outcome.payload().contains("no.such.Handler"), outcome.toString());
  }

  @Test
  void between_events_a_freezing_function_stands_still() throws Exception {
    var function = aws.deploy(tiny().freezing());
    var pid = Long.parseLong(answer(function, "{}").getString("pid"));

    awaitState(pid, 'T');
    var again = answer(function, "{\"say\":\"thawed\"}");

    assertEquals("thawed", again.getString("said"));
    assertEquals(Long.toString(pid), again.getString("pid"));
    awaitState(pid, 'T');
  }

  @Test
  void another_release_serves_the_next_event_while_the_one_before_ends_what_it_has()
      throws Exception {
    var function = aws.deploy(tiny().freezing());
    var idle = Long.parseLong(answer(function, "{}").getString("pid"));
    var end = logs.resolve("end");
    var event = new JsonObject().put("do", "await").put("file", end.toString()).encode();
    var atWork = new FutureTask<>(() -> answer(function, event));
    Thread.ofVirtual().start(atWork);
    awaitServing(function, 1);
    var pid = function.serving().getFirst().pid();

    function.publish(program(TinyHandler.class.getName(), Map.of("RELEASE", "next")));
    var next = answer(function, "{}");
    Files.createFile(end);

    assertEquals(idle, pid);
    assertEquals("next", next.getString("release"));
    assertEquals("", atWork.get().getString("release"));
    ProcessHandle.of(pid).ifPresent(left -> left.onExit().join());
    assertEquals(next.getString("pid"), answer(function, "{}").getString("pid"));
  }

  @Test
  void who_stands_idle_is_ended_when_another_release_comes() throws Exception {
    var function = aws.deploy(tiny());
    var pid = Long.parseLong(answer(function, "{}").getString("pid"));

    function.publish(program(TinyHandler.class.getName(), Map.of("RELEASE", "next")));

    assertEquals(Optional.empty(), ProcessHandle.of(pid).filter(ProcessHandle::isAlive));
    assertEquals("next", answer(function, "{}").getString("release"));
  }

  private static void awaitServing(LambdaFunction function, int count) {
    var end = Instant.now().plus(SOON);
    while (function.serving().size() < count) {
      assertTrue(Instant.now().isBefore(end), "Nobody serves");
      Thread.onSpinWait();
    }
  }

  private FunctionSettings tiny() {
    return FunctionSettings.of("tiny", program(TinyHandler.class.getName()));
  }

  private Code.Program program(String handler) {
    return program(handler, Map.of());
  }

  private Code.Program program(String handler, Map<String, String> environment) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "com.amazonaws.services.lambda.runtime.api.client.AWSLambda",
            handler);
    return new Code.Program(command, environment, logs.resolve("function.log"));
  }

  private JsonObject answer(LambdaFunction function, String event)
      throws InterruptedException, IOException {
    var outcome = invoke(function, event);
    assertTrue(outcome.isSuccess(), () -> outcome + "\n" + log());
    return new JsonObject(outcome.payload());
  }

  private static Outcome invoke(LambdaFunction function, String event) throws InterruptedException {
    return function.invoke(event).orElseThrow();
  }

  private String log() {
    try {
      return Files.readString(logs.resolve("function.log"));
    } catch (IOException none) {
      return none.toString();
    }
  }

  /// The third field of a process's `stat`, after its name in parentheses.
  private static void awaitState(long pid, char wanted) throws IOException {
    var end = Instant.now().plus(SOON);
    var state = ' ';
    while (state != wanted) {
      assertTrue(Instant.now().isBefore(end), "State of the process: " + state);
      Thread.onSpinWait();
      var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      state = stat.charAt(stat.lastIndexOf(')') + 2);
    }
  }
}
