package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// One command, given to a shell on its standard input and waited for.
final class Execution {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  // The pipe's end is what is waited for, and not the shell's: whatever still holds the output
  // keeps the caller.
  private static final String UNTIL_THE_PIPE_ENDS = "\"$0\" 2>&1 | cat; exit \"${PIPESTATUS[0]}\"";

  private final Shell shell;

  Execution(Shell shell) {
    this.shell = shell;
  }

  ObjectNode run(JsonNode wish) throws IOException, InterruptedException {
    var command = wish.path("command").asText();
    if (command.isEmpty()) {
      throw new Refused(400, "command is required");
    }
    var environment = new HashMap<String, String>();
    for (var entry : wish.path("envs").properties()) {
      if (!NAME.matcher(entry.getKey()).matches()) {
        throw new Refused(400, "invalid environment variable name: " + entry.getKey());
      }
      environment.put(entry.getKey(), entry.getValue().asText());
    }
    var directory = shell.resolve(wish.path("cwd").asText());
    if (!Files.isDirectory(directory)) {
      return result(-1, "");
    }
    var line = Shell.leading(List.of(Shell.bash(), "-c", UNTIL_THE_PIPE_ENDS, Shell.bash()));
    var builder = new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(shell.environment(environment));
    var process = builder.start();
    shell.processes().begun(process);
    var output = read(process);
    write(process, command);
    return await(process, output, wish.path("timeout").asLong());
  }

  private static ObjectNode await(Process process, CompletableFuture<byte[]> output, long seconds)
      throws IOException, InterruptedException {
    try {
      var bytes = seconds > 0 ? output.get(seconds, TimeUnit.SECONDS) : output.get();
      return result(process.waitFor(), new String(bytes, StandardCharsets.UTF_8));
    } catch (TimeoutException _) {
      killGroup(process);
      throw new Refused(408, "PROCESS_EXECUTION_TIMEOUT", "command execution timeout");
    } catch (ExecutionException failure) {
      throw new IOException(failure.getCause());
    }
  }

  private static CompletableFuture<byte[]> read(Process process) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return process.getInputStream().readAllBytes();
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        },
        // To read from a pipe is to wait in native code, which a virtual thread must not.
        work -> Thread.ofPlatform().daemon().name("execute-output").start(work));
  }

  private static void write(Process process, String command) {
    try (var input = process.getOutputStream()) {
      input.write(command.getBytes(StandardCharsets.UTF_8));
      input.write('\n');
    } catch (IOException _) {
      // It ended before it had read all of its script.
    }
  }

  private static void killGroup(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- -" + process.pid())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    process.destroyForcibly();
  }

  private static ObjectNode result(int exitCode, String output) {
    return Json.object().put("exitCode", exitCode).put("result", output);
  }
}
