package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.Callable;

/// Where every call passes, and where what was planned to go wrong goes wrong.
final class Gate {
  private final Faults faults;

  Gate(Faults faults) {
    this.faults = faults;
  }

  Answer pass(String method, String channel, Callable<Answer> carryOut) throws Exception {
    var fault = faults.take(method, channel);
    if (fault.isEmpty()) {
      return carryOut.call();
    }
    return switch (fault.get()) {
      case Fault.RateLimited(var retryAfter) -> rateLimited(retryAfter);
      case Fault.Status(var status) -> Answer.html(status, "<html>Server error</html>");
      case Fault.Refused(var error) ->
          Answer.json(200, new JsonObject().put("ok", false).put("error", error));
      case Fault.NeverArrived() -> Answer.text(200, "").lostOnTheWay();
      case Fault.AnswerLost() -> carryOut.call().lostOnTheWay();
      case Fault.Delayed(var by) -> {
        Thread.sleep(by);
        yield carryOut.call();
      }
    };
  }

  private static Answer rateLimited(Duration retryAfter) {
    var seconds = Math.max(1, (retryAfter.toMillis() + 999) / 1000);
    return Answer.json(429, new JsonObject().put("ok", false).put("error", "ratelimited"))
        .with("retry-after", Long.toString(seconds));
  }
}
