package dev.gorkie.health;

import dev.gorkie.database.Database;
import dev.gorkie.settings.Role;
import io.smallrye.health.api.HealthGroup;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.health.Readiness;

/// Without it no message can be taken in.
@Singleton
@Readiness
@HealthGroup("door")
class DatabaseCheck extends Remembered {

  private final Database database;

  @Inject
  DatabaseCheck(Database database, Role role, Settings settings) {
    super("database", role, settings);
    this.database = database;
  }

  @Override
  Optional<String> trouble() {
    return database.trouble();
  }
}
