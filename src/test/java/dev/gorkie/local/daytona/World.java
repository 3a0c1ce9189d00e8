package dev.gorkie.local.daytona;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// A local Daytona for one test, ten times as fast as usual, and a client of it.
record World(LocalDaytona daytona, Client client) implements AutoCloseable {

  static World in(Path directory) throws Exception {
    return in(directory, UnaryOperator.identity());
  }

  static World in(Path directory, UnaryOperator<LocalDaytona.Settings> change) throws Exception {
    var settings =
        LocalDaytona.Settings.of(directory.resolve("sandboxes"), directory.resolve("image"))
            .withDelays(Delays.usual().dividedBy(10));
    var daytona = LocalDaytona.start(change.apply(settings));
    return new World(daytona, new Client(daytona.url()));
  }

  @Override
  public void close() {
    client.close();
    daytona.close();
  }
}
