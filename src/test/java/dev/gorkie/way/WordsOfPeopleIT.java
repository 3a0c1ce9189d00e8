package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// No word that anybody wrote, and no secret, is in any log of this run so far.
class WordsOfPeopleIT {

  // In whatever a person, the model or a file says here.
  private static final String CANARY = "canary-4f1d";

  private final Stage stage = Stage.open();

  @AfterEach
  void letGo() {
    stage.model().forgetScript();
    stage.asBefore();
  }

  @Test
  void what_people_and_the_model_say_stays_out_of_every_log_and_so_does_every_secret()
      throws Exception {
    try (var gorkie =
        stage.another(
            Map.of("GORKIE_LOG", "json", "QUARKUS_LOG_CATEGORY__DEV_GORKIE__LEVEL", "DEBUG"))) {
      saidEverywhere();
      assertTrue(gorkie.output().contains("turn.ended"), gorkie.output());
    }

    assertEquals(List.of(), found());
  }

  private void saidEverywhere() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "show it",
                Reply.calls(
                    ToolCall.bash(
                        "mkdir -p output && echo " + CANARY + " > output/canary-4f1d.txt")),
                Reply.calls(ToolCall.showFile("output/canary-4f1d.txt", CANARY)),
                Reply.calls(ToolCall.showFile("output/no-" + CANARY, CANARY)),
                Reply.says("Here is " + CANARY)),
            Rule.whenContaining("be refused", Reply.refuses(400, "not " + CANARY)));
    var thread =
        stage.ask(
            Utterance.in("general", "ada", "@gorkie show it " + CANARY)
                .with(Upload.text(CANARY + ".csv", CANARY)));
    var refused = stage.ask("general", "be refused " + CANARY);
    stage.goOn(refused, "!model " + CANARY);
    stage.slack().command("general", "ada", "/gorkie", "model " + CANARY);
    stage.slack().edit("general", thread.rootTs(), "@gorkie now " + CANARY);
    stage.slack().reply("general", thread.rootTs(), "ada", "## aside " + CANARY);
    var direct = stage.slack().direct("ada", "$ echo " + CANARY);
    stage.answered("@ada", direct, 1);
    stage.slack().awaitQuiet(Stage.PATIENCE);
  }

  private static List<String> found() throws IOException {
    var forbidden = new TreeSet<>(Gorkie.secrets());
    assertTrue(forbidden.size() >= 4, forbidden.size() + " secrets");
    forbidden.add(CANARY);
    var found = new ArrayList<String>();
    for (var log : logs()) {
      // A line that cannot be read is no reason to look at none.
      for (var line : lines(log)) {
        if (forbidden.stream().anyMatch(line::contains)) {
          found.add(log + ": " + line);
        }
      }
    }
    return found;
  }

  /// None of one that went with another test's process since it was found.
  private static List<String> lines(Path log) throws IOException {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines().toList();
    } catch (NoSuchFileException _) {
      return List.of();
    }
  }

  private static Optional<FileTime> writtenAt(Path log) throws IOException {
    try {
      return Optional.of(Files.getLastModifiedTime(log));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /// What was written since the tests began, here and in the process beside this one.
  private static List<Path> logs() throws IOException {
    var began = FileTime.from(ProcessHandle.current().info().startInstant().orElseThrow());
    var logs = new ArrayList<Path>();
    try (var all = Files.newDirectoryStream(Path.of("target"), "{gorkie,function}-*.log")) {
      for (var log : all) {
        if (writtenAt(log).filter(it -> it.compareTo(began) > 0).isPresent()) {
          logs.add(log);
        }
      }
    }
    assertFalse(logs.isEmpty());
    return logs;
  }
}
