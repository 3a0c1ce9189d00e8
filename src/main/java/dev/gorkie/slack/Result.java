package dev.gorkie.slack;

import java.time.Duration;
import java.util.function.Function;

/// What became of a call to Slack.
sealed interface Result<T> {

  record Ok<T>(T answer) implements Result<T> {}

  /// Slack understood and did nothing; `error` is its word for why.
  record Refused<T>(String error) implements Result<T> {}

  /// Slack did nothing and wants to be asked again after this.
  record Later<T>(Duration pause) implements Result<T> {}

  /// No answer, or none that says anything: it may have been done or not.
  record Lost<T>(String why) implements Result<T> {}

  default <U> Result<U> map(Function<T, U> read) {
    return switch (this) {
      case Ok<T>(var answer) -> new Ok<>(read.apply(answer));
      case Refused<T>(var error) -> new Refused<>(error);
      case Later<T>(var pause) -> new Later<>(pause);
      case Lost<T>(var why) -> new Lost<>(why);
    };
  }
}
