package dev.gorkie.local.aws;

import java.time.Duration;

/// What goes wrong with a call of Invoke.
public sealed interface Fault {

  /// Answered with an error; nothing was accepted. 429 is a throttle, 503 an outage.
  record Refused(int status) implements Fault {}

  /// Accepted, and delivered twice.
  record Doubled() implements Fault {}

  /// Answered that much later.
  record Delayed(Duration by) implements Fault {}

  /// Accepted, but the answer never arrives: the connection is closed.
  record AnswerLost() implements Fault {}
}
