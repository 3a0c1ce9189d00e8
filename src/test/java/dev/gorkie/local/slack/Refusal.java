package dev.gorkie.local.slack;

import java.util.List;

/// Slack's no: HTTP 200, `ok:false`, an error code and perhaps a reason.
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String error;
  private final List<String> reasons;

  Refusal(String error, String... reasons) {
    super(error + " " + List.of(reasons), null, false, false);
    this.error = error;
    this.reasons = List.of(reasons);
  }

  String error() {
    return error;
  }

  List<String> reasons() {
    return reasons;
  }
}
