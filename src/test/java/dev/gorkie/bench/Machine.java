package dev.gorkie.bench;

import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/// What it was measured on, and what was measured.
///
/// @param name of the kind of machine, as a file may be called: figures are compared only between machines of one kind
record Machine(
    String name,
    String processor,
    int cores,
    long memoryMb,
    String system,
    String java,
    String node,
    String commit) {

  private static final long BYTES_PER_MB = 1024L * 1024;
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  static Machine here() throws IOException, InterruptedException {
    var cores = Runtime.getRuntime().availableProcessors();
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var memory = Math.round((double) system.getTotalMemorySize() / BYTES_PER_MB);
    var processor = model();
    var name =
        (processor + " " + cores + " cores " + System.getProperty("os.name"))
            .toLowerCase(Locale.ROOT)
            .replaceAll("\\([a-z]+\\)|cpu|@.*ghz|processor", " ")
            .replaceAll("[^a-z0-9]+", "-");
    return new Machine(
        name,
        processor,
        cores,
        memory,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Runtime.version().toString(),
        said("node", "--version").orElse(""),
        head());
  }

  private static String model() throws IOException {
    if (Files.isReadable(PROCESSORS)) {
      return Files.readAllLines(PROCESSORS).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    }
    return System.getProperty("os.arch");
  }

  /// With a plus where something was changed since.
  private static String head() throws IOException, InterruptedException {
    var commit = said("git", "rev-parse", "--short=12", "HEAD").orElse("");
    var changed = said("git", "status", "--porcelain", "--untracked-files=no").orElse("");
    return changed.isEmpty() ? commit : commit + "+";
  }

  private static Optional<String> said(String... command) throws InterruptedException {
    try {
      var process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      var output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty(); // it is not installed
    }
  }

  JsonObject json() {
    return new JsonObject()
        .put("name", name)
        .put("processor", processor)
        .put("cores", cores)
        .put("memoryMb", memoryMb)
        .put("system", system)
        .put("java", java)
        .put("node", node)
        .put("commit", commit);
  }

  @Override
  public String toString() {
    return "%s, %d cores, %d MB, %s, Java %s, Node %s, commit %s"
        .formatted(processor, cores, memoryMb, system, java, node, commit);
  }
}
