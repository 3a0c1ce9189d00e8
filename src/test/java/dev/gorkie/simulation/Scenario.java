package dev.gorkie.simulation;

import java.time.Duration;

/// What people do, and what goes wrong meanwhile.
///
/// @param threads in all workspaces; each is asked in from time to time
/// @param asked how many questions come in an hour, in all workspaces
/// @param burst how often as many come in the five minutes after the first ten
/// @param noise how often as many come in the first workspace as in each of the others
/// @param outage how long Slack takes nothing, from the tenth minute on
/// @param lasts after which nothing more comes in; what came is brought to its end
public record Scenario(
    String name,
    int workspaces,
    int threads,
    double asked,
    double burst,
    double noise,
    Duration outage,
    Duration lasts,
    Limits limits,
    long seed) {

  /// As many as are at work at once when they come so often and take as long as they do.
  public static Scenario of(String name, int workspaces, int threads, int atOnce, Limits limits) {
    return new Scenario(
        name,
        workspaces,
        threads,
        atOnce * Duration.ofHours(1).toSeconds() / Work.SECONDS_MEAN,
        1,
        1,
        Duration.ZERO,
        Duration.ofMinutes(30),
        limits,
        1);
  }

  public Scenario burst(double times) {
    return new Scenario(
        name, workspaces, threads, asked, times, noise, outage, lasts, limits, seed);
  }

  public Scenario noise(double times) {
    return new Scenario(
        name, workspaces, threads, asked, burst, times, outage, lasts, limits, seed);
  }

  public Scenario outage(Duration newOutage) {
    return new Scenario(
        name, workspaces, threads, asked, burst, noise, newOutage, lasts, limits, seed);
  }

  public Scenario lasting(Duration newLasts) {
    return new Scenario(
        name, workspaces, threads, asked, burst, noise, outage, newLasts, limits, seed);
  }
}
