package dev.gorkie.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/// The line from another process to the people of the local Slack.
record Line(URI slack, HttpClient http) {

  /// A place in Slack where people talk: the channel as it was named, and the timestamp of the first message.
  record Place(String channel, String ts) {

    private String query() {
      return "?channel="
          + URLEncoder.encode(channel, UTF_8)
          + "&ts="
          + URLEncoder.encode(ts, UTF_8);
    }
  }

  /// Gives the message's timestamp.
  String say(JsonObject message) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(slack.resolve("/_local/say"))
            .POST(BodyPublishers.ofString(message.encode()))
            .build();
    return new JsonObject(answer(request)).getString("ts");
  }

  /// The thread as a person sees it.
  String page(Place place) throws IOException, InterruptedException {
    return get("/_local/thread.txt" + place.query());
  }

  JsonObject thread(Place place) throws IOException, InterruptedException {
    return new JsonObject(get("/_local/thread" + place.query()));
  }

  /// Where the application is that hears what is said.
  URI application() throws IOException, InterruptedException {
    return URI.create(new JsonObject(get("/_local/app")).getString("events")).resolve("/");
  }

  private String get(String path) throws IOException, InterruptedException {
    return answer(HttpRequest.newBuilder(slack.resolve(path)).build());
  }

  private String answer(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalArgumentException("The local Slack says: " + response.body());
    }
    return response.body();
  }
}
