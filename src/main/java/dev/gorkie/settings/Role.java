package dev.gorkie.settings;

/// What this process is here for. One program, deployed with different rights.
public enum Role {
  /// Everything in one process, on a laptop or a host of its own.
  SERVER,
  /// The first function: Slack's three seconds.
  INGRESS,
  /// The second function: the work itself.
  WORKER;

  public boolean hearsSlack() {
    return this != WORKER;
  }

  public boolean works() {
    return this != INGRESS;
  }
}
