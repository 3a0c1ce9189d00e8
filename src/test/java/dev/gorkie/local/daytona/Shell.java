package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The ground on which a sandbox's processes stand: its directories and an environment with nothing of ours in it.
final class Shell {

  private static final String USER = "daytona";
  // What a real sandbox's terminals show before anybody asked for anything.
  private static final String PROFILE =
      """
      [ -f ~/.bashrc ] && . ~/.bashrc
      echo "Welcome. Last login: $(date)"
      """;
  private static final String RC =
      """
      PS1='\\[\\e]0;\\u@sandbox\\a\\]\\[\\e[32m\\]\\u@sandbox\\[\\e[0m\\]:\\w\\$ '
      """;

  private final Path home;
  private final Path work;
  private final Path temporary;
  private final Path image;
  private final JsonNode own;
  private final Supplier<Map<String, String>> secrets;
  private final SandboxProcesses processes;
  // As they were when it was started.
  private volatile Map<String, String> mounted = Map.of();

  Shell(
      Path directory,
      Path image,
      JsonNode own,
      Supplier<Map<String, String>> secrets,
      SandboxProcesses processes) {
    this.home = directory.resolve("home").resolve(USER);
    this.work = home.resolve("work");
    this.temporary = directory.resolve("tmp");
    this.image = image;
    this.own = own;
    this.secrets = secrets;
    this.processes = processes;
  }

  Path home() {
    return home;
  }

  Path work() {
    return work;
  }

  SandboxProcesses processes() {
    return processes;
  }

  /// What does not outlive a stop is empty, what does is there.
  void prepare() throws IOException {
    mounted = secrets.get();
    Disk.delete(temporary);
    Files.createDirectories(temporary);
    if (Files.notExists(home)) {
      Files.createDirectories(work);
      Files.writeString(home.resolve(".bash_profile"), PROFILE);
      Files.writeString(home.resolve(".bashrc"), RC);
    }
  }

  /// Relative paths are of the work directory.
  Path resolve(String path) {
    return work.resolve(path).normalize();
  }

  Map<String, String> environment(Map<String, String> more) {
    var environment = new HashMap<String, String>();
    environment.put("HOME", home.toString());
    environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"));
    environment.put("USER", USER);
    environment.put("LOGNAME", USER);
    environment.put("SHELL", bash());
    environment.put("LANG", "C.UTF-8");
    environment.put("TMPDIR", temporary.toString());
    environment.put("GORKIE", image.toString());
    own.properties().forEach(entry -> environment.put(entry.getKey(), entry.getValue().asText()));
    environment.putAll(mounted);
    environment.putAll(more);
    environment.putAll(processes.marker());
    return environment;
  }

  static String bash() {
    return firstOf("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash").orElse("bash");
  }

  /// A command that leads a process group of its own, so that it can be killed with all that belong to it.
  static List<String> leading(List<String> command) {
    var leader =
        firstOf("/usr/bin/setsid", "/bin/setsid")
            .map(List::of)
            .orElse(
                List.of("perl", "-MPOSIX", "-e", "POSIX::setsid(); exec @ARGV or exit 126", "--"));
    return Stream.concat(leader.stream(), command.stream()).toList();
  }

  private static Optional<String> firstOf(String... paths) {
    return Stream.of(paths).filter(path -> Files.isExecutable(Path.of(path))).findFirst();
  }
}
