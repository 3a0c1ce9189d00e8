package dev.gorkie.way;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.Await;
import dev.gorkie.local.model.Ending;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.model.ToolCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whom the door lets in. None of the rest may begin a turn.
class DoorIT {

  private static final byte[] UNKNOWN =
      utf8(
          "{\"type\":\"event_callback\",\"team_id\":\"T1\",\"api_app_id\":\"A1\",\"event_id\":\"Ev1\",\"event\":{\"type\":\"star_added\"}}");

  private final Stage stage = Stage.open();
  private final SignedDelivery delivery = new SignedDelivery(stage);
  private int asked;

  @BeforeEach
  void count() {
    asked = stage.model().asked().size();
  }

  @AfterEach
  void no_turn_began() throws Exception {
    var thread = stage.ask("random", "$ echo still-here");

    assertTrue(Stage.answer(thread).contains("still-here"));
    // The one prompt, and the call after its tool.
    assertEquals(asked + 2, stage.model().asked().size());
  }

  @Test
  void a_wrong_signature_is_refused_and_logged() throws Exception {
    var now = Long.toString(Instant.now().getEpochSecond());

    var answer = delivery.send(UNKNOWN, now, "v0=" + "0".repeat(64));

    assertEquals(401, answer.statusCode());
    Await.until(() -> stage.gorkie().output().contains("FORGED"), stage.gorkie()::output);
  }

  @Test
  void every_route_of_slacks_wants_a_signature() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      for (var path : List.of("/slack/events", "/slack/interactions", "/slack/commands")) {
        var unsigned =
            HttpRequest.newBuilder(stage.gorkie().url().resolve(path))
                .POST(HttpRequest.BodyPublishers.ofByteArray(UNKNOWN));
        var forged =
            unsigned
                .copy()
                .header("X-Slack-Request-Timestamp", Long.toString(Instant.now().getEpochSecond()))
                .header("X-Slack-Signature", "v0=" + "0".repeat(64));
        for (var request : List.of(unsigned, forged)) {
          var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
          assertEquals(401, answer.statusCode(), path);
        }
      }
    }
  }

  @Test
  void an_altered_body_is_refused() throws Exception {
    var now = Long.toString(Instant.now().getEpochSecond());
    var altered = UNKNOWN.clone();
    altered[altered.length - 10] ^= 1;

    assertEquals(401, delivery.send(altered, now, delivery.signature(now, UNKNOWN)).statusCode());
  }

  @Test
  void what_was_signed_too_long_ago_or_ahead_is_refused() throws Exception {
    var now = Instant.now();

    assertEquals(401, delivery.send(UNKNOWN, now.minusSeconds(310)).statusCode());
    assertEquals(401, delivery.send(UNKNOWN, now.plusSeconds(310)).statusCode());
    assertEquals(200, delivery.send(UNKNOWN, now.minusSeconds(280)).statusCode());
    assertEquals(200, delivery.send(UNKNOWN, now.plusSeconds(280)).statusCode());
  }

  @Test
  void a_body_at_the_limit_is_read_and_one_above_is_refused() throws Exception {
    assertEquals(400, delivery.send(new byte[512 * 1024]).statusCode());
    assertEquals("HTTP/1.1 413 Request Entity Too Large", announced(512 * 1024 + 1));
  }

  /// What the door says to a body of so many bytes before any of them is there; it does not wait for them.
  private String announced(int bytes) throws IOException {
    var door = stage.gorkie().events();
    try (var socket = new Socket(door.getHost(), door.getPort())) {
      socket.setSoTimeout((int) Stage.PATIENCE.toMillis());
      socket
          .getOutputStream()
          .write(
              "POST %s HTTP/1.1\r\nHost: door\r\nContent-Length: %d\r\n\r\n"
                  .formatted(door.getPath(), bytes)
                  .getBytes(StandardCharsets.US_ASCII));
      var answer = new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII);
      return new BufferedReader(answer).readLine();
    }
  }

  @Test
  void what_is_no_json_is_refused_with_a_reason() throws Exception {
    var answer = delivery.send(utf8("payload=%7B%7D"));

    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().length() > 5, answer.body());
  }

  @Test
  void an_event_we_do_not_know_is_taken_note_of() throws Exception {
    assertEquals(200, delivery.send(UNKNOWN).statusCode());
    Await.until(() -> stage.gorkie().output().contains("star_added"), stage.gorkie()::output);
  }

  @Test
  void slack_gets_its_challenge_back() throws Exception {
    var proof = stage.slack().verifyUrl("prove-it");

    assertEquals("prove-it", proof.answer());
  }

  @Test
  void our_own_edits_coming_back_are_nothing() throws Exception {
    stage
        .model()
        .script(
            Rule.whenContaining(
                "edit yourself",
                Reply.calls(ToolCall.bash("echo edited")),
                Reply.says("Edited.").ending(new Ending.Hanging(0))));
    var root = stage.slack().say("random", "ada", "@gorkie edit yourself");
    stage.slack().awaitThread("random", root, now -> !Stage.cards(now).isEmpty(), Stage.PATIENCE);
    stage
        .model()
        .awaitHanging(asked -> asked.body().encode().contains("edit yourself"), Stage.PATIENCE);
    stage.model().release();
    var thread = stage.answered("random", root, 1);
    asked += 2;
    stage.slack().awaitQuiet("random", Stage.PATIENCE);

    var channel = stage.slack().channel("random").id();
    var echoes =
        stage.slack().deliveries().stream()
            .filter(d -> d.event().getString("subtype", "").equals("message_changed"))
            .filter(d -> d.event().getString("channel", "").equals(channel))
            .toList();

    assertTrue(echoes.size() > 0, thread.plain());
    assertTrue(echoes.stream().allMatch(d -> d.status().orElse(0) == 200));
    assertEquals(1, Stage.answers(stage.slack().thread("random", thread.rootTs())).size());
  }

  @Test
  void the_workers_door_does_not_exist_in_a_server() throws Exception {
    for (var path : new String[] {"/internal/deliveries", "/internal/wakes"}) {
      assertEquals(404, post(path));
    }
  }

  @Test
  void it_says_that_it_is_well() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var health =
          http.send(
              HttpRequest.newBuilder(stage.gorkie().url().resolve("/q/health")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, health.statusCode(), health.body());
    }
  }

  private int post(String path) throws IOException, InterruptedException {
    URI address = stage.gorkie().url().resolve(path);
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(address)
                  .timeout(Duration.ofSeconds(10))
                  .POST(HttpRequest.BodyPublishers.ofString("T1:C1:1.1"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
