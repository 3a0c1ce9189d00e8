package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.LocalSlack;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an operator sees who deploys: everything is as it is, but for AWS, whose tools are others.
///
/// The functions that these tools pretend to make are a Gorkie that runs.
class DeployIT {

  private static final Pattern CHECK = Pattern.compile("CMD \\[\"bash\", \"-c\", \"(.*)\"]");

  private final Stage stage = Stage.open();

  @TempDir Path folder;

  @Test
  void from_no_slack_app_at_all_to_a_first_answer() throws Exception {
    prepare();

    var first = deploy("app,secrets,snapshot,migrate,functions,slack,doctor,message");

    assertEquals(0, first.code(), first.said());
    assertTrue(first.said().contains("Slack app " + stage.slack().appId() + " was made."));
    assertTrue(first.said().contains("The tables are up to date"), first.said());
    assertTrue(first.said().contains("A message would be answered."), first.said());
    assertTrue(first.said().contains("The test message was answered after "), first.said());
    assertEquals(
        stage.gorkie().events().toString(),
        stage
            .slack()
            .manifests()
            .getOrDefault(stage.slack().appId(), new JsonObject())
            .getJsonObject("settings")
            .getJsonObject("event_subscriptions")
            .getString("request_url"));
    var direct = stage.slack().threads("@ada").getLast();
    assertTrue(direct.plain().contains("try myself in your name"), direct.plain());

    var again = deploy("app,secrets,snapshot,functions,slack");

    assertEquals(0, again.code(), again.said());
    assertTrue(again.said().contains("exists and is active."), again.said());
    assertTrue(again.said().contains("is up to date."), again.said());
    assertEquals(1, stage.slack().manifests().size());
  }

  @Test
  void a_question_that_never_arrives_is_told_with_what_came_back() throws Exception {
    prepare();
    var other = new HashMap<>(surroundings());
    other.put("SLACK_SIGNING_SECRET", "not-the-one");

    var refused = deploy("secrets,functions,message", other);

    assertEquals(2, refused.code(), refused.said());
    assertTrue(
        refused.said().contains("Gorkie answered the test message with 401"), refused.said());
    assertTrue(refused.said().contains("SLACK_SIGNING_SECRET is another one"), refused.said());
  }

  @Test
  void a_container_that_is_well_is_found_so_and_one_that_is_not_is_not() throws Exception {
    var file = Files.readString(Path.of("deploy", "Containerfile"));
    var check = CHECK.matcher(file);
    assertTrue(check.find());
    var command = check.group(1).replace("\\\\", "\\");

    assertEquals(0, healthy(command, stage.gorkie().url().getPort()));
    assertTrue(healthy(command, 9) != 0);
  }

  private static int healthy(String command, int port) throws Exception {
    var process =
        new ProcessBuilder("bash", "-c", command.replace("/8080 ", "/" + port + " "))
            .redirectErrorStream(true)
            .start();
    process.getInputStream().readAllBytes();
    return process.waitFor();
  }

  /// A copy of the program, so that what it makes stays in a place of its own, with the settings of the world.
  private void prepare() throws IOException {
    for (var part : List.of("deploy", "src/main/sandbox")) {
      copy(Path.of(part), folder.resolve(part));
    }
    Files.createDirectories(folder.resolve("target/deploy"));
    Files.writeString(folder.resolve("target/deploy/function.zip"), "the program");
    var tool = Path.of("src", "test", "deploy", "world", "aws.mjs").toAbsolutePath();
    script("aws", "exec node " + tool + " \"$@\"");
    script("sam", "SAM=1 exec node " + tool + " \"$@\"");
    // As the Makefile does it, without building what is built.
    var java =
        System.getProperty("java.home")
            + "/bin/java -jar "
            + Path.of("target", "quarkus-app", "quarkus-run.jar").toAbsolutePath();
    script(
        "make",
        "case \"$*\" in *migrate) GORKIE_MIGRATE=true exec "
            + java
            + ";; *doctor) GORKIE_ROLE=doctor exec "
            + java
            + ";; esac");
    Files.writeString(
        folder.resolve("deploy/config.toml"),
        """
        [aws]
        region = "eu-central-1"

        [slack]
        api_url = "%s"
        test_user = "%s"

        [daytona]
        api_url = "%s"
        target = "local"

        [model]
        base_url = "%s"
        id = "%s"
        """
            .formatted(
                stage.setting("SLACK_API_URL"),
                stage.slack().person("ada").id(),
                stage.setting("DAYTONA_API_URL"),
                stage.setting("MODEL_BASE_URL"),
                stage.setting("MODEL_ID")));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (var path : all.filter(Files::isRegularFile).toList()) {
        var target = to.resolve(from.relativize(path).toString());
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.copy(path, target);
      }
    }
  }

  private void script(String name, String command) throws IOException {
    var file = Files.createDirectories(folder.resolve("bin")).resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Ended(int code, String said) {}

  private Ended deploy(String steps) throws Exception {
    return deploy(steps, surroundings());
  }

  private Ended deploy(String steps, Map<String, String> environment) throws Exception {
    var command = new ArrayList<>(List.of("node", folder + "/deploy/deploy.mjs", steps));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(List.of("HOME", "XDG_CACHE_HOME"));
    builder.environment().putAll(environment);
    var process = builder.start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    return new Ended(process.exitValue(), said);
  }

  private Map<String, String> surroundings() {
    return Map.of(
        "PATH",
        folder.resolve("bin") + ":" + System.getenv("PATH"),
        "WORLD",
        folder.toString(),
        "URL_OF_STACK",
        stage.gorkie().url().toString(),
        "GORKIE_LOOK_MS",
        "100",
        "SNAPSHOT_POLL_MS",
        "100",
        "SLACK_CONFIG_TOKEN",
        LocalSlack.configurationToken(),
        "SLACK_BOT_TOKEN",
        stage.setting("SLACK_BOT_TOKEN"),
        "DAYTONA_API_KEY",
        stage.setting("DAYTONA_API_KEY"),
        "DATABASE_URL",
        stage.setting("DATABASE_URL"),
        "MODEL_API_KEY",
        stage.setting("MODEL_API_KEY"));
  }
}
