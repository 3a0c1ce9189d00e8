package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.LiveFiles;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.ThreadView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Where the keys are after a turn, and above all where they are not.
class KeysIT {

  private static final List<String> OF_OURS_ALONE =
      List.of("SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN", "DAYTONA_API_KEY");
  private static final String SECRET = "key-of-the-model";
  private static final String OF_THE_MODEL = "MODEL_API_KEY";

  private final Stage stage = Stage.open();

  @Test
  void no_key_is_to_be_found_anywhere_but_the_models_in_pi_itself() throws Exception {
    var thread = stage.ask("general", "$ env; tr '\\0' '\\n' < /proc/$PPID/cmdline; echo looked");
    assertTrue(Stage.answer(thread).contains("looked"), thread.plain());

    var places = new ArrayList<>(everywhere(thread));
    places.addAll(processes(thread));

    var keys = Stream.concat(OF_OURS_ALONE.stream(), Stream.of(OF_THE_MODEL)).toList();
    assertEquals(List.of(), found(keys, places));
    assertEquals(List.of(), found(OF_OURS_ALONE, List.of(environmentOf(stage.piOf(thread)))));
    assertEquals(List.of(), stage.daytona().misunderstandings());
    // So that this looks where there is something to be found.
    assertEquals(
        List.of(OF_THE_MODEL + " in the environment of " + stage.piOf(thread).pid()),
        found(List.of(OF_THE_MODEL), List.of(environmentOf(stage.piOf(thread)))));
  }

  @Test
  void with_a_secret_the_models_key_is_nowhere_and_the_next_one_takes_the_last_ones_place()
      throws Exception {
    makeSecret("sk-of-last-year");
    try (var gorkie = stage.another(Map.of("DAYTONA_SECRET", SECRET, OF_THE_MODEL, ""))) {
      var refused = stage.ask("general", "hello");
      assertTrue(Stage.answer(refused).contains("refuses our key"), refused.plain());

      makeSecret(stage.setting(OF_THE_MODEL));
      var thread = stage.goOn(refused, "$ env; tr '\\0' '\\n' < /proc/$PPID/environ; echo looked");
      assertTrue(Stage.answer(thread).contains("looked"), thread.plain());

      var places = new ArrayList<>(everywhere(thread));
      places.addAll(processes(thread));
      places.add(environmentOf(stage.piOf(thread)));
      places.add(new Place("the other Gorkie's log", gorkie.output()));
      var keys = Stream.concat(OF_OURS_ALONE.stream(), Stream.of(OF_THE_MODEL)).toList();
      assertEquals(List.of(), found(keys, places));
    } finally {
      stage.asBefore();
    }
  }

  @Test
  void with_a_secret_a_turn_needs_no_terminal() throws Exception {
    makeSecret(stage.setting(OF_THE_MODEL));
    stage.daytona().faults().refuseTerminals(true);
    try (var gorkie = stage.another(Map.of("DAYTONA_SECRET", SECRET, OF_THE_MODEL, ""))) {
      var thread = stage.ask("general", "$ echo 6*7");

      assertTrue(Stage.answer(thread).contains("6*7"), thread.plain() + gorkie.output());
    } finally {
      stage.daytona().faults().clear();
      stage.asBefore();
    }
  }

  @Test
  void what_a_crash_leaves_behind_tells_no_key() throws Exception {
    var report = Path.of("target", "crash.log");
    Files.deleteIfExists(report);
    var settings =
        Map.of("JAVA_TOOL_OPTIONS", "-XX:ErrorFile=" + report + " -XX:-CreateCoredumpOnCrash");
    try (var gorkie = stage.another(settings)) {
      assertTrue(gorkie.url().isAbsolute());

      new ProcessBuilder("kill", "-SEGV", Long.toString(gorkie.process().pid())).start().waitFor();

      assertTrue(gorkie.end() != 0);
      assertTrue(read(report).contains("SIGSEGV"), gorkie.output());
      var keys = Stream.concat(OF_OURS_ALONE.stream(), Stream.of(OF_THE_MODEL)).toList();
      var places =
          List.of(new Place("the report", read(report)), new Place("the log", gorkie.output()));
      assertEquals(List.of(), found(keys, places));
    } finally {
      stage.asBefore();
    }
  }

