package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gorkie.Deadline;
import dev.gorkie.local.slack.Delivery;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.Upload;
import dev.gorkie.local.slack.Utterance;
import dev.gorkie.slack.Attachment.Access;
import dev.gorkie.slack.AttachmentRefused.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SlackFilesTest {

  private static final long MEGABYTE = 1_000_000;
  private static final String TEAM = "T0LOCALTEAM";
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Nested
  class FromAWorkspace {

    private final SlackAtHand slack = new SlackAtHand();
    private final SlackFiles files = new SlackFiles(slack.api);

    @AfterEach
    void close() {
      slack.close();
    }

    @Test
    void an_attachment_is_read_as_it_was_added() throws Exception {
      var content = new byte[300_000];
      new Random(1).nextBytes(content);

      var attachment = attached(Upload.bytes("data.bin", content));

      try (var stream = files.open(TEAM, attachment, MEGABYTE)) {
        assertArrayEquals(content, stream.readAllBytes());
      }
    }

    @Test
    void one_from_another_company_is_asked_for_first() throws Exception {
      var attachment = attached(Upload.text("plan.txt", "the plan").fromAnotherWorkspace());

      assertEquals(Access.ASK_FIRST, attachment.access());
      try (var stream = files.open(TEAM, attachment, MEGABYTE)) {
        assertEquals("the plan", new String(stream.readAllBytes(), UTF_8));
      }
    }

    @Test
    void what_a_mention_says_nothing_of_is_asked_for_until_Slack_tells() throws Exception {
      var mention = said("app_mention", Upload.text("notes.txt", "n"));
      assertEquals(List.of(), mention.files());

      for (var fault : List.of(new Fault.RateLimited(SECOND), new Fault.Status(503))) {
        slack.workspace.fail("conversations.replies", 1, fault);

        var files = this.files.of(mention, () -> false);

        assertEquals(List.of("notes.txt"), files.stream().map(Attachment::name).toList());
      }
    }

    @Test
    void what_Slack_does_not_tell_of_is_not_taken_for_nothing() throws Exception {
      var mention = said("app_mention", Upload.text("notes.txt", "n"));
      slack.workspace.fail(
          "conversations.replies", 1, new Fault.RateLimited(Duration.ofMinutes(30)));

      assertThrows(IOException.class, () -> files.of(mention, () -> false));
      slack.workspace.fail("conversations.replies", 2, new Fault.RateLimited(SECOND));
      assertThrows(IOException.class, () -> files.of(mention, () -> true));
    }

    @Test
    void who_does_not_want_to_know_any_more_does_not_ask_again() throws Exception {
      var mention = said("app_mention", Upload.text("notes.txt", "n"));
      slack.workspace.fail(
          "conversations.replies", 1, new Fault.RateLimited(SECOND.multipliedBy(5)));
      var calledOff = Deadline.in(SECOND);

      assertThrows(IOException.class, () -> files.of(mention, calledOff::isOver));

      assertEquals(1, slack.workspace.calls("conversations.replies").size());
    }

    @Test
    void one_that_is_too_large_is_not_even_begun() throws Exception {
      var attachment = attached(Upload.generated("film.mp4", 2 * MEGABYTE));

      assertRefused(Reason.TOO_LARGE, attachment, MEGABYTE);
      assertTrue(slack.workspace.calls("files.info").isEmpty());
    }

    @Test
    void one_that_Slack_does_not_know_is_gone() {
      assertRefused(
          Reason.GONE,
          new Attachment(
              "F0NOWHERE", "", "", OptionalLong.empty(), Optional.empty(), Access.ASK_FIRST),
          MEGABYTE);
    }

    @Test
    void a_login_page_is_no_file() throws Exception {
      var attachment = attached(Upload.text("notes.txt", "n"));
      try (var stranger = new SlackAtHand(Map.of("gorkie.slack.bot-token", "xoxb-stranger"))) {
        var address = attachment.download().orElseThrow();
        var there =
            new Attachment(
                attachment.id(),
                attachment.name(),
                attachment.mimetype(),
                attachment.bytes(),
                Optional.of(URI.create(stranger.workspace.url() + address.getPath().substring(1))),
                Access.OPEN);

        var refused =
            assertThrows(
                AttachmentRefused.class,
                () -> new SlackFiles(stranger.api).open(TEAM, there, MEGABYTE));

        assertEquals(Reason.DENIED, refused.reason());
      }
    }

    @Test
    void a_slow_or_silent_Slack_is_worth_another_try() throws Exception {
      var attachment = attached(Upload.text("notes.txt", "n"));
      for (var fault : List.of(new Fault.Status(503), new Fault.NeverArrived())) {
        slack.workspace.fail("download", 1, fault);

        var failed = assertThrows(IOException.class, () -> files.open(TEAM, attachment, MEGABYTE));

        assertFalse(failed instanceof AttachmentRefused, failed.toString());
      }
      files.open(TEAM, attachment, MEGABYTE).close();
    }

    @ParameterizedTest
    @CsvSource({"EXTERNAL, EXTERNAL", "GONE, GONE", "DENIED, DENIED"})
    void what_the_event_denies_is_not_tried(Access access, Reason reason) {
      assertRefused(
          reason,
          new Attachment(
              "F1", "x", "", OptionalLong.of(1), Optional.of(slack.workspace.url()), access),
          MEGABYTE);
    }

    @Test
    void every_delivery_of_the_workspace_is_understood() throws Exception {
      attached(Upload.text("notes.txt", "n"));
      slack.workspace.direct("ada", "hello");
      slack.workspace.awaitQuiet(SlackAtHand.SOON);

      for (var delivery : slack.workspace.deliveries()) {
        assertInstanceOf(
            SlackEvent.Said.class, SlackEvent.read(delivery.body().encode().getBytes(UTF_8)));
      }
    }

    private Attachment attached(Upload upload) throws InterruptedException {
      return said("message", upload).files().getFirst();
    }

    /// What is delivered of a message with a file, as one or the other kind of event.
    private MessageEvent said(String type, Upload upload) throws InterruptedException {
      var ts = slack.workspace.say(Utterance.in("general", "ada", "@gorkie look").with(upload));
      Predicate<Delivery> isIt =
          one -> one.type().equals(type) && one.event().getString("ts").equals(ts);
      var body =
          slack
              .workspace
              .awaitDeliveries(all -> all.stream().anyMatch(isIt), SlackAtHand.SOON)
              .stream()
              .filter(isIt)
              .findFirst()
              .orElseThrow()
              .body()
              .encode();
      return assertInstanceOf(SlackEvent.Said.class, SlackEvent.read(body.getBytes(UTF_8)))
          .message();
    }

    private void assertRefused(Reason reason, Attachment attachment, long bytesMax) {
      var refused =
          assertThrows(AttachmentRefused.class, () -> files.open(TEAM, attachment, bytesMax));
      assertEquals(reason, refused.reason());
    }
  }

  /// A server that is Slack to us, and another one that is not.
  @Nested
  class FromAHostileServer {

    private final List<String> tokensSeenElsewhere =
        Collections.synchronizedList(new ArrayList<>());
    private final HttpServer slack = serve();
    private final HttpServer elsewhere = serve();
    private final SlackSettings settings =
        SlackAtHand.settings(
            Map.of(
                "gorkie.slack.api-url",
                address(slack, "/api/"),
                "gorkie.slack.bot-token",
                SlackAtHand.TOKEN));
    private final SlackHttp http = new SlackHttp(settings);
    private final SlackApi api = SlackAtHand.api(http, settings);
    private final SlackFiles files = new SlackFiles(api);

    FromAHostileServer() {
      elsewhere.createContext(
          "/",
          exchange -> {
            tokensSeenElsewhere.add(
                String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            answer(exchange, 200, "text/plain", "stolen");
          });
    }

    @AfterEach
    void close() {
      http.close();
      slack.stop(0);
      elsewhere.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
      "http://files.slack.com/x",
      "https://files.slack.com.evil.example/x",
      "https://evil.example/files.slack.com",
      "https://files.slack.com@evil.example/x",
      "https://acme.slack.com/x",
      "https://files.slack.com:8443/x",
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
      "mailto:a@b.example"
    })
    void the_token_goes_to_Slacks_hosts_alone(String address) {
      assertFalse(api.isSlacks(URI.create(address)));
      assertRefused(Reason.DENIED, attachment(address, 1));
    }

    @Test
    void Slacks_own_hosts_are_known() {
      assertTrue(api.isSlacks(URI.create("https://files.slack.com/x")));
      assertTrue(api.isSlacks(URI.create("https://FILES.slack.com:443/x")));
      assertTrue(api.isSlacks(URI.create(address(slack, "/x"))));
    }

    @Test
    void no_redirect_leads_to_a_stranger() {
      for (var status : List.of(301, 302, 303, 307, 308)) {
        slack.createContext(
            "/moved" + status,
            exchange -> {
              exchange.getResponseHeaders().add("Location", address(elsewhere, "/x"));
              answer(exchange, status, "text/plain", "");
            });

        assertRefused(Reason.DENIED, attachment(address(slack, "/moved" + status), 6));
      }
      assertEquals(List.of(), tokensSeenElsewhere);
    }

    @Test
    void a_redirect_within_Slack_is_followed_and_one_without_end_is_not() throws IOException {
      slack.createContext("/end", exchange -> answer(exchange, 200, "text/plain", "the end"));
      for (var path : List.of("/end", "/loop")) {
        slack.createContext(
            path.equals("/end") ? "/once" : "/loop",
            exchange -> {
              exchange.getResponseHeaders().add("Location", path);
              answer(exchange, 302, "text/plain", "");
            });
      }

      try (var stream = files.open(TEAM, attachment(address(slack, "/once"), 7), MEGABYTE)) {
        assertEquals("the end", new String(stream.readAllBytes(), UTF_8));
      }
      assertRefused(Reason.DENIED, attachment(address(slack, "/loop"), 7));
    }

    @ParameterizedTest
    @CsvSource({"5", "7"})
    void a_file_of_another_length_than_announced_is_not_whole(long announced) throws IOException {
      slack.createContext("/six", exchange -> answer(exchange, 200, "text/plain", "sixsix"));

      try (var stream = files.open(TEAM, attachment(address(slack, "/six"), announced), MEGABYTE)) {
        var refused = assertThrows(AttachmentRefused.class, stream::readAllBytes);

        assertEquals(Reason.NOT_WHOLE, refused.reason());
      }
    }

    @Test
    void a_file_that_does_not_end_is_cut_off_at_the_limit() throws IOException {
      slack.createContext(
          "/endless",
          exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
              while (true) {
                out.write(new byte[10_000]);
              }
            }
          });

      try (var stream =
          files.open(
              TEAM,
              new Attachment(
                  "F1",
                  "x",
                  "text/plain",
                  OptionalLong.empty(),
                  Optional.of(URI.create(address(slack, "/endless"))),
                  Access.OPEN),
              MEGABYTE)) {
        var refused = assertThrows(AttachmentRefused.class, stream::readAllBytes);

        assertEquals(Reason.TOO_LARGE, refused.reason());
      }
    }

    @ParameterizedTest
    @EnumSource(
        value = Reason.class,
        names = {"GONE", "DENIED"})
    void an_error_says_why(Reason reason) {
      slack.createContext(
          "/no",
          exchange -> answer(exchange, reason == Reason.GONE ? 404 : 403, "text/html", "no"));

      assertRefused(reason, attachment(address(slack, "/no"), 1));
    }

    private Attachment attachment(String address, long bytes) {
      return new Attachment(
          "F1",
          "x.txt",
          "text/plain",
          OptionalLong.of(bytes),
          Optional.of(URI.create(address)),
          Access.OPEN);
    }

    private void assertRefused(Reason reason, Attachment attachment) {
      var refused =
          assertThrows(AttachmentRefused.class, () -> files.open(TEAM, attachment, MEGABYTE));
      assertEquals(reason, refused.reason());
    }

    private static HttpServer serve() {
      try {
        var server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.start();
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String address(HttpServer server, String path) {
      return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private static void answer(HttpExchange exchange, int status, String type, String body)
        throws IOException {
      exchange.getResponseHeaders().add("Content-Type", type);
      var bytes = body.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    }
  }
}
