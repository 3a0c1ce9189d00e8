package dev.gorkie.way;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// A request to the door as Slack makes it, or as somebody who is not Slack would.
final class SignedDelivery {

  private static final AtomicInteger EVENTS = new AtomicInteger();

  private final Stage stage;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  SignedDelivery(Stage stage) {
    this.stage = stage;
  }

  HttpResponse<String> mention(String ts, String text) throws IOException, InterruptedException {
    var slack = stage.slack();
    var event =
        JsonObject.of(
            "type",
            "app_mention",
            "user",
            slack.person("ada").id(),
            "channel",
            slack.channel("general").id(),
            "ts",
            ts,
            "event_ts",
            ts,
            "text",
            "<@" + slack.app().id() + "> " + text);
    return send(
        JsonObject.of(
                "type",
                "event_callback",
                "team_id",
                slack.teamId(),
                "api_app_id",
                slack.appId(),
                "event_id",
                "EvOwn" + EVENTS.incrementAndGet(),
                "authorizations",
                JsonArray.of(
                    JsonObject.of(
                        "team_id", slack.teamId(), "user_id", slack.app().id(), "is_bot", true)),
                "event",
                event)
            .encode()
            .getBytes(StandardCharsets.UTF_8));
  }

  HttpResponse<String> send(byte[] body) throws IOException, InterruptedException {
    return send(body, Instant.now());
  }

  HttpResponse<String> send(byte[] body, Instant signedAt)
      throws IOException, InterruptedException {
    var timestamp = Long.toString(signedAt.getEpochSecond());
    return send(body, timestamp, signature(timestamp, body));
  }

  HttpResponse<String> send(byte[] body, String timestamp, String signature)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(stage.gorkie().events())
            .header("Content-Type", "application/json")
            .header("X-Slack-Request-Timestamp", timestamp)
            .header("X-Slack-Signature", signature)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  String signature(String timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      var secret = stage.setting("SLACK_SIGNING_SECRET");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update(("v0:" + timestamp + ":").getBytes(StandardCharsets.UTF_8));
      return "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
