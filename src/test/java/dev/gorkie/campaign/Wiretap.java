package dev.gorkie.campaign;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Hears what an application says to Slack, Daytona and the database, and when, and keeps nothing from it.
public final class Wiretap implements AutoCloseable {

  private final List<Relay> relays;
  private final Map<String, String> environment;
  // Guarded by itself:
  private final List<Heard> heard = new ArrayList<>();

  /// @param wire `slack`, `daytona` or `db`
  /// @param what the method, the route or the statements up to one answer
  /// @param isAnswer whether it came back
  public record Heard(long nanos, String wire, String what, boolean isAnswer) {}

  private Wiretap(Map<String, String> environment) throws IOException {
    var slack = URI.create(Objects.requireNonNull(environment.get("SLACK_API_URL")));
    var daytona = URI.create(Objects.requireNonNull(environment.get("DAYTONA_API_URL")));
    var database = Objects.requireNonNull(environment.get("DATABASE_URL"));
    var toSlack = http("slack", slack);
    var toDaytona = http("daytona", daytona);
    var beyond = URI.create(database).getPort();
    var toDatabase = new PostgresRelay(beyond, this::note, List::of);
    relays = List.of(toSlack, toDaytona, toDatabase);
    this.environment = new HashMap<>(environment);
    this.environment.put("SLACK_API_URL", Scene.through(toSlack, slack.getPath()));
    this.environment.put("DAYTONA_API_URL", Scene.through(toDaytona, daytona.getPath()));
    this.environment.put("DATABASE_URL", database.replace(":" + beyond, ":" + toDatabase.port()));
    relays.forEach(Relay::start);
  }

  /// Between an application with this environment and its world.
  public static Wiretap on(Map<String, String> environment) throws IOException {
    return new Wiretap(environment);
  }

  /// The same, with the ways that are listened to.
  public Map<String, String> environment() {
    return environment;
  }

  /// All that was heard since the last time.
  public List<Heard> take() {
    synchronized (heard) {
      var all = List.copyOf(heard);
      heard.clear();
      return all;
    }
  }

  private HttpRelay http(String wire, URI beyond) throws IOException {
    return new HttpRelay(
        wire,
        beyond.getPort(),
        this::note,
        List::of,
        request -> wire.equals("slack") ? Scene.method(request) : Scene.route(request));
  }

  private Gate.Verdict note(long pid, Passage passage) {
    var it =
        new Heard(
            System.nanoTime(),
            passage.wire(),
            passage.what(),
            passage.side() == Passage.Side.AFTER);
    synchronized (heard) {
      heard.add(it);
    }
    return Gate.Verdict.GO;
  }

  @Override
  public void close() throws IOException {
    for (var relay : relays) {
      relay.close();
    }
  }
}
