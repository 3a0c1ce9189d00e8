package dev.gorkie.way;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Whether the look for secrets, which comes behind the last test, would find one: here one is put everywhere.
class CanariesIT {

  private static final String COMMAND =
      "$ echo %1$s | tee kept.txt; HIDDEN=%1$s exec -a %1$s-hidden sleep 600";

  private final Stage stage = Stage.open();

  @Test
  void what_is_planted_is_found_in_tables_files_processes_and_on_every_wire() throws Exception {
    var secret = "planted-" + ProcessHandle.current().pid();
    var root = stage.slack().say("general", "ada", "@gorkie " + COMMAND.formatted(secret));
    Await.until(
        () ->
            stage.daytona().sandboxes().stream()
                .flatMap(it -> it.processes().stream())
                .anyMatch(it -> calledItself(it).startsWith(secret)));

    var found = stage.found(Map.of("the planted one", secret));
    stage.slack().reply("general", root, "ada", "stop");
    stage.answered("general", root, 1);

    var expected =
        Set.of(
            "a process's arguments",
            "sandbox",
            "table inbox",
            "the environment of a process",
            "what went to Slack",
            "what went to the model");
    assertTrue(places(found).containsAll(expected), found.toString());
  }

  /// Empty when it is gone meanwhile.
  private static String calledItself(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
    } catch (IOException _) {
      return "";
    }
  }

  private static Set<String> places(Set<String> found) {
    return found.stream()
        .map(one -> one.substring(one.lastIndexOf(" in ") + " in ".length()))
        .map(place -> place.startsWith("sandbox ") ? "sandbox" : place)
        .collect(toCollection(TreeSet::new));
  }
}
