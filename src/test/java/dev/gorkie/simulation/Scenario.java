package dev.gorkie.simulation;

import java.time.Duration;
import java.util.Optional;

/// What people do, and what goes wrong meanwhile.
///
/// @param threads in all workspaces; each is asked in from time to time
/// @param asked how many questions come in an hour, in all workspaces
/// @param burst how often as many come in the five minutes after the first ten
/// @param noise how often as many come in the first workspace as in each of the others
/// @param outage how long Slack takes nothing, from the tenth minute on
/// @param lasts after which nothing more comes in; what came is brought to its end
/// @param work what each turn is made of; drawn by chance where it is not said
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
    Optional<Work> work,
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
        Optional.empty(),
        1);
  }

  /// So many turns of one kind that are asked for within some time, and nothing else.
  public static Scenario round(String name, int workspaces, int turns, Duration within, Work each) {
    return new Scenario(
        name,
        workspaces,
        workspaces * turns,
        turns * (double) Duration.ofHours(1).toMillis() / within.toMillis(),
        1,
        1,
        Duration.ZERO,
        within,
        Limits.askedFor(workspaces * turns),
        Optional.of(each),
        1);
  }

  public Scenario burst(double times) {
    return new Scenario(
        name, workspaces, threads, asked, times, noise, outage, lasts, limits, work, seed);
  }

  public Scenario noise(double times) {
    return new Scenario(
        name, workspaces, threads, asked, burst, times, outage, lasts, limits, work, seed);
  }

  public Scenario outage(Duration newOutage) {
    return new Scenario(
        name, workspaces, threads, asked, burst, noise, newOutage, lasts, limits, work, seed);
  }

  public Scenario lasting(Duration newLasts) {
    return new Scenario(
        name, workspaces, threads, asked, burst, noise, outage, newLasts, limits, work, seed);
  }
}
