package dev.gorkie.start;

import dev.gorkie.database.Database;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import org.jboss.logging.Logger;

/// Brings the tables to this version, and is gone.
public final class Migrate implements QuarkusApplication {

  private static final Logger LOG = Logger.getLogger(Migrate.class);

  private final Database database;

  @Inject
  Migrate(Database database) {
    this.database = database;
  }

  @Override
  public int run(String... arguments) {
    LOG.infof("The tables are up to date; migrations run: %d", database.migrate());
    return 0;
  }
}
