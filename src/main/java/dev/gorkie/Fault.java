package dev.gorkie;

/// Whose fault a failure is. It decides the log level and whether another try may help.
public enum Fault {
  /// The person asked for something that cannot be done as it was asked.
  PERSON(false),
  /// A limit that was set on purpose was reached.
  LIMIT(false),
  /// Slack, Daytona or the model's provider did not do its part.
  PROVIDER(true),
  /// The operator has to change a setting or an account.
  OPERATOR(false);

  private final boolean worthAnotherTry;

  Fault(boolean worthAnotherTry) {
    this.worthAnotherTry = worthAnotherTry;
  }

  public boolean isWorthAnotherTry() {
    return worthAnotherTry;
  }
}
