package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;

/// What one method of the Web API does.
@FunctionalInterface
interface Method {

  /// The answer's fields beside `ok`.
  ///
  /// @throws Refusal when Slack says no
  JsonObject answer(Call call);
}