  @Test
  void a_key_of_the_operators_is_used_as_the_page_shows_and_seen_nowhere() throws Exception {
    var page = Files.readString(Path.of("docs", "machine.md"));
    var name = shown(page, "make secret NAME=(\\S+) HOSTS=");
    var variable = shown(page, "export DAYTONA_SECRETS=(\\S+)=" + name);
    var command = shown(page, "ada: @gorkie \\$ (curl -s -H .*)");
    var host = URI.create(stage.setting("MODEL_BASE_URL")).getHost();
    var said =
        secret(
            Map.of(
                "SECRET_NAME",
                name,
                "SECRET_HOSTS",
                host,
                "SECRET_VALUE",
                stage.setting(OF_THE_MODEL)));
    assertTrue(said.contains("Set DAYTONA_SECRETS=<VARIABLE>=" + name), said);
    try (var gorkie = stage.another(Map.of("DAYTONA_SECRETS", variable + "=" + name))) {
      // Its host is not at hand here, and of an answer its status is enough.
      var asked =
          command
              .replaceFirst("https://\\S+", stage.setting("MODEL_BASE_URL") + "/models")
              .replace("curl", "curl -x \"$HTTP_PROXY\" -o /dev/null -w '%{http_code}'");
      var thread = stage.ask("general", "$ echo \"$" + variable + " is worth $(" + asked + ")\"");

      var answer = Stage.answer(thread);
      assertTrue(answer.contains("dtn_secret_"), answer + gorkie.output());
      assertTrue(answer.contains("is worth 200"), answer);
    } finally {
      stage.asBefore();
    }
  }

  private static String shown(String page, String form) {
    var shown = Pattern.compile(form).matcher(page);
    assertTrue(shown.find(), form);
    return shown.group(1);
  }

  /// As an operator does it.
  private String secret(Map<String, String> named) throws Exception {
    var command =
        new ProcessBuilder("node", "src/main/sandbox/secret.mjs").redirectErrorStream(true);
    command.environment().putAll(named);
    for (var name : List.of("DAYTONA_API_KEY", "DAYTONA_API_URL")) {
      command.environment().put(name, stage.setting(name));
    }
    var process = command.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output;
  }

  /// The same of the model's key.
  private void makeSecret(String value) throws Exception {
    var command =
        new ProcessBuilder("node", "src/main/sandbox/secret.mjs").redirectErrorStream(true);
    command.environment().put("MODEL_API_KEY", value);
    command.environment().put("DAYTONA_SECRET", SECRET);
    for (var name : List.of("DAYTONA_API_KEY", "DAYTONA_API_URL", "MODEL_BASE_URL")) {
      command.environment().put(name, stage.setting(name));
    }
    var process = command.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.startsWith("Secret " + SECRET), output);
    assertFalse(output.contains(value), output);
  }

  private record Place(String name, String content) {}

  private List<String> found(List<String> keys, List<Place> places) {
    return keys.stream()
        .flatMap(
            key ->
                places.stream()
                    .filter(place -> place.content().contains(stage.setting(key)))
                    .map(place -> key + " in " + place.name()))
        .toList();
  }

  private List<Place> everywhere(ThreadView thread) throws Exception {
    var places = new ArrayList<Place>();
    places.add(new Place("Gorkie's log", stage.gorkie().output()));
    stage.daytona().requests().forEach(request -> places.add(new Place("a request", request)));
    stage.slack().calls().stream()
        .map(ApiCall::form)
        .forEach(form -> places.add(new Place("a call to Slack", form.toString())));
    places.add(new Place("Daytona's account of the sandbox", daytona(thread, "/sandbox/%s")));
    places.add(new Place("the list of terminals", daytona(thread, "/../toolbox/%s/process/pty")));
    // The home of its user, of which all else it has is a part.
    for (var file : LiveFiles.below(stage.sandboxOf(thread).home())) {
      places.add(new Place(file.toString(), read(file)));
    }
    return places;
  }

  /// What runs there, but Pi's own environment.
  private List<Place> processes(ThreadView thread) {
    var pi = stage.piOf(thread).pid();
    return stage.sandboxOf(thread).processes().stream()
        .flatMap(
            process ->
                Stream.of(
                    new Place(
                        "the arguments of " + process.pid(),
                        read(Path.of("/proc/" + process.pid() + "/cmdline"))),
                    process.pid() == pi ? new Place("nothing", "") : environmentOf(process)))
        .toList();
  }

  private static Place environmentOf(ProcessHandle process) {
    return new Place(
        "the environment of " + process.pid(),
        read(Path.of("/proc/" + process.pid() + "/environ")));
  }

  private String daytona(ThreadView thread, String path) throws Exception {
    var url = stage.daytona().url() + path.formatted(stage.sandboxOf(thread).id());
    var request =
        HttpRequest.newBuilder(URI.create(url).normalize())
            .header("Authorization", "Bearer " + stage.setting("DAYTONA_API_KEY"));
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), url);
      return answer.body();
    }
  }

  /// Empty when it is gone meanwhile.
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return "";
    }
  }
}
