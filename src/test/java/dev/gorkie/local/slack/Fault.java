package dev.gorkie.local.slack;

import java.time.Duration;

/// Something that goes wrong with one call.
public sealed interface Fault {

  /// HTTP 429 that says how long to wait; the call is not carried out.
  record RateLimited(Duration retryAfter) implements Fault {}

  /// Another HTTP status; the call is not carried out.
  record Status(int status) implements Fault {}

  /// `ok:false` with this error; the call is not carried out.
  record Refused(String error) implements Fault {}

  /// The connection is cut before the call is carried out.
  record NeverArrived() implements Fault {}

  /// The call is carried out, and the connection cut before the answer.
  record AnswerLost() implements Fault {}

  /// The call is carried out after this long.
  record Delayed(Duration by) implements Fault {}
}
