package dev.gorkie.campaign;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Between one application and its world: what it says to Slack, Daytona and the database goes through a gate.
final class Relays implements AutoCloseable {

  private final Gate gate;
  private final List<Relay> relays;
  private final Map<String, String> environment;

  private Relays(Map<String, String> environment, Gate gate) throws IOException {
    this.gate = gate;
    var slack = URI.create(Objects.requireNonNull(environment.get("SLACK_API_URL")));
    var daytona = URI.create(Objects.requireNonNull(environment.get("DAYTONA_API_URL")));
    var database = Objects.requireNonNull(environment.get("DATABASE_URL"));
    var toSlack = http("slack", slack);
    var toDaytona = http("daytona", daytona);
    var beyond = URI.create(database).getPort();
    var toDatabase = new PostgresRelay(beyond, gate, List::of);
    relays = List.of(toSlack, toDaytona, toDatabase);
    this.environment = new HashMap<>(environment);
    this.environment.put("SLACK_API_URL", Scene.through(toSlack, slack.getPath()));
    this.environment.put("DAYTONA_API_URL", Scene.through(toDaytona, daytona.getPath()));
    this.environment.put("DATABASE_URL", database.replace(":" + beyond, ":" + toDatabase.port()));
    relays.forEach(Relay::start);
  }

  /// @param environment what the application would be started with
  static Relays between(Map<String, String> environment, Gate gate) throws IOException {
    return new Relays(environment, gate);
  }

  /// The same, with the ways that lead through the gate.
  Map<String, String> environment() {
    return environment;
  }

  private HttpRelay http(String wire, URI beyond) throws IOException {
    return new HttpRelay(
        wire,
        beyond.getPort(),
        gate,
        List::of,
        request -> wire.equals("slack") ? Scene.method(request) : Scene.route(request));
  }

  @Override
  public void close() throws IOException {
    for (var relay : relays) {
      relay.close();
    }
  }
}
