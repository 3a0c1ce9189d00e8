package dev.gorkie;

import dev.gorkie.local.EmptyCluster;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A PostgreSQL for the rooms that are about tables, and settings enough that the program starts. Where PgBouncer is installed it
/// stands between, so that what the rooms do with their tables is tried through a pooler in transaction mode.
public final class RealDatabase implements QuarkusTestResourceLifecycleManager {

  // Tests that race are twenty at once; with fewer than that somebody waits, as behind a real one.
  private static final int CONNECTIONS = 10;

  private @Nullable Path directory;
  private @Nullable EmbeddedPostgres server;
  private @Nullable Pooler pooler;

  @Override
  public Map<String, String> start() {
    var settings = new HashMap<String, String>();
    try {
      directory = Files.createTempDirectory("gorkie-database");
      var data = directory.resolve("data");
      EmptyCluster.at(data);
      server =
          EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).start();
      var url = "postgresql://postgres:postgres@127.0.0.1:" + server.getPort() + "/postgres";
      if (Pooler.isInstalled()) {
        pooler = Pooler.before(url, CONNECTIONS);
        url = pooler.url();
      }
      settings.put("DATABASE_URL", url);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Twenty at once wait for each other, on a busy machine for long.
    settings.put("quarkus.datasource.jdbc.acquisition-timeout", "30s");
    settings.put("SLACK_SIGNING_SECRET", "secret");
    settings.put("SLACK_BOT_TOKEN", "xoxb-token");
    settings.put("DAYTONA_API_KEY", "key");
    settings.put("DAYTONA_SNAPSHOT", "gorkie-test");
    settings.put("MODEL_BASE_URL", "http://127.0.0.1:1/v1");
    settings.put("MODEL_ID", "none");
    settings.put("MODEL_API_KEY", "key");
    // Nothing is to be claimed but by the tests themselves.
    settings.put("gorkie.sweep.every", "off");
    settings.put("gorkie.sweep.pause-every", "off");
    settings.put("gorkie.sweep.reconcile-every", "off");
    settings.put("gorkie.sweep.words-every", "off");
    settings.put("gorkie.sweep.suspended-every", "off");
    return settings;
  }

  @Override
  public void stop() {
    if (pooler != null) {
      pooler.close();
    }
    try {
      if (server != null) {
        server.close();
      }
      if (directory != null) {
        EmptyCluster.remove(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
