package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The native functions, and in them what a native image could have left out: the migrations, JSON both ways, files, streams.
class NativeShapeIT extends LambdaShapeContract {

  @Override
  FunctionZip zip() throws IOException, InterruptedException {
    assumeTrue(Files.exists(FunctionZip.NATIVE), "No native function; “make native” builds one");
    assumeTrue(isOfTheseSources(), "The native function is older than the sources; “make native”");
    return FunctionZip.unpacked(FunctionZip.NATIVE);
  }

  private static boolean isOfTheseSources() throws IOException {
    var built = Files.getLastModifiedTime(FunctionZip.NATIVE);
    try (var sources = Files.walk(Path.of("src", "main"))) {
      for (var file : sources.filter(Files::isRegularFile).toList()) {
        if (!file.startsWith(Path.of("src", "main", "sandbox"))
            && Files.getLastModifiedTime(file).compareTo(built) > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /// By the first worker that starts.
  @Override
  void migrate(Map<String, String> environment) {
    environment.put("GORKIE_DATABASE_MIGRATE_AT_START", "true");
  }

  @BeforeAll
  void startTheFirst() throws InterruptedException {
    assertEquals("UP", health(worker(), "live"));
  }

  @Test
  void files_travel_both_ways_and_a_long_answer_arrives_whole() throws Exception {
    world()
        .model()
        .script(
            Rule.whenContaining(
                "send it back",
                Reply.calls(
                    ToolCall.bash(
                        "mkdir -p output && tr a-z A-Z < attachments/*/note.txt > output/note.txt")),
                Reply.calls(ToolCall.showFile("output/note.txt", "Louder")),
                Reply.says("x".repeat(8_000) + " the end")));

    var root =
        world()
            .slack()
            .say(
                Utterance.in("general", "ada", "@gorkie send it back")
                    .with(Upload.text("note.txt", "as it was written")));
    var thread =
        world()
            .slack()
            .awaitThread(
                "general",
                root,
                now -> now.filesByApp().size() == 1 && now.plain().contains("the end"),
                Stage.PATIENCE);

    assertEquals("AS IT WAS WRITTEN", thread.filesByApp().getFirst().text());
    assertEquals("Louder", thread.filesByApp().getFirst().title());
  }

  @Test
  void both_functions_say_that_they_are_well() throws Exception {
    assertEquals("UP", health(ingress(), "live"));
    assertEquals("UP", health(worker(), "live"));
  }

  private static String health(LambdaFunction function, String kind) throws InterruptedException {
    var outcome =
        function
            .invoke(
                """
                {"version":"2.0","rawPath":"/q/health/%s","requestContext":{"http":{"method":"GET",\
                "path":"/q/health/%s"}}}"""
                    .formatted(kind, kind))
            .orElseThrow();
    assertTrue(outcome.isSuccess(), outcome.payload());
    // As it goes to the gateway: what isn't text by its type travels as base64.
    var body = Base64.getDecoder().decode(new JsonObject(outcome.payload()).getString("body"));
    return new JsonObject(new String(body, StandardCharsets.UTF_8)).getString("status");
  }
}
