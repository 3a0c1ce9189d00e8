package dev.gorkie.local.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gorkie.local.slack.DeliveryOptions.Copies;
import dev.gorkie.local.slack.DeliveryOptions.Order;
import dev.gorkie.local.slack.ListeningApp.Heard;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What reaches an app when people do something, and how often.
class DeliveriesTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Delays QUICK =
      new Delays(
          SOON,
          List.of(Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(20)),
          Duration.ofMinutes(2),
          Duration.ofHours(1),
          Duration.ofMinutes(5),
          Duration.ofMillis(5));
  private final ListeningApp app = new ListeningApp();
  private final LocalSlack slack =
      LocalSlack.start(LocalSlack.Settings.deliveringTo(app.events()).with(QUICK));
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    http.close();
    slack.close();
    app.close();
  }

  @Test
  void a_mention_arrives_as_mention_and_as_message_and_only_the_message_has_the_files()
      throws Exception {
    var ts =
        slack.say(
            Utterance.in("general", "ada", "@gorkie read & sum up")
                .with(Upload.text("a.txt", "a"))
                .delivered(DeliveryOptions.usual().in(Order.MENTION_FIRST)));

    var mention = app.next();
    var message = app.next();

    assertEquals(
        "<@" + slack.app().id() + "> read &amp; sum up", mention.event().getString("text"));
    assertEquals(List.of("app_mention", "message"), types(mention, message));
    assertEquals(
        List.of(ts, ts),
        Stream.of(mention, message).map(it -> it.event().getString("ts")).toList());
    assertFalse(mention.event().containsKey("files"));
    assertEquals("file_share", message.event().getString("subtype"));
    assertEquals("a.txt", message.event().getJsonArray("files").getJsonObject(0).getString("name"));
    assertFalse(mention.json().getString("event_id").equals(message.json().getString("event_id")));
  }

  @Test
  void an_event_has_an_id_that_no_workspace_before_this_one_gave() throws Exception {
    slack.say(Utterance.in("general", "ada", "@gorkie one"));
    var before = Set.of(id(app.next()), id(app.next()));

    try (var later = LocalSlack.start(LocalSlack.Settings.deliveringTo(app.events()).with(QUICK))) {
      later.say(Utterance.in("general", "ada", "@gorkie two"));

      assertFalse(before.contains(id(app.next())));
      assertFalse(before.contains(id(app.next())));
    }
  }

  private static String id(Heard heard) {
    return heard.json().getString("event_id");
  }

  private static List<String> types(Heard... heard) {
    return Stream.of(heard).map(one -> one.event().getString("type")).toList();
  }

  @Test
  void a_delivery_is_signed_over_its_bytes() throws Exception {
    slack.direct("ada", "grüße");

    var heard = app.next();

    var expected = new Signature("local-signing-secret").of(heard.timestamp(), heard.body());
    assertEquals(expected, heard.signature());
    assertEquals("grüße", heard.event().getString("text"));
  }

  @Test
  void a_direct_message_arrives_once_as_a_message() throws Exception {
    slack.direct("ada", "hello @gorkie");

    var heard = app.next();
    slack.awaitQuiet(SOON);

    assertEquals("im", heard.event().getString("channel_type"));
    assertEquals(0, app.waiting());
  }

  @Test
  void a_failed_delivery_comes_again_and_says_why() throws Exception {
    app.answers(heard -> heard.retry().isEmpty() ? 503 : 200);

    slack.direct("ada", "hello");

    var first = app.next();
    var second = app.next();
    slack.awaitQuiet(SOON);
    assertEquals(Optional.empty(), first.retry());
    assertEquals(Optional.of("1 http_error"), second.retry());
    assertEquals(first.json(), second.json());
    assertEquals(
        List.of(Optional.of(503), Optional.of(200)),
        slack.deliveries().stream().map(Delivery::status).toList());
  }

  @Test
  void an_app_that_takes_too_long_is_tried_four_times() throws Exception {
    app.answers(
        _ -> {
          Thread.sleep(SOON);
          return 200;
        });
    var hurried =
        new Delays(
            Duration.ofMillis(100),
            QUICK.retries(),
            QUICK.statusLife(),
            QUICK.processingLife(),
            QUICK.streamLife(),
            Duration.ZERO);

    try (var impatient =
        LocalSlack.start(LocalSlack.Settings.deliveringTo(app.events()).with(hurried))) {
      impatient.direct("ada", "hello");

      impatient.awaitQuiet(SOON);
      assertEquals(
          List.of("0 http_timeout", "1 http_timeout", "2 http_timeout", "3 http_timeout"),
          impatient.deliveries().stream()
              .map(it -> it.attempt() + " " + it.failure().orElse(""))
              .toList());
    }
  }

  @Test
  void an_app_that_wants_no_second_attempt_gets_none() throws Exception {
    app.answers(_ -> 500);

    slack.direct("ada", "hello");

    slack.awaitQuiet(SOON);
    assertEquals(1, app.waiting());
  }

  @Test
  void when_the_first_attempt_is_lost_only_the_retry_arrives() throws Exception {
    slack.say(Utterance.direct("ada", "hello").delivered(DeliveryOptions.usual().losing(1)));

    assertEquals(Optional.of("1 connection_failed"), app.next().retry());
    slack.awaitQuiet(SOON);
    assertEquals(0, app.waiting());
  }

  @Test
  void a_doubled_delivery_has_the_same_event_id() throws Exception {
    slack.say(
        Utterance.in("general", "ada", "@gorkie hi")
            .delivered(DeliveryOptions.usual().only(Copies.MENTION).times(2)));

    var first = app.next();
    var second = app.next();

    assertEquals(List.of("app_mention", "app_mention"), types(first, second));
    assertEquals(first.json().getString("event_id"), second.json().getString("event_id"));
  }

  @Test
  void held_deliveries_are_let_go_in_any_order() throws Exception {
    var held = DeliveryOptions.usual().onHold();
    var first = slack.say(Utterance.direct("ada", "first").delivered(held));
    var second = slack.say(Utterance.direct("ada", "second").delivered(held));

    slack.release(second);
    var heardFirst = app.next();
    slack.release(first);
    var heardSecond = app.next();

    assertEquals(second, heardFirst.event().getString("ts"));
    assertEquals(first, heardSecond.event().getString("ts"));
  }

  @Test
  void edits_and_deletions_by_a_person_are_told() throws Exception {
    var ts = slack.direct("ada", "one");
    app.next();

    slack.edit("@ada", ts, "two");
    var edited = app.next().event();
    slack.delete("@ada", ts);
    var deleted = app.next().event();

    assertEquals("message_changed", edited.getString("subtype"));
    assertEquals("two", edited.getJsonObject("message").getString("text"));
    assertEquals("one", edited.getJsonObject("previous_message").getString("text"));
    assertEquals("message_deleted", deleted.getString("subtype"));
    assertEquals(ts, deleted.getString("deleted_ts"));
  }

  @Test
  void a_root_that_has_replies_is_changed_into_a_tombstone_when_deleted() throws Exception {
    var root = slack.direct("ada", "one");
    app.next();
    slack.reply("@ada", root, "ada", "two");
    app.next();

    slack.delete("@ada", root);

    var event = app.next().event();
    assertEquals("message_changed", event.getString("subtype"));
    assertEquals("tombstone", event.getJsonObject("message").getString("subtype"));
    assertEquals(2, slack.thread("@ada", root).messages().size());
  }

  @Test
  void what_the_app_posts_comes_back_to_it() throws Exception {
    var posted = api("chat.postMessage", "channel", slack.channel("general").id(), "text", "hi");

    var event = app.next().event();

    assertEquals(posted.getString("ts"), event.getString("ts"));
    assertEquals(posted.getJsonObject("message").getString("bot_id"), event.getString("bot_id"));
  }

  @Test
  void an_app_that_was_taken_out_of_a_channel_hears_nothing_there_and_may_not_write()
      throws Exception {
    slack.removeApp("random");

    slack.say("random", "ada", "@gorkie are you there?");
    var posted = api("chat.postMessage", "channel", slack.channel("random").id(), "text", "hi");

    slack.awaitQuiet(SOON);
    assertEquals(0, app.waiting());
    assertEquals("not_in_channel", posted.getString("error"));
  }

  @Test
  void a_reply_to_a_root_that_is_gone_lands_in_the_channel() throws Exception {
    var root = slack.say("general", "ada", "never mind");
    slack.delete("general", root);

    var posted =
        api(
            "chat.postMessage",
            "channel",
            slack.channel("general").id(),
            "text",
            "hi",
            "thread_ts",
            root);

    assertFalse(posted.getJsonObject("message").containsKey("thread_ts"));
  }

  @Test
  void a_click_is_brought_signed_and_can_be_answered_at_its_own_address() throws Exception {
    var blocks =
        """
        [{"type":"actions","block_id":"b","elements":[{"type":"button","action_id":"approve","value":"42",
          "text":{"type":"plain_text","text":"Approve"}}]}]""";
    var posted =
        api(
            "chat.postMessage",
            "channel",
            slack.channel("general").id(),
            "text",
            "?",
            "blocks",
            blocks);
    app.next();

    var click = slack.click("general", posted.getString("ts"), "grace", "approve");
    var heard = app.next();
    var form = new String(heard.body(), StandardCharsets.UTF_8);
    var payload =
        new JsonObject(
            URLDecoder.decode(form.substring("payload=".length()), StandardCharsets.UTF_8));
    var answered =
        post(
            payload.getString("response_url"), "{\"replace_original\":true,\"text\":\"Approved\"}");

    assertTrue(click.accepted());
    assertEquals("/slack/interactions", heard.path());
    assertEquals(
        new Signature("local-signing-secret").of(heard.timestamp(), heard.body()),
        heard.signature());
    assertEquals("42", payload.getJsonArray("actions").getJsonObject(0).getString("value"));
    assertEquals(slack.person("grace").id(), payload.getJsonObject("user").getString("id"));
    assertEquals(200, answered.statusCode());
    assertEquals("Approved", slack.thread("general", posted.getString("ts")).root().text());
  }

  @Test
  void everything_people_do_is_there_for_another_process() throws Exception {
    var ts =
        local(
                "say",
                new JsonObject()
                    .put("channel", "general")
                    .put("user", "ada")
                    .put("text", "@gorkie hi"))
            .getString("ts");
    var file =
        post(
            slack.url()
                + "_local/upload?channel=general&user=ada&text=look&name=a.txt&thread_ts="
                + ts,
            "bytes");
    api(
        "chat.postMessage",
        "channel",
        slack.channel("general").id(),
        "text",
        "Hello",
        "thread_ts",
        ts);
    var seen =
        local(
            "await",
            new JsonObject()
                .put("channel", "general")
                .put("ts", ts)
                .put("says", "Hello")
                .put("seconds", 20));
    var plain =
        http.send(
            HttpRequest.newBuilder(
                    URI.create(slack.url() + "_local/thread.txt?channel=general&ts=" + ts))
                .build(),
            BodyHandlers.ofString());

    assertEquals(200, file.statusCode());
    assertEquals(3, seen.getJsonArray("messages").size());
    assertEquals("bytes", slack.thread("general", ts).messages().get(1).files().getFirst().text());
    assertTrue(plain.body().contains("@gorkie hi"), plain.body());
    assertTrue(plain.body().contains("[file] a.txt, text/plain, 5 bytes"), plain.body());
  }

  private JsonObject local(String command, JsonObject body) throws Exception {
    return new JsonObject(post(slack.url() + "_local/" + command, body.encode()).body());
  }

  private HttpResponse<String> post(String url, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private JsonObject api(String method, String... fields) throws Exception {
    var form = new StringBuilder("unfurl_links=false&unfurl_media=false");
    for (var i = 0; i < fields.length; i += 2) {
      form.append("&")
          .append(fields[i])
          .append("=")
          .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
    }
    var request =
        HttpRequest.newBuilder(URI.create(slack.url() + "api/" + method))
            .header("authorization", "Bearer xoxb-local-bot-token")
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form.toString()))
            .build();
    return new JsonObject(http.send(request, BodyHandlers.ofString()).body());
  }
}
