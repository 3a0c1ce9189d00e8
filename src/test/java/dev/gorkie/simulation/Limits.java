package dev.gorkie.simulation;

/// What the services allow; each as it is published, or as the contract says that somebody has.
///
/// @param functions Lambda's instances at once, by account and region
/// @param moreFunctions by how many instances a function may grow in ten seconds
/// @param machines sandboxes that run at once: a pool of so many processors, one each
/// @param creates sandboxes that are made in a minute
/// @param starts sandboxes that are started or stopped in a minute
/// @param transactions that the database does in a second
/// @param perWorkspace turns of one workspace at once; as many as come where it is 0
public record Limits(
    int functions,
    int moreFunctions,
    int machines,
    int creates,
    int starts,
    double transactions,
    int perWorkspace) {

  // Lambda: 1,000 at once, and 1,000 more every ten seconds. Daytona's highest tier that can be had
  // without asking: 500 processors, 600 creations and 50,000 starts a minute. A small PostgreSQL
  // does some thousand of our transactions.
  public static Limits published() {
    return new Limits(1_000, 1_000, 500, 600, 50_000, 3_000, 0);
  }

  /// As somebody asks for who has so many turns at once: a sandbox runs on for five minutes after each, so that there are
  /// several for one that is at work.
  public static Limits askedFor(int turns) {
    return new Limits(2 * turns, 1_000, 10 * turns, 6_000, 50_000, 5 * turns, 0);
  }

  public Limits perWorkspace(int turns) {
    return new Limits(functions, moreFunctions, machines, creates, starts, transactions, turns);
  }
}
