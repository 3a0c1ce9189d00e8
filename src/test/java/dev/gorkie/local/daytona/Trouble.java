package dev.gorkie.local.daytona;

import java.time.Duration;
import java.util.Map;

/// Something that goes wrong with calls of a method (`*` for any) whose path a regular expression is found in.
///
/// @param times how many calls it happens to
/// @param delay before anything else happens
/// @param effects how often what was asked for is really done
public record Trouble(
    String method, String path, int times, Duration delay, int effects, Ending ending) {

  /// What the client gets.
  public sealed interface Ending {

    /// The answer it would have got anyhow; without an effect there is none, and the connection drops.
    record Real() implements Ending {}

    record Instead(int status, Map<String, String> headers, String body) implements Ending {}

    /// A connection that drops.
    record Lost() implements Ending {}
  }

  public static Trouble on(String method, String path) {
    return new Trouble(method, path, 1, Duration.ZERO, 1, new Ending.Real());
  }

  public Trouble times(int times) {
    return new Trouble(method, path, times, delay, effects, ending);
  }

  public Trouble after(Duration delay) {
    return new Trouble(method, path, times, delay, effects, ending);
  }

  /// Answers this, and nothing is done.
  public Trouble answering(int status, String body) {
    return answering(status, Map.of(), body);
  }

  public Trouble answering(int status, Map<String, String> headers, String body) {
    return new Trouble(method, path, times, delay, 0, new Ending.Instead(status, headers, body));
  }

  /// Drops the connection, and nothing is done.
  public Trouble dropping() {
    return new Trouble(method, path, times, delay, 0, new Ending.Lost());
  }

  /// What was asked for is done all the same, only its answer is lost.
  public Trouble withEffect() {
    return new Trouble(method, path, times, delay, 1, ending);
  }

  /// A proxy that sends the same call again.
  public Trouble twice() {
    return new Trouble(method, path, times, delay, 2, ending);
  }
}
