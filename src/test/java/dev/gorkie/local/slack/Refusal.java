package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.util.List;

/// Slack's no: HTTP 200, `ok:false`, an error code and perhaps a reason.
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String error;
  private final List<String> reasons;
  // Exceptions can be written down, and JSON cannot.
  private final transient JsonObject more = new JsonObject();

  Refusal(String error, String... reasons) {
    super(error + " " + List.of(reasons), null, false, false);
    this.error = error;
    this.reasons = List.of(reasons);
  }

  /// The same with another field in its answer.
  Refusal with(String field, Object value) {
    more.put(field, value);
    return this;
  }

  JsonObject more() {
    return more;
  }

  String error() {
    return error;
  }

  List<String> reasons() {
    return reasons;
  }
}
