package dev.gorkie.campaign;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Hears what an application says to Slack, Daytona and the database, and when, and keeps nothing from it.
public final class Wiretap implements AutoCloseable {

  private final Relays relays;
  // Guarded by itself:
  private final List<Heard> heard = new ArrayList<>();

  /// @param wire `slack`, `daytona` or `db`
  /// @param what the method, the route or the statements up to one answer
  /// @param isAnswer whether it came back
  public record Heard(long nanos, String wire, String what, boolean isAnswer) {}

  private Wiretap(Map<String, String> environment) throws IOException {
    relays = Relays.between(environment, this::note);
  }

  /// Between an application with this environment and its world.
  public static Wiretap on(Map<String, String> environment) throws IOException {
    return new Wiretap(environment);
  }

  /// The same, with the ways that are listened to.
  public Map<String, String> environment() {
    return relays.environment();
  }

  /// All that was heard since the last time.
  public List<Heard> take() {
    synchronized (heard) {
      var all = List.copyOf(heard);
      heard.clear();
      return all;
    }
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
    relays.close();
  }
}
