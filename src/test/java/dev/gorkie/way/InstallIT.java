package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.slack.LocalSlack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Workspaces that let the app in by Slack's own page, each with a token of its own.
class InstallIT {

  static final Map<String, String> CLIENT =
      Map.of(
          "SLACK_BOT_TOKEN",
          "",
          "SLACK_CLIENT_ID",
          LocalSlack.client().get("id"),
          "SLACK_CLIENT_SECRET",
          LocalSlack.client().get("secret"),
          "GORKIE_TOKEN_KEY",
          "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");

  private final Stage stage = Stage.open();

  @Test
  void two_workspaces_with_the_same_ids_get_each_its_own_answer_until_one_wants_us_no_more()
      throws Exception {
    var one = stage.slack();
    var other = one.beside("T0OTHERTEAM", "Other");
    try (var gorkie = stage.another(CLIENT)) {
      other.deliverTo(gorkie.events());
      install(gorkie, one);
      install(gorkie, other);

      var root = one.say("general", "ada", "@gorkie $ echo here-$((1+1))");
      other.nextIsAt(root);
      assertEquals(root, other.say("general", "ada", "@gorkie $ echo there-$((2+2))"));

      var here = stage.answered("general", root, 1);
      var there =
          other.awaitThread("general", root, thread -> thread.appSaid("there-4"), Stage.PATIENCE);
      assertTrue(Stage.answer(here).contains("here-2"), here.plain());
      assertTrue(!here.appSaid("there-4") && !there.appSaid("here-2"), there.plain());
      other.awaitThread(
          "general",
          root,
          thread -> !thread.session().equals(Optional.of("processing")),
          Stage.PATIENCE);

      other.throwOut();
      other.awaitQuiet(Stage.PATIENCE);
      other.reply("general", root, "ada", "are you there?");
      other.awaitQuiet(Stage.PATIENCE);
      // Slack was told that it is heard before anybody looked at what it said.
      Await.until(
          () -> gorkie.output().contains("Nobody has let us into the workspace"), gorkie::output);
    } finally {
      stage.asBefore();
    }
  }

  /// In a browser: to the app, to Slack's page, and back with its word.
  static void install(Gorkie gorkie, LocalSlack workspace)
      throws IOException, InterruptedException {
    try (var browser = HttpClient.newHttpClient()) {
      var begun = get(browser, gorkie.url().resolve("/slack/install"), "");
      var page = URI.create(begun.headers().firstValue("location").orElseThrow());
      var cookie = begun.headers().firstValue("set-cookie").orElseThrow().split(";")[0];
      var asked = new HashMap<String, String>();
      for (var field : page.getQuery().split("&")) {
        asked.put(field.split("=", 2)[0], field.split("=", 2)[1]);
      }
      var back = workspace.agree(asked);

      assertEquals(400, get(browser, back, "").statusCode());
      var done = get(browser, back, cookie);

      assertEquals(200, done.statusCode(), done.body());
      var ada = workspace.person("ada").id();
      workspace.awaitCalls(
          calls ->
              calls.stream().anyMatch(call -> call.ok() && ada.equals(call.form().get("channel"))),
          Stage.PATIENCE);
    }
  }

  private static HttpResponse<String> get(HttpClient browser, URI address, String cookie)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(address).header("Cookie", cookie).GET().build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
