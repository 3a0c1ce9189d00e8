package dev.gorkie.start;

import dev.gorkie.database.Database;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;

/// A server, as long as nobody ends it; not in front of tables that it cannot work with.
public final class Serve implements QuarkusApplication {

  private static final int WRONG_STATE = 1;

  private final Database database;

  @Inject
  Serve(Database database) {
    this.database = database;
  }

  @Override
  public int run(String... arguments) {
    if (database.isBehind()) {
      System.err.println(
          "Gorkie does not start: the tables of its database are older than this version, or not there yet."
              + " “make migrate” brings them up to date.");
      return WRONG_STATE;
    }
    Quarkus.waitForExit();
    return 0;
  }
}
