package dev.gorkie;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// PgBouncer before a PostgreSQL, in transaction mode: each transaction gets another of the server's connections than the last
/// one, so that whatever is left behind in one is missed at once.
public final class Pooler implements AutoCloseable {

  /// What a test that needs it says where it is missing.
  public static final String MISSING =
      "There is no pgbouncer on this machine. Debian's package of that name has it.";

  // Where a system program lies that is not on everybody's path.
  private static final String SYSTEM = "/usr/sbin";

  private final Process process;
  private final String url;

  private Pooler(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  public static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of(SYSTEM))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// @param database what is to be reached through it, as `postgresql://user:password@host:port/name`
  /// @param connections how many it opens itself
  public static Pooler before(String database, int connections) throws IOException {
    var server = URI.create(database);
    var port = freePort();
    var folder = Files.createTempDirectory("gorkie-pooler");
    // It refuses to run as root, and whom it runs as then must be able to read this.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    var settings = folder.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        """
        [databases]
        * = host=%s port=%d user=%s
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        default_pool_size = %d
        server_round_robin = 1
        max_client_conn = 500
        """
            .formatted(server.getHost(), server.getPort(), user(server), port, connections));
    Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-r--r--"));
    var command = new ArrayList<>(List.of(program().orElseThrow().toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(settings.toString());
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    awaitDoor(process, port, folder.resolve("log"));
    return new Pooler(
        process,
        "postgresql://%s@127.0.0.1:%d%s".formatted(server.getUserInfo(), port, server.getPath()));
  }

  private static String user(URI server) {
    return server.getUserInfo().split(":", 2)[0];
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitDoor(Process process, int port, Path log) throws IOException {
    Await.until(() -> isOpen(port) || !process.isAlive());
    if (!process.isAlive()) {
      throw new IOException(
          "pgbouncer did not start: " + Files.readString(log, StandardCharsets.UTF_8));
    }
  }

  private static boolean isOpen(int port) {
    try (var door = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return door.isConnected();
    } catch (IOException _) {
      return false;
    }
  }

  /// For whoever is to take it for the database itself.
  public String url() {
    return url;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
