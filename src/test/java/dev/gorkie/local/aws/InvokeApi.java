package dev.gorkie.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.local.wire.Call;
import dev.gorkie.local.wire.Recording;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

/// `POST /2015-03-31/functions/{name}/invocations`.
final class InvokeApi {

  private static final Pattern PATH = Pattern.compile("/2015-03-31/functions/([^/]+)/invocations");
  private static final int EVENT_BYTES_MAX = 1024 * 1024;
  private static final int REQUEST_BYTES_MAX = 6 * 1024 * 1024;

  private final Map<String, LambdaFunction> functions;
  private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
  private final Recording<Invoked> invoked = new Recording<>();
  private final Recording<Accepted> accepted = new Recording<>();

  InvokeApi(Map<String, LambdaFunction> functions) {
    this.functions = functions;
  }

  boolean isMeant(Call call) {
    return PATH.matcher(call.path()).matches();
  }

  /// One for each of the next calls.
  Queue<Fault> faults() {
    return faults;
  }

  Recording<Invoked> invoked() {
    return invoked;
  }

  Recording<Accepted> accepted() {
    return accepted;
  }

  void answer(Call call) throws InterruptedException {
    var path = PATH.matcher(call.path());
    if (!path.matches() || !call.method().equals("POST")) {
      new AwsError(405, "MethodNotAllowedException", "Only POST").answer(call);
      return;
    }
    var name = plainName(path.group(1));
    var type = call.header("x-amz-invocation-type").orElse("RequestResponse");
    var asynchronous = type.equals("Event");
    invoked.add(new Invoked(name, asynchronous, call.text()));
    var error = error(call, name, asynchronous ? EVENT_BYTES_MAX : REQUEST_BYTES_MAX);
    if (error.isPresent()) {
      error.get().answer(call);
    } else if (asynchronous) {
      accept(call, function(name));
    } else {
      invoke(call, function(name));
    }
  }

  private Optional<AwsError> error(Call call, String name, int bytesMax) {
    if (!functions.containsKey(name)) {
      return Optional.of(AwsError.notFound("Function not found: " + name));
    }
    if (call.body().length > bytesMax) {
      return Optional.of(
          new AwsError(
              413,
              "RequestTooLargeException",
              "Request must be smaller than " + bytesMax + " bytes"));
    }
    return isJson(call.text())
        ? Optional.empty()
        : Optional.of(
            new AwsError(
                400, "InvalidRequestContentException", "Could not parse request body into json"));
  }

  private void accept(Call call, LambdaFunction function) throws InterruptedException {
    var fault = Optional.ofNullable(faults.poll());
    if (fault.isEmpty()) {
      accepted(call, taken(function, call.text()));
      return;
    }
    switch (fault.get()) {
      case Fault.Refused(var status) when status == 429 -> AwsError.throttled().answer(call);
      case Fault.Refused(var status) ->
          new AwsError(status, "ServiceException", "Service unavailable").answer(call);
      case Fault.Doubled _ -> {
        note(function, call.text());
        accepted(call, function.invokeTwice(call.text()));
      }
      case Fault.Delayed(var by) -> {
        Thread.sleep(by);
        accepted(call, taken(function, call.text()));
      }
      case Fault.AnswerLost _ -> {
        taken(function, call.text());
        call.hangUp();
      }
    }
  }

  private String taken(LambdaFunction function, String payload) {
    note(function, payload);
    return function.invokeLater(payload);
  }

  private void note(LambdaFunction function, String payload) {
    accepted.add(new Accepted(Instant.now(), new Invoked(function.name(), true, payload)));
  }

  private static void accepted(Call call, String requestId) {
    call.with("x-amzn-requestid", requestId).answer(202);
  }

  private static void invoke(Call call, LambdaFunction function) throws InterruptedException {
    var outcome = function.invoke(call.text());
    if (outcome.isEmpty()) {
      AwsError.throttled().answer(call);
      return;
    }
    if (!outcome.get().isSuccess()) {
      call.with("x-amz-function-error", "Unhandled");
    }
    call.with("x-amz-executed-version", "$LATEST")
        .answer(200, "application/json", outcome.get().payload().getBytes(UTF_8));
  }

  private LambdaFunction function(String name) {
    return Optional.ofNullable(functions.get(name)).orElseThrow();
  }

  // A name, a name with a qualifier, or an ARN of either.
  private static String plainName(String given) {
    var name = given.replaceFirst("^(arn:aws:lambda:[^:]*:)?\\d*:?function:", "");
    return name.replaceFirst(":.*", "");
  }

  private static boolean isJson(String body) {
    try {
      Json.decodeValue(body);
      return true;
    } catch (DecodeException broken) {
      return false;
    }
  }
}
