package dev.gorkie.local.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The processes of the application that lives in this world. They are known by its secret in their environment.
///
/// @param secret a variable with its value, which no other world gives out
/// @param again made when one is killed, so that who started it starts it again
public record Workers(String secret, Path again) {

  // The packaged server, and the one that dev mode starts.
  private static final List<String> PROGRAMS = List.of("quarkus-run.jar", "-dev.jar");

  /// How many were there.
  int kill() throws IOException {
    var all = ProcessHandle.allProcesses().filter(this::isOne).toList();
    if (!all.isEmpty()) {
      Files.writeString(again, "");
    }
    all.forEach(ProcessHandle::destroyForcibly);
    return all.size();
  }

  private boolean isOne(ProcessHandle process) {
    try {
      var environment = read(process, "environ");
      var command = read(process, "cmdline");
      return ("\0" + environment).contains("\0" + secret + "\0")
          && PROGRAMS.stream().anyMatch(program -> command.contains(program + "\0"));
    } catch (IOException _) {
      return false; // it is gone, somebody else's, or this is no Linux
    }
  }

  private static String read(ProcessHandle process, String file) throws IOException {
    return Files.readString(
        Path.of("/proc", Long.toString(process.pid()), file), StandardCharsets.ISO_8859_1);
  }
}
