package dev.gorkie.local;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/// A real PostgreSQL whose data outlives it.
public final class Database implements AutoCloseable {

  // Kept, since a logger nobody holds forgets its level.
  private static final Logger ITS_LOG = Logger.getLogger("io.zonky.test");

  private static final String USER = "postgres";
  private static final String NAME = "postgres";

  private final EmbeddedPostgres server;

  private Database(EmbeddedPostgres server) {
    this.server = server;
  }

  /// Port 0 is any that is free.
  static Database start(Path data, int port) throws IOException {
    ITS_LOG.setLevel(Level.WARNING);
    endOrphan(data);
    Port.free(port, Options.OTHER_PORTS);
    EmptyCluster.at(data);
    var server =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPort(port);
    return new Database(server.start());
  }

  /// Empties a database that other migrations made than those in the checkout: they would be refused.
  ///
  /// @return the script that stood against it
  Optional<String> emptiedFor(Migrations migrations) throws IOException {
    try (var connection = server.getPostgresDatabase().getConnection()) {
      var refused = migrations.refused(connection);
      if (refused.isPresent()) {
        try (var statement = connection.createStatement()) {
          statement.execute("drop schema public cascade; create schema public");
        }
      }
      return refused;
    } catch (SQLException failure) {
      throw new IOException(failure);
    }
  }

  /// As providers write it. The server trusts whoever reaches the loopback address, so any password does.
  public String url() {
    return "postgresql://%s:password-of-the-local-database@127.0.0.1:%d/%s"
        .formatted(USER, server.getPort(), NAME);
  }

  /// The same, for who is in this process.
  DataSource source() {
    return server.getPostgresDatabase();
  }

  public int port() {
    return server.getPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  // A world that was killed outright leaves its server behind, and that one still holds the data.
  private static void endOrphan(Path data) throws IOException {
    var file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return;
    }
    var pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
    var orphan = ProcessHandle.of(pid).filter(process -> isServerOf(process, data));
    orphan.ifPresent(
        server -> {
          server.destroy();
          server.onExit().join();
        });
  }

  private static boolean isServerOf(ProcessHandle process, Path data) {
    var arguments = process.info().arguments().orElse(new String[0]);
    return List.of(arguments).contains(data.toString());
  }
}
