package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Call;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The parameter store. Every value is a `SecureString`: without `WithDecryption` one gets what looks like a cipher.
public final class Parameters {

  private static final String TARGET = "AmazonSSM.";
  private static final int NAMES_MAX = 10;

  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final AtomicInteger throttled = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  public void put(String name, String value) {
    values.put(name, value);
  }

  /// So many of the next calls come too fast.
  public void throttle(int calls) {
    throttled.set(calls);
  }

  /// How often it was asked.
  public int asked() {
    return asked.get();
  }

  boolean isMeant(Call call) {
    return target(call).startsWith(TARGET);
  }

  void answer(Call call) {
    asked.incrementAndGet();
    if (throttled.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      new AwsError(400, "ThrottlingException", "Rate exceeded").answer(call);
      return;
    }
    var request = call.json();
    switch (target(call)) {
      case TARGET + "GetParameter" -> one(call, request);
      case TARGET + "GetParameters" -> several(call, request);
      default -> new AwsError(400, "UnknownOperationException", target(call)).answer(call);
    }
  }

  private void one(Call call, JsonObject request) {
    var parameter = parameter(request.getString("Name", ""), request);
    if (parameter.isEmpty()) {
      new AwsError(400, "ParameterNotFound", "").answer(call);
      return;
    }
    answer(call, JsonObject.of("Parameter", parameter.get()));
  }

  private void several(Call call, JsonObject request) {
    var names = request.getJsonArray("Names", new JsonArray());
    if (names.isEmpty() || names.size() > NAMES_MAX) {
      new AwsError(400, "ValidationException", "Between 1 and 10 names").answer(call);
      return;
    }
    var found = new JsonArray();
    var missing = new JsonArray();
    for (var i = 0; i < names.size(); i++) {
      var name = names.getString(i);
      parameter(name, request).ifPresentOrElse(found::add, () -> missing.add(name));
    }
    answer(call, JsonObject.of("Parameters", found, "InvalidParameters", missing));
  }

  private Optional<JsonObject> parameter(String name, JsonObject request) {
    var decrypted = request.getBoolean("WithDecryption", false);
    return Optional.ofNullable(values.get(name))
        .map(value -> decrypted ? value : cipher(value))
        .map(
            value ->
                JsonObject.of("Name", name, "Type", "SecureString", "Value", value, "Version", 1));
  }

  private static String cipher(String value) {
    var reversed = new StringBuilder(value).reverse().toString();
    return "AQICAHh"
        + Base64.getEncoder().encodeToString(reversed.getBytes(StandardCharsets.UTF_8));
  }

  private static String target(Call call) {
    return call.header("x-amz-target").orElse("");
  }

  private static void answer(Call call, JsonObject content) {
    call.answer(200, "application/x-amz-json-1.1", content.toBuffer().getBytes());
  }
}
