package dev.gorkie.local.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.SlackApiException;
import com.slack.api.methods.response.chat.ChatPostMessageResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages that are written while people look on, as Slack takes and refuses them.
class StreamsTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private final LocalSlack slack = open(Duration.ofMinutes(5));
  private final Slack sdk = sdk(slack);
  private final MethodsClient app = sdk.methods("xoxb-local-bot-token");
  private final String channel = slack.channel("general").id();
  private final String root = slack.say("general", "ada", "@gorkie tell me a story");

  private static LocalSlack open(Duration streamLife) {
    return LocalSlack.start(
        LocalSlack.Settings.deliveringTo(URI.create("http://127.0.0.1:9/slack/events"))
            .with(
                new Delays(
                    SOON,
                    List.of(),
                    Duration.ofMinutes(2),
                    Duration.ofHours(1),
                    streamLife,
                    Duration.ofMillis(5))));
  }

  private static Slack sdk(LocalSlack slack) {
    var config = new SlackConfig();
    config.setMethodsEndpointUrlPrefix(slack.url() + "api/");
    config.setStatsEnabled(false);
    return Slack.getInstance(config);
  }

  @AfterEach
  void close() throws Exception {
    sdk.close();
    slack.close();
  }

  @Test
  void what_is_appended_is_seen_at_once_and_marked_at_the_end() throws Exception {
    var ts = start("Once upon ");
    assertTrue(message(ts).streaming());

    assertEquals("ok", append(ts, "a time."));
    assertEquals("Once upon a time.", message(ts).text());
    var metadata =
        new JsonObject().put("event_type", "tale").put("event_payload", new JsonObject());
    assertEquals(
        "ok", stop(ts, Map.of("markdown_text", " The end.", "metadata", metadata.encode())));

    assertEquals("Once upon a time. The end.", message(ts).text());
    assertFalse(message(ts).streaming());
    var read =
        app.conversationsReplies(it -> it.channel(channel).ts(root).includeAllMetadata(true));
    assertEquals("tale", read.getMessages().getLast().getMetadata().getEventType());
    assertEquals(List.of(), slack.violations());
  }

  @Test
  void in_a_channel_it_is_for_somebody_and_in_direct_messages_for_nobody() throws Exception {
    var ada = slack.person("ada").id();
    var team = slack.teamId();
    var direct = slack.direct("ada", "hello");
    var place = slack.channel("@ada").id();

    assertEquals(
        "missing_recipient_user_id",
        error("chat.startStream", Map.of("channel", channel, "recipient_team_id", team)));
    assertEquals(
        "missing_recipient_team_id",
        error("chat.startStream", Map.of("channel", channel, "recipient_user_id", ada)));
    assertEquals("ok", error("chat.startStream", Map.of("channel", place, "thread_ts", direct)));
    assertEquals(
        "invalid_arguments",
        error(
            "chat.startStream",
            Map.of(
                "channel", place,
                "thread_ts", direct,
                "recipient_user_id", ada,
                "recipient_team_id", team)));
    assertEquals("invalid_arguments", error("chat.startStream", Map.of("channel", place)));
  }

  @Test
  void a_beginning_takes_no_metadata() throws Exception {
    assertEquals("invalid_arguments", error("chat.startStream", opening(Map.of("metadata", "{}"))));
  }

  @Test
  void as_long_as_it_is_written_it_is_neither_edited_nor_deleted() throws Exception {
    var ts = start("one");

    assertEquals(
        "streaming_state_conflict",
        app.chatUpdate(it -> it.channel(channel).ts(ts).text("two")).getError());
    assertEquals(
        "cant_delete_message", app.chatDelete(it -> it.channel(channel).ts(ts)).getError());
    assertEquals("ok", append(ts, ", two"));
    stop(ts, Map.of());

    assertTrue(app.chatUpdate(it -> it.channel(channel).ts(ts).text("three")).isOk());
    assertEquals("three", message(ts).text());
    assertTrue(app.chatDelete(it -> it.channel(channel).ts(ts)).isOk());
  }

  @Test
  void one_that_slack_has_ended_is_only_edited() throws Exception {
    var ts = start("one");

    assertEquals(1, slack.expireStreams("general", root));

    assertFalse(message(ts).streaming());
    assertEquals("message_not_in_streaming_state", append(ts, "two"));
    assertEquals("message_not_in_streaming_state", stop(ts, Map.of()));
    assertTrue(app.chatUpdate(it -> it.channel(channel).ts(ts).text("three")).isOk());
  }

  @Test
  void it_ends_by_age_however_much_is_appended() throws Exception {
    try (var impatient = open(Duration.ZERO);
        var other = sdk(impatient)) {
      var asked = impatient.say("general", "ada", "@gorkie quick");
      var form = new HashMap<>(opening(Map.of("markdown_text", "one")));
      form.put("thread_ts", asked);
      var methods = other.methods("xoxb-local-bot-token");

      var ts = call(methods, "chat.startStream", form).getTs();
      var late =
          call(
              methods,
              "chat.appendStream",
              Map.of("channel", channel, "ts", ts, "markdown_text", "two"));

      assertEquals("message_not_in_streaming_state", late.getError());
    }
  }

  @Test
  void pressing_stop_ends_it_and_the_event_names_it() throws Exception {
    var ts = start("one");

    slack.pressStop("general", root, "ada");

    assertEquals("stopped_by_user", append(ts, "two"));
    slack.awaitQuiet(SOON);
    var stopped =
        slack.deliveries().stream()
            .filter(it -> it.type().equals("agent_session_stopped"))
            .findFirst()
            .orElseThrow();
    assertEquals(new JsonArray().add(ts), stopped.event().getJsonArray("streaming_message_ts"));
  }

  @Test
  void it_holds_so_much_and_no_more() throws Exception {
    var ts = start("x".repeat(10_000));

    assertEquals("msg_too_long", append(ts, "é".repeat(301)));
    assertEquals("ok", append(ts, "é".repeat(300)));
    assertEquals("msg_too_long", stop(ts, Map.of("markdown_text", "x")));
    assertEquals("ok", stop(ts, Map.of()));
    assertEquals(
        "msg_too_long",
        error("chat.startStream", opening(Map.of("markdown_text", "x".repeat(12_001)))));
  }

  @Test
  void words_and_chunks_do_not_go_together() throws Exception {
    var chunk = new JsonObject().put("type", "markdown_text").put("text", "word");
    var chunks = new JsonArray().add(chunk).encode();
    var inWords = start("one");

    assertEquals(
        "cannot_provide_both_markdown_text_and_chunks",
        error("chat.startStream", opening(Map.of("markdown_text", "one", "chunks", chunks))));
    assertEquals(
        "streaming_mode_mismatch",
        error("chat.appendStream", Map.of("channel", channel, "ts", inWords, "chunks", chunks)));
    assertEquals("no_text", append(inWords, ""));
  }

  @Test
  void a_row_is_named_again_and_its_details_grow() throws Exception {
    var ts = startWith(row("1", "in_progress", "half"));

    assertEquals("ok", chunks(ts, row("1", "complete", ", whole")));

    assertEquals(
        List.of(new MessageView.Task("1", "Row 1", "complete", "half, whole", "")),
        message(ts).tasks());
    assertEquals(
        "invalid_chunks", chunks(ts, row("1", "complete", "").put("details", new JsonObject())));
  }

  @Test
  void details_weigh_twice_and_rows_are_counted() throws Exception {
    var heavy = startWith(row("1", "complete", "x".repeat(5_200)));
    assertEquals("msg_too_long", chunks(heavy, row("2", "complete", "x".repeat(100))));
    var many = new JsonObject[51];
    for (var at = 0; at < many.length; at++) {
      many[at] = row("" + at, "complete", "");
    }

    assertEquals("invalid_chunks", chunks(startWith(row("x", "complete", "")), many));
  }

  @ParameterizedTest
  @ValueSource(strings = {"processing", ""})
  void ending_it_says_how_the_session_goes_on(String given) throws Exception {
    error(
        "agents.sessions.setStatus",
        Map.of("channel_id", channel, "thread_ts", root, "status", "processing"));
    var ts = start("one");

    stop(ts, given.isEmpty() ? Map.of() : Map.of("session_status", given));

    assertEquals(given.isEmpty() ? "active" : given, slack.thread("general", root).session().get());
    assertEquals("invalid_arguments", stop(ts, Map.of("session_status", "done")));
  }

  @Test
  void what_a_person_wrote_is_no_stream_of_the_apps() throws Exception {
    var posted = app.chatPostMessage(it -> it.channel(channel).threadTs(root).text("plain"));

    assertEquals("message_not_owned_by_app", append(root, "more"));
    assertEquals("message_not_in_streaming_state", append(posted.getTs(), "more"));
    assertEquals("message_not_found", append("1000000000.000001", "more"));
  }

  @Test
  void in_a_minute_twenty_are_begun_and_no_more() throws Exception {
    slack.keepTiers();
    for (var at = 0; at < 20; at++) {
      start("one");
    }

    var refused = assertThrows(SlackApiException.class, () -> start("one more"));

    assertEquals(429, refused.getResponse().code());
    assertTrue(Integer.parseInt(refused.getResponse().header("Retry-After")) > 30);
  }

  @Test
  void an_app_without_the_scope_is_told_which_it_needs() throws Exception {
    slack.takeScope("chat:write");

    var refused = call(app, "chat.startStream", opening(Map.of()));

    assertEquals("missing_scope", refused.getError());
    assertEquals("chat:write", refused.getNeeded());
    assertFalse(refused.getProvided().contains("chat:write"));
    assertTrue(refused.getProvided().contains("channels:history"));
    slack.heal();
    assertEquals("ok", error("chat.startStream", opening(Map.of())));
  }

  private static JsonObject row(String id, String status, String details) {
    return new JsonObject()
        .put("type", "task_update")
        .put("id", id)
        .put("title", "Row " + id)
        .put("status", status)
        .put("details", details);
  }

  private Map<String, String> opening(Map<String, String> more) {
    var form = new HashMap<>(more);
    form.put("channel", channel);
    form.put("thread_ts", root);
    form.put("recipient_user_id", slack.person("ada").id());
    form.put("recipient_team_id", slack.teamId());
    return form;
  }

  private String start(String text) throws Exception {
    return call(app, "chat.startStream", opening(Map.of("markdown_text", text))).getTs();
  }

  private String startWith(JsonObject chunk) throws Exception {
    var chunks = new JsonArray().add(chunk).encode();
    return call(app, "chat.startStream", opening(Map.of("chunks", chunks))).getTs();
  }

  private String append(String ts, String text) throws Exception {
    return error("chat.appendStream", Map.of("channel", channel, "ts", ts, "markdown_text", text));
  }

  private String chunks(String ts, JsonObject... chunks) throws Exception {
    return error(
        "chat.appendStream",
        Map.of("channel", channel, "ts", ts, "chunks", new JsonArray(List.of(chunks)).encode()));
  }

  private String stop(String ts, Map<String, String> more) throws Exception {
    var form = new HashMap<>(more);
    form.put("channel", channel);
    form.put("ts", ts);
    return error("chat.stopStream", form);
  }

  private String error(String method, Map<String, String> form) throws Exception {
    var answer = call(app, method, form);
    return answer.isOk() ? "ok" : answer.getError();
  }

  private static ChatPostMessageResponse call(
      MethodsClient methods, String method, Map<String, String> form) throws Exception {
    return methods.postFormWithTokenAndParseResponse(
        body -> {
          form.forEach(body::add);
          return body;
        },
        method,
        "xoxb-local-bot-token",
        ChatPostMessageResponse.class);
  }

  private MessageView message(String ts) {
    return slack.thread("general", root).messages().stream()
        .filter(one -> one.ts().equals(ts))
        .findFirst()
        .orElseThrow();
  }
}
