package dev.gorkie.way;

import dev.gorkie.local.slack.LocalSlack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// One application for several workspaces.
public final class ManyWorkspaces {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// Each workspace lets the application in by itself, and gives it a token of its own.
  public static final Map<String, String> SETTINGS =
      Map.of(
          "SLACK_BOT_TOKEN",
          "",
          "SLACK_CLIENT_ID",
          Objects.requireNonNull(LocalSlack.client().get("id")),
          "SLACK_CLIENT_SECRET",
          Objects.requireNonNull(LocalSlack.client().get("secret")),
          "GORKIE_TOKEN_KEY",
          "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");

  private ManyWorkspaces() {}

  /// Somebody agrees in a browser that the application comes into a workspace.
  public static void letIn(Gorkie gorkie, LocalSlack slack)
      throws IOException, InterruptedException {
    try (var browser = HttpClient.newHttpClient()) {
      var begun = get(browser, gorkie.url().resolve("/slack/install"), "");
      var page = URI.create(begun.headers().firstValue("location").orElseThrow());
      var cookie = begun.headers().firstValue("set-cookie").orElseThrow().split(";")[0];
      var asked = new HashMap<String, String>();
      for (var field : page.getQuery().split("&")) {
        asked.put(field.split("=", 2)[0], field.split("=", 2)[1]);
      }
      var done = get(browser, slack.agree(asked), cookie);
      if (done.statusCode() != 200) {
        throw new IOException(done.body());
      }
      slack.awaitCalls(
          calls -> calls.stream().anyMatch(call -> call.method().equals("chat.postMessage")),
          PATIENCE);
    }
  }

  private static HttpResponse<String> get(HttpClient browser, URI address, String cookie)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(address).header("Cookie", cookie).GET().build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
