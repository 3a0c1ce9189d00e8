package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Call;
import io.vertx.core.json.JsonObject;

/// An error as AWS words it.
record AwsError(int status, String type, String message) {

  static AwsError notFound(String what) {
    return new AwsError(404, "ResourceNotFoundException", what);
  }

  static AwsError throttled() {
    return new AwsError(429, "TooManyRequestsException", "Rate Exceeded.");
  }

  void answer(Call call) {
    call.with("x-amzn-errortype", type)
        .answer(status, JsonObject.of("__type", type, "message", message));
  }
}
