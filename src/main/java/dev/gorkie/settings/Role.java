package dev.gorkie.settings;

/// What this process is here for. One program, deployed with different rights.
public enum Role {
  /// Everything in one process, on a laptop or a host of its own.
  SERVER,
  /// The first function: Slack's three seconds.
  INGRESS,
  /// The second function: the work itself.
  WORKER,
  /// The third function: the door for programs.
  API,
  /// Nobody's server: looks once whether a message could be answered.
  DOCTOR,
  /// Nobody's server: tells once what happened to a thread.
  TRACE;

  public boolean hearsSlack() {
    return this == SERVER || this == INGRESS;
  }

  /// Whether it is frozen between two requests.
  public boolean isFunction() {
    return this == INGRESS || this == WORKER || this == API;
  }

  public boolean hearsPrograms() {
    return this == SERVER || this == API;
  }

  public boolean works() {
    return this == SERVER || this == WORKER;
  }
}
