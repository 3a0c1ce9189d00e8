package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Call;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// SQS for what reads the queues in which failed invocations end. What was received is hidden until it is deleted or the time
/// it asked for is over, which is divided by the hurry.
final class Queues {

  private static final String TARGET = "AmazonSQS.";

  static final String SUFFIX = "-failures";

  // Where nobody says how long.
  private static final int HIDDEN_SECONDS = 30;

  private final Map<String, LambdaFunction> functions;
  private final double hurry;

  Queues(Map<String, LambdaFunction> functions, double hurry) {
    this.functions = functions;
    this.hurry = hurry;
  }

  boolean isMeant(Call call) {
    return target(call).startsWith(TARGET);
  }

  void answer(Call call) {
    var request = call.json();
    var queue = queue(request.getString("QueueUrl", ""));
    if (queue.isEmpty()) {
      new AwsError(400, "QueueDoesNotExist", "The specified queue does not exist.").answer(call);
      return;
    }
    switch (target(call)) {
      case TARGET + "ReceiveMessage" -> {
        var messages = new JsonArray();
        queue
            .get()
            .receive(request.getInteger("MaxNumberOfMessages", 1), hidden(request))
            .forEach(
                (handle, failure) ->
                    messages.add(JsonObject.of("ReceiptHandle", handle, "Body", failure.encode())));
        answer(call, messages.isEmpty() ? new JsonObject() : JsonObject.of("Messages", messages));
      }
      case TARGET + "DeleteMessage" -> {
        queue.get().delete(request.getString("ReceiptHandle", ""));
        answer(call, new JsonObject());
      }
      default -> new AwsError(400, "UnknownOperationException", target(call)).answer(call);
    }
  }

  private Duration hidden(JsonObject request) {
    var seconds = request.getInteger("VisibilityTimeout", HIDDEN_SECONDS);
    return Duration.ofMillis((long) (Duration.ofSeconds(seconds).toMillis() / hurry));
  }

  private Optional<Failures> queue(String url) {
    var name = url.substring(url.lastIndexOf('/') + 1);
    return name.endsWith(SUFFIX)
        ? Optional.ofNullable(functions.get(name.substring(0, name.length() - SUFFIX.length())))
            .map(LambdaFunction::failures)
        : Optional.empty();
  }

  private static String target(Call call) {
    return call.header("x-amz-target").orElse("");
  }

  private static void answer(Call call, JsonObject content) {
    call.answer(200, "application/x-amz-json-1.0", content.toBuffer().getBytes());
  }
}
