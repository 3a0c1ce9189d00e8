package dev.gorkie.workbench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/// One operation as the keeper on a machine carries it out: begun once, however often it is asked for.
final class Performed {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String KEEPER = "\"$GORKIE/bin/keeper\" perform ";
  // The kernel takes 128 KiB in one argument, of which Base64 takes a third. What is longer goes as
  // a file, and so does what others on the machine are not to read in a list of processes.
  private static final int ARGUMENT_BYTES_MAX = 32 * 1024;
  // For the programs to start, on a busy machine, and the answer to come back.
  private static final Duration BESIDE_THE_WAIT = Duration.ofSeconds(20);
  // As a shell says that there is no such program or that it can't be run, and the keeper that it
  // does not know this word.
  private static final int WRONG_USAGE = 2;
  private static final int CANNOT_BE_RUN = 126;
  private static final int NO_PROGRAM = 127;

  private final Sandbox sandbox;
  private final String id;
  private final ObjectNode wish;
  private Optional<String> argument;

  Performed(Sandbox sandbox, String id, ObjectNode wish) {
    this.sandbox = sandbox;
    this.id = id;
    this.wish = wish;
    this.argument = Optional.empty();
  }

  /// Where the keeper has what belongs to an operation.
  static String placeOf(Sandbox sandbox, String operation) {
    return sandbox.homeDirectory() + "/.gorkie/performed/" + operation;
  }

  /// Derived, so that no answer can name another place.
  static String placeOf(Sandbox sandbox, Artifact artifact) {
    return placeOf(sandbox, artifact.operation()) + "/artifacts/" + artifact.sha256();
  }

  /// Sees to it that it can be begun.
  void given() {
    var bytes = wish.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= ARGUMENT_BYTES_MAX && !wish.has("env")) {
      argument = Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    } else {
      sandbox.upload(placeOf(sandbox, id) + "/request", new ByteArrayInputStream(bytes));
    }
  }

  /// What it has printed from these offsets on, as soon as there is something. Empty where it was not begun.
  static Optional<JsonNode> printed(
      Sandbox sandbox, String id, long stdout, long stderr, Duration wait) {
    var command =
        "%s%s --wait %d --stdout %d --stderr %d"
            .formatted(KEEPER, id, wait.toSeconds(), stdout, stderr);
    return Optional.of(answer(sandbox, command, wait)).filter(it -> !isUnknown(it));
  }

  private static boolean isUnknown(JsonNode answer) {
    return answer.path("state").asText().equals("unknown");
  }

  /// What came of it, if that is known within this time.
  Optional<ObjectNode> result(Duration wait) {
    var command =
        KEEPER + id + argument.map(it -> " " + it).orElse("") + " --wait " + wait.toSeconds();
    var answer = answer(sandbox, command, wait);
    if (isUnknown(answer)) {
      // Another one who was at it has put away what we gave.
      given();
    }
    var result = answer.path("result");
    return answer.path("state").asText().equals("done") && result.isObject()
        ? Optional.of((ObjectNode) result)
        : Optional.empty();
  }

  private static JsonNode answer(Sandbox sandbox, String command, Duration wait) {
    var executed =
        sandbox.execute(command, Duration.ofSeconds(wait.toSeconds()).plus(BESIDE_THE_WAIT));
    if (executed.exitCode() == WRONG_USAGE
        || executed.exitCode() == CANNOT_BE_RUN
        || executed.exitCode() == NO_PROGRAM) {
      throw new Failure(
          SandboxFailure.NO_IMAGE,
          sandbox.id() + " has no keeper that performs: exit code " + executed.exitCode());
    }
    if (executed.exitCode() != 0) {
      throw new Failure(
          SandboxFailure.UNREACHABLE,
          sandbox.id() + " has a keeper that came to nothing: exit code " + executed.exitCode());
    }
    try {
      return JSON.readTree(executed.output());
    } catch (JsonProcessingException e) {
      throw new Failure(SandboxFailure.UNREACHABLE, sandbox.id() + " answered with no JSON", e);
    }
  }
}
