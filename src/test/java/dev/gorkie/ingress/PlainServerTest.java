package dev.gorkie.ingress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The plain server's unit and container file hold to what the program does.
class PlainServerTest {

  private static final int WRONG_USAGE = 2;
  private static final Pattern WAIT_TOLD = Pattern.compile("--time(?:out)? ([0-9]+)");

  @Test
  void whoever_stops_it_waits_until_it_has_left_in_order() throws Exception {
    var leaves = leavesBefore();

    assertTrue(seconds(unit("TimeoutStopSec")).compareTo(leaves) > 0);
    assertEquals("SIGTERM", unit("KillSignal"));
    assertEquals("SIGTERM", instruction("STOPSIGNAL"));
    for (var text : List.of(container(), read("docs", "deploying.md"))) {
      var told = WAIT_TOLD.matcher(text);
      assertTrue(told.find());
      do {
        assertTrue(seconds(told.group(1)).compareTo(leaves) > 0, told.group());
      } while (told.find());
    }
  }

  @Test
  void it_starts_again_after_a_crash_and_not_with_wrong_settings() throws IOException {
    assertEquals("on-failure", unit("Restart"));
    assertEquals(Integer.toString(WRONG_USAGE), unit("RestartPreventExitStatus"));
    assertTrue(
        read("src", "main", "java", "dev", "gorkie", "start", "Main.java")
            .contains("WRONG_USAGE = " + WRONG_USAGE + ";"));
    // So ends a process that SIGTERM ends.
    assertEquals("143", unit("SuccessExitStatus"));
  }

  @Test
  void its_port_is_the_programs() throws IOException {
    var properties = new Properties();
    try (var file =
        Files.newBufferedReader(Path.of("src", "main", "resources", "application.properties"))) {
      properties.load(file);
    }
    var port = properties.getProperty("quarkus.http.port");

    assertEquals(port, instruction("EXPOSE"));
    assertTrue(container().contains("/dev/tcp/127.0.0.1/" + port + " "));
  }

  @Test
  void it_runs_as_nobody_special_and_owns_nothing_of_the_program() throws IOException {
    assertEquals("yes", unit("DynamicUser"));
    assertEquals("strict", unit("ProtectSystem"));
    assertEquals("yes", unit("NoNewPrivileges"));
    assertEquals("", unit("CapabilityBoundingSet"));
    assertEquals("10001:10001", instruction("USER"));
    assertFalse(container().contains("--chown"));
  }

  @Test
  void both_start_the_same_program() throws IOException {
    var packaged = Path.of("quarkus-run.jar").toString();

    assertTrue(unit("ExecStart").endsWith("-jar /opt/gorkie/" + packaged));
    assertTrue(instruction("ENTRYPOINT").endsWith("\"-jar\", \"" + packaged + "\"]"));
    assertEquals("/opt/gorkie", unit("WorkingDirectory"));
    assertEquals("/opt/gorkie", instruction("WORKDIR"));
  }

  private static Duration leavesBefore() throws NoSuchMethodException {
    var usual =
        Work.Settings.class.getDeclaredMethod("leavesBefore").getAnnotation(WithDefault.class);
    return Duration.parse("PT" + usual.value());
  }

  private static Duration seconds(String number) {
    return Duration.ofSeconds(Long.parseLong(number));
  }

  private static String unit(String key) throws IOException {
    return line(read("deploy", "gorkie.service"), key + "=");
  }

  private static String instruction(String name) throws IOException {
    return line(container(), name + " ");
  }

  /// The one line that begins so, without its beginning.
  private static String line(String text, String beginning) {
    var lines = text.lines().filter(line -> line.startsWith(beginning)).toList();
    assertEquals(1, lines.size(), beginning);
    return lines.getFirst().substring(beginning.length());
  }

  private static String container() throws IOException {
    return read("deploy", "Containerfile");
  }

  private static String read(String first, String... more) throws IOException {
    return Files.readString(Path.of(first, more));
  }
}
