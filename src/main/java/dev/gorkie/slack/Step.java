package dev.gorkie.slack;

import java.time.Duration;

/// How far one try to say something has come.
sealed interface Step {

  /// It is there, as this message or file.
  record There(String id) implements Step {}

  /// Nothing is lost: another try after this.
  record NotNow(Duration pause) implements Step {}

  /// Slack understood and will not take it; `error` is its word for why.
  record Refused(String error) implements Step {}

  /// It may be there or not, and nobody can tell.
  record Unsure(String why) implements Step {}
}
