package dev.gorkie.campaign;

import dev.gorkie.way.Gorkie;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// The application as one server, which may be killed and is started again.
final class Server implements AutoCloseable {

  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final long BYTES_PER_MB = 1_000_000;
  private static final long KB_PER_MB = 1_024;
  private static final long COUNTED_WITHIN_S = 60;

  private final Map<String, String> environment;
  private final int heapMb;
  private Gorkie gorkie;

  private Server(Map<String, String> environment, int heapMb) throws IOException {
    this.environment = environment;
    this.heapMb = heapMb;
    this.gorkie = Gorkie.start(environment, heapMb);
  }

  static Server start(Map<String, String> environment, int heapMb) throws IOException {
    return new Server(environment, heapMb);
  }

  Gorkie gorkie() {
    return gorkie;
  }

  /// In the middle of whatever it does; the next one listens elsewhere.
  void killAndStart() throws IOException, InterruptedException {
    gorkie.kill();
    gorkie = Gorkie.start(environment, heapMb);
  }

  /// What the kernel has given it.
  long residentMb() throws IOException {
    try (var lines =
        Files.lines(Path.of("/proc", Long.toString(gorkie.process().pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / KB_PER_MB)
          .findFirst()
          .orElse(0);
    }
  }

  /// What is in use on its heap after all else was collected; empty for one that is no JVM.
  Optional<Long> liveMb() throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (System.getProperty("gorkie.server") != null || !Files.isExecutable(jcmd)) {
      return Optional.empty();
    }
    var counts = Files.createTempFile("gorkie-heap", ".txt");
    try {
      var asked =
          new ProcessBuilder(
                  List.of(
                      jcmd.toString(), Long.toString(gorkie.process().pid()), "GC.class_histogram"))
              .redirectErrorStream(true)
              .redirectOutput(counts.toFile())
              .start();
      if (!asked.waitFor(COUNTED_WITHIN_S, TimeUnit.SECONDS)) {
        asked.destroyForcibly();
      }
      var total = TOTAL.matcher(Files.readString(counts, StandardCharsets.UTF_8));
      return total.find()
          ? Optional.of(Long.parseLong(total.group(1)) / BYTES_PER_MB)
          : Optional.empty();
    } finally {
      Files.delete(counts);
    }
  }

  @Override
  public void close() throws InterruptedException {
    gorkie.close();
  }
}
