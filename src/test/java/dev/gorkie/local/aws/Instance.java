package dev.gorkie.local.aws;

/// What handles one invocation at a time.
interface Instance extends AutoCloseable {

  String name();

  boolean isIdle();

  /// Whether it has started and waits for its next invocation.
  boolean isWarm();

  /// Whether it ever has.
  boolean wasWarm();

  boolean isDead();

  /// Called on an idle instance only, which is busy from then on.
  void take(Invocation invocation);

  /// Ends it at once, whatever it is doing.
  @Override
  void close();
}
