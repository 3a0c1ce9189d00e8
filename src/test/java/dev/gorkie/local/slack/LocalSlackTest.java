package dev.gorkie.local.slack;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.SlackApiException;
import com.slack.api.methods.request.files.FilesCompleteUploadExternalRequest.FileDetails;
import com.slack.api.methods.response.auth.AuthTestResponse;
import com.slack.api.util.http.SlackHttpClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import okhttp3.FormBody;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The Web API as the real SDK finds it, and what people then see.
class LocalSlackTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Delays QUICK =
      new Delays(
          SOON,
          List.of(),
          Duration.ofMinutes(2),
          Duration.ofHours(1),
          Duration.ofMinutes(5),
          Duration.ofMillis(5));
  private final LocalSlack slack =
      LocalSlack.start(
          LocalSlack.Settings.deliveringTo(URI.create("http://127.0.0.1:9/slack/events"))
              .with(QUICK));
  private final OkHttpClient http =
      new OkHttpClient.Builder().retryOnConnectionFailure(false).callTimeout(SOON).build();
  private final Slack sdk = Slack.getInstance(config(slack.url()), new SlackHttpClient(http));
  private final MethodsClient app = sdk.methods("xoxb-local-bot-token");

  private static SlackConfig config(URI url) {
    var config = new SlackConfig();
    config.setMethodsEndpointUrlPrefix(url + "api/");
    config.setStatsEnabled(false);
    return config;
  }

  @AfterEach
  void close() throws Exception {
    sdk.close();
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
    slack.close();
  }

  @Test
  void an_app_is_made_and_changed_by_its_manifest() throws Exception {
    var operator = sdk.methods(LocalSlack.configurationToken());

    var made = operator.appsManifestCreate(it -> it.manifestAsString(manifest("")));
    var changed =
        operator.appsManifestUpdate(
            it ->
                it.appId(made.getAppId())
                    .manifestAsString(
                        manifest(
                            """
                            ,"event_subscriptions":{"request_url":"https://gorkie.example/slack/events"}""")));

    assertTrue(made.isOk(), made.toString());
    assertEquals("local-signing-secret", made.getCredentials().getSigningSecret());
    assertTrue(changed.isOk(), changed.toString());
    assertEquals(URI.create("https://gorkie.example/slack/events"), slack.events());
    assertEquals(Set.of(slack.appId()), slack.manifests().keySet());
  }

  @Test
  void a_manifest_that_slack_would_not_take_is_refused_with_its_places() throws Exception {
    var operator = sdk.methods(LocalSlack.configurationToken());

    var refused =
        operator.appsManifestValidate(
            it -> it.manifestAsString(manifest(",\"event_subscriptions\":{},\"colour\":1")));

    assertEquals("invalid_manifest", refused.getError());
    assertEquals(
        Set.of("/settings/event_subscriptions", "/settings/colour"),
        refused.getErrors().stream().map(error -> error.getPointer()).collect(toSet()));
    assertEquals(
        "not_allowed_token_type",
        app.appsManifestValidate(it -> it.manifestAsString(manifest(""))).getError());
  }

  private static String manifest(String settings) {
    return """
        {"display_information":{"name":"Gorkie"},"features":{"bot_user":{"display_name":"Gorkie"}},\
        "oauth_config":{"scopes":{"bot":["chat:write"]}},"settings":{"socket_mode_enabled":false%s}}"""
        .formatted(settings);
  }

  @Test
  void the_sdk_learns_who_it_is() throws Exception {
    var test = app.authTest(it -> it);

    assertTrue(test.isOk());
    assertEquals(slack.teamId(), test.getTeamId());
    assertEquals(slack.app().id(), test.getUserId());
  }

  @Test
  void a_call_without_a_token_and_one_with_a_wrong_one_are_refused() throws Exception {
    var bare = new Request.Builder().url(slack.url() + "api/auth.test").build();
    try (var response = http.newCall(bare).execute()) {
      assertEquals(
          "{\"ok\":false,\"error\":\"not_authed\"}", requireNonNull(response.body()).string());
    }
    assertEquals("invalid_auth", sdk.methods("xoxb-other").authTest(it -> it).getError());
  }

  @Test
  void a_reading_method_takes_no_json() throws Exception {
    var root = slack.say("general", "ada", "hello");
    var body = new JsonObject().put("channel", slack.channel("general").id()).put("ts", root);
    var json =
        new Request.Builder()
            .url(slack.url() + "api/conversations.replies")
            .header("Authorization", "Bearer xoxb-local-bot-token")
            .post(RequestBody.create(body.encode(), MediaType.get("application/json")))
            .build();

    try (var response = http.newCall(json).execute()) {
      var answer = new JsonObject(requireNonNull(response.body()).string());
      assertFalse(answer.getBoolean("ok"), answer.encode());
    }
    assertTrue(
        app.conversationsReplies(it -> it.channel(slack.channel("general").id()).ts(root)).isOk());
  }

  @Test
  void what_was_said_of_work_is_gone_after_its_time() throws Exception {
    var moment = Duration.ofMillis(1);
    try (var hurried =
        LocalSlack.start(
            LocalSlack.Settings.deliveringTo(URI.create("http://127.0.0.1:9/slack/events"))
                .with(new Delays(SOON, List.of(), moment, moment, SOON, moment)))) {
      var root = hurried.direct("ada", "hello");
      var channel = hurried.channel("@ada").id();
      var quick = Slack.getInstance(config(hurried.url()), new SlackHttpClient(http));
      quick
          .methods("xoxb-local-bot-token")
          .assistantThreadsSetStatus(it -> it.channelId(channel).threadTs(root).status("thinking"));
      var session =
          new FormBody.Builder()
              .add("channel_id", channel)
              .add("thread_ts", root)
              .add("status", "processing")
              .build();
      var call =
          new Request.Builder()
              .url(hurried.url() + "api/agents.sessions.setStatus")
              .header("Authorization", "Bearer xoxb-local-bot-token")
              .post(session)
              .build();
      http.newCall(call).execute().close();

      var after =
          hurried.awaitThread(
              "@ada",
              root,
              thread -> thread.status().isEmpty() && thread.session().equals(Optional.of("active")),
              SOON);

      assertEquals(
          List.of("thinking", "processing"),
          after.statuses().stream().map(StatusChange::status).toList());
    }
  }

  @Test
  void somebody_of_another_company_is_told_apart_in_the_channel_that_is_shared() throws Exception {
    slack.addChannel("shared", Channel.Kind.PUBLIC);
    var outsider = slack.addOutsider("otto", "Otto", "shared");

    assertTrue(app.usersInfo(it -> it.user(outsider.id())).getUser().isStranger());
    assertTrue(
        app.conversationsInfo(it -> it.channel(slack.channel("shared").id()))
            .getChannel()
            .isExtShared());
    assertFalse(
        app.conversationsInfo(it -> it.channel(slack.channel("general").id()))
            .getChannel()
            .isExtShared());
  }

  @Test
  void an_answer_in_a_thread_is_seen_there_by_people() throws Exception {
    var root = slack.say("general", "ada", "@gorkie is 1 < 2 & 3?");

    var posted =
        app.chatPostMessage(
            it ->
                it.channel(slack.channel("general").id())
                    .threadTs(root)
                    .text("Yes, 1 &lt; 2 &amp; 3.")
                    .unfurlLinks(false)
                    .unfurlMedia(false));

    assertTrue(posted.isOk());
    assertEquals(root, posted.getMessage().getThreadTs());
    var thread = slack.thread("general", root);
    assertEquals("@gorkie is 1 < 2 & 3?", thread.root().text());
    assertEquals("Yes, 1 < 2 & 3.", thread.last().text());
    assertEquals(List.of(), slack.violations());
  }

  @Test
  void a_message_is_changed_and_taken_back() throws Exception {
    var channel = slack.channel("general").id();
    var posted = app.chatPostMessage(it -> it.channel(channel).text("one"));

    assertTrue(app.chatUpdate(it -> it.channel(channel).ts(posted.getTs()).text("two")).isOk());
    assertEquals("two", slack.thread("general", posted.getTs()).root().text());
    assertTrue(slack.thread("general", posted.getTs()).root().edited());

    assertTrue(app.chatDelete(it -> it.channel(channel).ts(posted.getTs())).isOk());
    assertEquals(List.of(), slack.thread("general", posted.getTs()).messages());
  }

  @Test
  void an_edit_with_too_long_a_text_is_refused_as_a_whole() throws Exception {
    var channel = slack.channel("general").id();
    var posted = app.chatPostMessage(it -> it.channel(channel).text("one"));

    var refused =
        app.chatUpdate(it -> it.channel(channel).ts(posted.getTs()).text("x".repeat(4_001)));

    assertEquals("msg_too_long", refused.getError());
    assertEquals("one", slack.thread("general", posted.getTs()).root().text());
  }

  @Test
  void text_takes_the_place_of_blocks_and_blocks_change_unmarked() throws Exception {
    var channel = slack.channel("general").id();
    var posted =
        app.chatPostMessage(
            it -> it.channel(channel).text("fallback").blocksAsString(section("shown")));

    app.chatUpdate(
        it ->
            it.channel(channel)
                .ts(posted.getTs())
                .text("fallback")
                .blocksAsString(section("other")));
    var withBlocks = slack.thread("general", posted.getTs()).root();
    app.chatUpdate(it -> it.channel(channel).ts(posted.getTs()).text("words"));
    var withText = slack.thread("general", posted.getTs()).root();

    assertEquals("other", withBlocks.text());
    assertFalse(withBlocks.edited());
    assertEquals("words", withText.text());
    assertTrue(withText.edited());
  }

  private static String section(String text) {
    return "[{\"type\":\"section\",\"text\":{\"type\":\"mrkdwn\",\"text\":\"" + text + "\"}}]";
  }

  @Test
  void replies_are_read_back_page_by_page_with_their_metadata() throws Exception {
    var channel = slack.channel("general").id();
    var root = slack.say("general", "ada", "@gorkie count");
    for (var i = 1; i <= 4; i++) {
      var n = i;
      app.chatPostMessage(
          it ->
              it.channel(channel)
                  .threadTs(root)
                  .text("reply " + n)
                  .metadataAsString(
                      "{\"event_type\":\"turn\",\"event_payload\":{\"part\":" + n + "}}"));
    }

    var first =
        app.conversationsReplies(
            it -> it.channel(channel).ts(root).limit(3).includeAllMetadata(true));
    var second =
        app.conversationsReplies(
            it ->
                it.channel(channel)
                    .ts(root)
                    .limit(3)
                    .includeAllMetadata(true)
                    .cursor(first.getResponseMetadata().getNextCursor()));

    assertEquals(3, first.getMessages().size());
    assertTrue(first.isHasMore());
    assertEquals(4, first.getMessages().getFirst().getReplyCount());
    assertEquals(
        List.of("reply 3", "reply 4"),
        second.getMessages().stream().map(it -> it.getText()).toList());
    assertFalse(second.isHasMore());
    assertEquals("turn", second.getMessages().getFirst().getMetadata().getEventType());
  }

  @Test
  void a_plan_of_tasks_is_an_ordinary_message() throws Exception {
    var channel = slack.channel("general").id();

    var posted =
        app.chatPostMessage(it -> it.channel(channel).text("Working").blocksAsString(PLAN));

    assertTrue(posted.isOk());
    var seen = slack.thread("general", posted.getTs()).root();
    assertEquals("Working\n✓ Read the report: report.pdf\n▸ Count\n[Stop]", seen.text());
    assertEquals("in_progress", seen.tasks().getLast().status());
    assertEquals("stop", seen.button("Stop").orElseThrow().actionId());
  }

  private static final String PLAN =
      """
      [{"type":"plan","title":"Working","tasks":[
         {"type":"task_card","task_id":"1","title":"Read the report","status":"complete",
          "details":{"type":"rich_text","elements":[{"type":"rich_text_section",
            "elements":[{"type":"text","text":"report.pdf"}]}]}},
         {"type":"task_card","task_id":"2","title":"Count","status":"in_progress"}]},
       {"type":"actions","elements":[{"type":"button","action_id":"stop","value":"opaque",
         "text":{"type":"plain_text","text":"Stop"}}]}]
      """;

  @Test
  void an_upload_of_the_announced_length_appears_in_the_thread() throws Exception {
    var channel = slack.channel("general").id();
    var root = slack.say("general", "ada", "@gorkie draw");
    var bytes = "a drawing".getBytes(StandardCharsets.UTF_8);

    var reserved =
        app.filesGetUploadURLExternal(it -> it.filename("drawing.png").length(bytes.length));
    assertEquals(400, upload(reserved.getUploadUrl(), new byte[3]));
    assertEquals(200, upload(reserved.getUploadUrl(), bytes));
    var file = FileDetails.builder().id(reserved.getFileId()).title("A drawing").build();
    var completed =
        app.filesCompleteUploadExternal(
            it -> it.files(List.of(file)).channelId(channel).threadTs(root).initialComment("Here"));

    assertTrue(completed.isOk());
    var thread = slack.awaitThread("general", root, it -> !it.filesByApp().isEmpty(), SOON);
    assertEquals("Here", thread.last().text());
    assertArrayEquals(bytes, thread.last().file("drawing.png").orElseThrow().bytes());
    var info = app.filesInfo(it -> it.file(reserved.getFileId())).getFile();
    assertEquals(
        thread.last().ts(),
        info.getShares().getPublicChannels().getOrDefault(channel, List.of()).getFirst().getTs());
  }

  private int upload(String url, byte[] bytes) throws IOException {
    var request =
        new Request.Builder()
            .url(url)
            .post(RequestBody.create(bytes, MediaType.get("application/octet-stream")))
            .build();
    try (var response = http.newCall(request).execute()) {
      return response.code();
    }
  }

  @Test
  void a_large_file_of_a_person_is_downloaded_whole_with_the_token_alone() throws Exception {
    var size = 40L << 20;
    var ts =
        slack.say(
            Utterance.in("general", "ada", "@gorkie read")
                .with(Upload.generated("noise.bin", size)));
    var file =
        app.conversationsHistory(it -> it.channel(slack.channel("general").id()))
            .getMessages()
            .getFirst();
    var url = file.getFiles().getFirst().getUrlPrivateDownload();

    var withToken =
        new Request.Builder()
            .url(url)
            .header("Authorization", "Bearer xoxb-local-bot-token")
            .build();
    try (var response = http.newCall(withToken).execute();
        var expected = slack.thread("general", ts).root().files().getFirst().open()) {
      assertEquals(size, requireNonNull(response.body()).contentLength());
      assertTrue(same(expected, requireNonNull(response.body()).byteStream()));
    }
    try (var response = http.newCall(new Request.Builder().url(url).build()).execute()) {
      assertEquals(200, response.code());
      assertEquals("text/html; charset=utf-8", response.header("content-type"));
    }
  }

  private static boolean same(InputStream one, InputStream other) throws IOException {
    for (; ; ) {
      var some = one.readNBytes(1 << 16);
      if (!Arrays.equals(some, other.readNBytes(1 << 16))) {
        return false;
      }
      if (some.length == 0) {
        return true;
      }
    }
  }

  @Test
  void a_status_is_seen_until_the_app_posts_and_stays_in_the_history() throws Exception {
    var root = slack.direct("ada", "hello");
    var channel = slack.channel("@ada").id();

    app.assistantThreadsSetStatus(it -> it.channelId(channel).threadTs(root).status("is thinking"));
    var during = slack.thread("@ada", root).status();
    app.chatPostMessage(it -> it.channel(channel).threadTs(root).text("Hi"));
    var after = slack.thread("@ada", root);

    assertEquals("is thinking", during.orElseThrow());
    assertTrue(after.status().isEmpty());
    assertEquals(
        List.of("is thinking"), after.statuses().stream().map(StatusChange::status).toList());
  }

  @Test
  void faults_happen_as_often_as_they_were_asked_for() throws Exception {
    var channel = slack.channel("general").id();
    slack.fail("chat.postMessage", 1, new Fault.RateLimited(Duration.ofSeconds(7)));
    slack.fail("chat.postMessage", 1, new Fault.AnswerLost());

    var limited =
        assertThrows(
            SlackApiException.class,
            () -> app.chatPostMessage(it -> it.channel(channel).text("a")));
    assertThrows(IOException.class, () -> app.chatPostMessage(it -> it.channel(channel).text("b")));
    assertTrue(app.chatPostMessage(it -> it.channel(channel).text("c")).isOk());

    assertEquals("7", limited.getResponse().header("Retry-After"));
    assertEquals(
        List.of("b", "c"),
        slack.threads("general").stream().map(thread -> thread.root().text()).toList());
    assertFalse(slack.calls("chat.postMessage").get(1).heard());
  }

  @Test
  void mentions_previews_and_remote_images_are_noted() throws Exception {
    var channel = slack.channel("general").id();

    app.chatPostMessage(
        it -> it.channel(channel).text("<!channel> look").unfurlLinks(true).unfurlMedia(false));
    app.chatPostMessage(
        it ->
            it.channel(channel)
                .text("x")
                .blocksAsString(section("![x](https://elsewhere.example/?secret)")));

    assertEquals(
        List.of("unfurl_links is not false", "raw mention", "remote image"),
        slack.violations().stream().map(Violation::rule).toList());
  }

  @Test
  void the_sdk_looks_up_people_places_and_opens_direct_messages() throws Exception {
    var ada = slack.person("ada");

    assertEquals("Ada Lovelace", app.usersInfo(it -> it.user(ada.id())).getUser().getRealName());
    assertEquals("user_not_found", app.usersInfo(it -> it.user("U0NOBODY")).getError());
    assertEquals(slack.teamId(), app.teamInfo(it -> it).getTeam().getId());
    var opened = app.conversationsOpen(it -> it.users(List.of(ada.id()))).getChannel().getId();
    assertEquals(slack.channel("@ada").id(), opened);
    assertTrue(app.conversationsInfo(it -> it.channel(opened)).getChannel().isIm());
  }

  @Test
  void reactions_and_words_for_one_person_are_seen_by_whom_they_concern() throws Exception {
    var channel = slack.channel("general").id();
    var root = slack.say("general", "ada", "@gorkie hi");

    app.reactionsAdd(it -> it.channel(channel).timestamp(root).name("eyes"));
    var again = app.reactionsAdd(it -> it.channel(channel).timestamp(root).name("eyes"));
    slack.react("general", root, "grace", "tada");
    app.chatPostEphemeral(
        it -> it.channel(channel).threadTs(root).user(slack.person("ada").id()).text("Only you"));

    var thread = slack.thread("general", root);
    assertEquals("already_reacted", again.getError());
    assertEquals(List.of("gorkie"), thread.root().reactions().get("eyes"));
    assertEquals(List.of("grace"), thread.root().reactions().get("tada"));
    assertEquals("ada", thread.last().onlyFor().orElseThrow());
    assertEquals(
        1, app.conversationsReplies(it -> it.channel(channel).ts(root)).getMessages().size());
  }

  @Test
  void a_session_has_a_state_and_a_title_that_a_reader_of_the_thread_finds() throws Exception {
    var channel = slack.channel("general").id();
    var root = slack.say("general", "ada", "@gorkie hi");

    var early = session("agents.sessions.rename", channel, root, "title", "Too early");
    session("agents.sessions.setStatus", channel, root, "status", "processing");
    session("agents.sessions.rename", channel, root, "title", "Report: March");

    assertEquals("not_authorized", early.getError());
    assertEquals("processing", slack.thread("general", root).session().orElseThrow());
    assertEquals("Report_ March", slack.thread("general", root).title().orElseThrow());
  }

  private AuthTestResponse session(
      String method, String channel, String root, String field, String value) throws Exception {
    return app.postFormWithTokenAndParseResponse(
        form -> form.add("channel_id", channel).add("thread_ts", root).add(field, value),
        method,
        "xoxb-local-bot-token",
        AuthTestResponse.class);
  }

  @Test
  void a_limited_method_says_when_it_takes_calls_again_and_counts_posts_for_each_channel()
      throws Exception {
    slack.limit("chat.postMessage", 1, Duration.ofHours(1));

    app.chatPostMessage(it -> it.channel(slack.channel("general").id()).text("one"));
    var elsewhere = app.chatPostMessage(it -> it.channel(slack.channel("random").id()).text("two"));
    var limited =
        assertThrows(
            SlackApiException.class,
            () ->
                app.chatPostMessage(it -> it.channel(slack.channel("general").id()).text("three")));

    assertTrue(elsewhere.isOk());
    assertEquals(429, limited.getResponse().code());
    var seconds = Integer.parseInt(limited.getResponse().header("Retry-After", "0"));
    assertTrue(3_000 < seconds && seconds <= 3_600, "Retry-After: " + seconds);
  }

  @Test
  void what_a_person_types_is_encoded_as_slack_does() {
    var workspace =
        new Workspace(new Changes(), new Stamps(Clock.systemUTC()), Workspace.FIRST, "Local");
    var typing = new Typing(workspace);
    var ada = workspace.person("ada").orElseThrow().id();

    assertEquals(
        "&lt;!channel&gt; a@ada.org &amp; <!here>", typing.encode("<!channel> a@ada.org & @here"));
    assertEquals(
        "<@" + ada + ">, see <https://example.org/a?b=1&amp;c=2>.",
        typing.encode("@ada, see https://example.org/a?b=1&c=2."));
    assertEquals("@nobody", typing.encode("@nobody"));
  }

  @Test
  void a_message_of_forty_thousand_characters_by_a_person_is_kept_whole() throws Exception {
    var words = "wörd ".repeat(8_000);

    slack.say("general", "ada", words);

    var read =
        app.conversationsHistory(it -> it.channel(slack.channel("general").id()))
            .getMessages()
            .getFirst();
    assertEquals(words, read.getText());
  }
}
