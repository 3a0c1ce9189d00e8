package dev.gorkie.database;

import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/// The tables' version at the start of the program, where there is only one program.
@ApplicationScoped
class Migration {

  // After the settings were found complete, before anything that reads a table.
  private static final int AFTER_SETTINGS = 10;

  void atStart(
      @Observes @Priority(AFTER_SETTINGS) StartupEvent event, Database database, Rules rules) {
    if (rules.migrateAtStart()) {
      try {
        database.migrate();
      } catch (PreventFurtherStepsException told) {
        // By itself it would be taken, here, for the wish that nothing more is started, and its
        // sentence be lost.
        throw new IllegalStateException(told);
      }
    }
  }

  @ConfigMapping(prefix = "gorkie.database")
  interface Rules {

    /// Many processes that start at once would race; so only on a laptop. Elsewhere `make migrate` does it.
    @WithDefault("false")
    boolean migrateAtStart();
  }
}
