package dev.gorkie;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A PostgreSQL for the rooms that are about tables, and settings enough that the program starts.
public final class RealDatabase implements QuarkusTestResourceLifecycleManager {

  private @Nullable EmbeddedPostgres server;

  @Override
  public Map<String, String> start() {
    try {
      server = EmbeddedPostgres.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var settings = new HashMap<String, String>();
    settings.put(
        "DATABASE_URL",
        "postgresql://postgres:postgres@127.0.0.1:" + server.getPort() + "/postgres");
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
    if (server != null) {
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
