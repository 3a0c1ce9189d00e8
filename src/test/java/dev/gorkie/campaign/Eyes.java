package dev.gorkie.campaign;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What stands in a thread in the end, with the marks that only programs see.
final class Eyes {

  private static final Set<Integer> BUSY = Set.of(429, 503);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  // Longer than the longest storm.
  private static final int TIMES_MAX = 20_000;

  private final URI slack;
  private final String token;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /// What the application said.
  ///
  /// @param subject empty where there is no mark, as on a file
  record Said(String ts, String subject, String part, String text, List<String> files) {

    boolean isCard() {
      return part.equals("card");
    }

    /// Whether it is what a turn came to, or a part of it.
    boolean isFinal() {
      return !subject.isEmpty() && !isCard();
    }
  }

  Eyes(URI slack, String token) {
    this.slack = slack;
    this.token = token;
  }

  List<Said> thread(String channel, String root) throws IOException, InterruptedException {
    var said = new ArrayList<Said>();
    var cursor = "";
    do {
      var page = page(channel, root, cursor);
      for (var message : page.getJsonArray("messages", new JsonArray())) {
        if (((JsonObject) message).containsKey("bot_id")) {
          said.add(said((JsonObject) message));
        }
      }
      cursor =
          page.getJsonObject("response_metadata", new JsonObject()).getString("next_cursor", "");
    } while (!cursor.isEmpty());
    return said;
  }

  private JsonObject page(String channel, String root, String cursor)
      throws IOException, InterruptedException {
    var form =
        "channel=%s&ts=%s&include_all_metadata=true&limit=200&cursor=%s"
            .formatted(channel, root, cursor);
    var request =
        HttpRequest.newBuilder(slack.resolve("api/conversations.replies"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    var answered = http.send(request, BodyHandlers.ofString());
    for (var time = 0; BUSY.contains(answered.statusCode()) && time < TIMES_MAX; time++) {
      Thread.sleep(LOOK_EVERY); // nobody sees anything in a storm
      answered = http.send(request, BodyHandlers.ofString());
    }
    var answer = new JsonObject(answered.body());
    if (!answer.getBoolean("ok", false)) {
      throw new IOException("The thread cannot be read: " + answer.encode());
    }
    return answer;
  }

  private static Said said(JsonObject message) {
    var mark =
        message
            .getJsonObject("metadata", new JsonObject())
            .getJsonObject("event_payload", new JsonObject());
    var files =
        message.getJsonArray("files", new JsonArray()).stream()
            .map(file -> ((JsonObject) file).getString("name", ""))
            .toList();
    return new Said(
        message.getString("ts", ""),
        mark.getString("subject", ""),
        mark.getString("part", ""),
        message.getString("text", ""),
        files);
  }
}
