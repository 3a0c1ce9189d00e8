package dev.gorkie.sessions;

import dev.gorkie.RealDatabase;
import dev.gorkie.daytona.LocalDaytonaResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/// A PostgreSQL, and a Daytona on this machine whose sandboxes have the real keeper.
public final class DatabaseAndDaytona implements QuarkusTestResourceLifecycleManager {

  /// A key with which something was sealed before there was another one.
  public static final String OLDER = "b2xkZXJvbGRlcm9sZGVyb2xkZXJvbGRlcm9sZGVyb2w=";

  private final RealDatabase database = new RealDatabase();
  private final LocalDaytonaResource daytona =
      new LocalDaytonaResource() {
        @Override
        protected Path image(Path directory) {
          var image = System.getenv("GORKIE");
          if (image == null) {
            throw new AssertionError("GORKIE is not set; “make test” sees to it");
          }
          return Path.of(image);
        }
      };

  @Override
  public Map<String, String> start() {
    var settings = new HashMap<>(database.start());
    daytona
        .start()
        .forEach(
            (name, value) -> {
              if (name.startsWith("gorkie.daytona.")) {
                settings.put(name, value);
              }
            });
    // Longer than a sandbox takes here, and not worth waiting for.
    settings.put("gorkie.api.patience", "2S");
    settings.put(
        "GORKIE_TOKEN_KEY", Base64.getEncoder().encodeToString(new byte[32]) + "," + OLDER);
    settings.put("gorkie.sessions.room-every", "0.1S");
    settings.put("gorkie.sessions.room-patience", "5S");
    return settings;
  }

  @Override
  public void stop() {
    daytona.stop();
    database.stop();
  }
}
