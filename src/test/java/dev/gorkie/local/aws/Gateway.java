package dev.gorkie.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.local.wire.Call;
import dev.gorkie.local.wire.Door;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An HTTP API as API Gateway serves it: a request becomes a version 2.0 event, the function's result an answer.
public final class Gateway implements AutoCloseable {

  /// Whether a body travels as base64. The gateway itself does so with what isn't text by its type, forms included.
  public enum Bodies {
    BY_TYPE,
    BASE64,
    PLAIN
  }

  private static final String STAGE = "$default";

  private final Map<String, LambdaFunction> routes;
  private final Bodies bodies;
  private final Door door;

  private Gateway(int port, Map<String, LambdaFunction> routes, Bodies bodies) {
    this.routes = Map.copyOf(routes);
    this.bodies = bodies;
    this.door = Door.open(port, this::answer);
  }

  /// Routes are written as `POST /slack/events`; of a path a part in braces may be anything.
  static Gateway open(int port, Map<String, LambdaFunction> routes, Bodies bodies) {
    return new Gateway(port, routes, bodies);
  }

  public URI url() {
    return door.url();
  }

  /// What came to a door with the request of which this event tells.
  public static String body(JsonObject event) {
    var body = event.getString("body", "");
    return event.getBoolean("isBase64Encoded", false)
        ? new String(Base64.getDecoder().decode(body), UTF_8)
        : body;
  }

  @Override
  public void close() {
    door.close();
  }

  private void answer(Call call) throws InterruptedException {
    var wanted = call.method() + " " + call.path();
    var route =
        routes.keySet().stream().filter(it -> pattern(it).matcher(wanted).matches()).findFirst();
    if (route.isEmpty()) {
      call.answer(404, JsonObject.of("message", "Not Found"));
      return;
    }
    var function = Objects.requireNonNull(routes.get(route.get()));
    var outcome = function.invoke(event(call, route.get()).encode());
    if (outcome.isEmpty()) {
      call.answer(503, JsonObject.of("message", "Service Unavailable"));
      return;
    }
    switch (outcome.get()) {
      case Outcome.Failed _ -> broken(call);
      case Outcome.Succeeded(var payload) -> answer(call, payload);
    }
  }

  private static Pattern pattern(String route) {
    return Pattern.compile(
        Stream.of(route.split("\\{[a-z]+\\}", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("[^/]+")));
  }

  private JsonObject event(Call call, String route) {
    var base64 = isBase64(call);
    var now = Instant.now();
    var http =
        new JsonObject()
            .put("method", call.method())
            .put("path", call.path())
            .put("protocol", "HTTP/1.1")
            .put("sourceIp", call.remoteAddress())
            .put("userAgent", call.header("user-agent").orElse(""));
    var context =
        new JsonObject()
            .put("accountId", LocalAws.ACCOUNT)
            .put("apiId", "local")
            .put("domainName", door.authority())
            .put("domainPrefix", "local")
            .put("http", http)
            .put("requestId", UUID.randomUUID().toString())
            .put("routeKey", route)
            .put("stage", STAGE)
            .put("time", now.toString())
            .put("timeEpoch", now.toEpochMilli());
    return new JsonObject()
        .put("version", "2.0")
        .put("routeKey", route)
        .put("rawPath", call.path())
        .put("rawQueryString", call.rawQuery())
        .put("headers", headers(call))
        .put("requestContext", context)
        .put("body", base64 ? Base64.getEncoder().encodeToString(call.body()) : call.text())
        .put("isBase64Encoded", base64);
  }

  // Lower case, and one line for each name.
  private static JsonObject headers(Call call) {
    var headers = new JsonObject();
    for (var header : call.headers()) {
      var name = header.getKey().toLowerCase(Locale.ROOT);
      headers.put(name, call.header(name).orElse(""));
    }
    return headers;
  }

  private boolean isBase64(Call call) {
    return switch (bodies) {
      case BASE64 -> true;
      case PLAIN -> false;
      case BY_TYPE -> !isText(call.header("content-type").orElse("")) || !isUtf8(call.body());
    };
  }

  private static boolean isText(String type) {
    return type.startsWith("text/")
        || type.matches("application/(json|javascript|xml|.*\\+(json|xml))\\b.*");
  }

  private static boolean isUtf8(byte[] body) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return true;
    } catch (CharacterCodingException binary) {
      return false;
    }
  }

  private static void answer(Call call, String payload) {
    JsonObject result;
    try {
      result = new JsonObject(payload);
    } catch (DecodeException | ClassCastException notAnObject) {
      call.answer(200, "application/json", payload.getBytes(UTF_8));
      return;
    }
    if (!result.containsKey("statusCode")) {
      call.answer(200, "application/json", payload.getBytes(UTF_8));
      return;
    }
    result.getJsonObject("headers", new JsonObject()).stream()
        .filter(header -> !header.getKey().equalsIgnoreCase("content-length"))
        .forEach(header -> call.with(header.getKey(), String.valueOf(header.getValue())));
    var body = Optional.ofNullable(result.getString("body")).orElse("");
    var content =
        result.getBoolean("isBase64Encoded", false)
            ? Base64.getDecoder().decode(body)
            : body.getBytes(UTF_8);
    call.answer(result.getInteger("statusCode"), contentType(result), content);
  }

  private static String contentType(JsonObject result) {
    return result.getJsonObject("headers", new JsonObject()).stream()
        .filter(header -> header.getKey().equalsIgnoreCase("content-type"))
        .map(header -> String.valueOf(header.getValue()))
        .findFirst()
        .orElse("text/plain;charset=UTF-8");
  }

  private static void broken(Call call) {
    call.answer(500, JsonObject.of("message", "Internal Server Error"));
  }
}
