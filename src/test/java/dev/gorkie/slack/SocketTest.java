package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gorkie.local.slack.Fault;
import dev.gorkie.local.slack.LocalSlack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What Slack brings over a connection of our own.
class SocketTest {

  private static final Duration SOON = SlackAtHand.SOON;

  private final SlackAtHand slack =
      new SlackAtHand(Map.of("gorkie.slack.app-token", LocalSlack.appToken()));
  private final LocalSlack workspace = slack.workspace;
  private final BlockingQueue<SlackEvent> taken = new LinkedBlockingQueue<>();
  private final AtomicBoolean busy = new AtomicBoolean();
  private final CountDownLatch refused = new CountDownLatch(1);
  private final Socket socket = slack.socket();
  private final Thread listening = Thread.ofVirtual().unstarted(this::listen);

  private void listen() {
    try {
      socket.listen(
          body -> {
            if (busy.getAndSet(false)) {
              refused.countDown();
              return false;
            }
            return taken.add(SlackEvent.read(body));
          });
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    socket.close();
    listening.join();
    slack.close();
  }

  private void connected() throws InterruptedException {
    // What was said when nobody listened is nobody's any more.
    workspace.awaitQuiet(SOON);
    listening.start();
    workspace.awaitConnections(counts -> counts.equals(List.of(1)), SOON);
  }

  private SlackEvent next() throws InterruptedException {
    var event = taken.poll(SOON.toSeconds(), TimeUnit.SECONDS);
    assertTrue(event != null, "nothing came");
    return event;
  }

  @Test
  void what_is_said_is_brought_and_acknowledged() throws InterruptedException {
    connected();

    var ts = workspace.direct("ada", "hello & <welcome>");

    var message = assertInstanceOf(SlackEvent.Said.class, next()).message();
    assertEquals("hello & <welcome>", message.written(user -> user));
    assertEquals(ts, message.ts());
    workspace.awaitQuiet(SOON);
    assertEquals(Optional.of(200), workspace.deliveries().getLast().status());
    assertEquals(0, taken.size());
  }

  @Test
  void clicks_and_slash_commands_come_as_they_would_to_the_door() throws InterruptedException {
    connected();

    workspace.command("general", "ada", "/gorkie", "model a/b & c");
    var slash = assertInstanceOf(SlackEvent.Slashed.class, next()).command();
    workspace.shortcut("general", slack.address.rootTs(), "grace", Click.CONTINUE);
    var asked = assertInstanceOf(SlackEvent.Said.class, next()).message();

    assertEquals(new Command(Command.Word.MODEL, "a/b & c"), slash.command());
    assertEquals(MessageEvent.Kind.CONTINUED, asked.kind());
    assertEquals(slack.address.rootTs(), asked.rootTs());
  }

  @Test
  void what_could_not_be_taken_is_not_acknowledged() throws InterruptedException {
    busy.set(true);
    connected();
    var before = workspace.deliveries().size();

    workspace.direct("ada", "hello?");
    refused.await();
    assertEquals(before, workspace.deliveries().size());
    workspace.cutConnections();
    var lost = workspace.awaitDeliveries(all -> all.size() > before, SOON).getLast();

    assertEquals(Optional.of("connection_failed"), lost.failure());
    assertTrue(taken.isEmpty());
  }

  @Test
  void when_slack_wants_another_connection_it_is_there_before_the_old_one_ends()
      throws InterruptedException {
    connected();

    workspace.refreshConnection();
    var counts = workspace.awaitConnections(it -> it.size() == 3, SOON);
    workspace.direct("ada", "over the new one");

    assertEquals(List.of(1, 2, 1), counts);
    assertInstanceOf(SlackEvent.Said.class, next());
  }

  @Test
  void a_connection_that_broke_is_followed_by_another() throws InterruptedException {
    connected();

    workspace.fail("apps.connections.open", 1, new Fault.Status(500));
    workspace.cutConnections();
    workspace.awaitConnections(counts -> counts.equals(List.of(1, 0, 1)), SOON);
    workspace.direct("ada", "still there?");

    assertInstanceOf(SlackEvent.Said.class, next());
  }

  @ParameterizedTest
  @CsvSource({
    "wss://wss-primary.slack.com/link/?ticket=1, true",
    "wss://slack.com/link/, true",
    "ws://wss-primary.slack.com/link/, false",
    "wss://slack.com.example.org/link/, false",
    "wss://notslack.com/link/, false",
    "wss://slack.com@example.org/link/, false",
    "https://slack.com/link/, false",
    "nowhere, false"
  })
  void it_leads_to_slack_or_nowhere(String address, boolean isSlacks) {
    assertEquals(isSlacks, slack.api.isSlacksSocket(address));
  }

  @Test
  void the_apps_own_token_opens_nothing_else_and_no_other_opens_a_connection() {
    var answer =
        slack
            .http()
            .call(
                Optional.of(SlackAtHand.TOKEN),
                "apps.connections.open",
                Map.of(),
                Wire.Opened.class);
    var other =
        slack
            .http()
            .call(Optional.of(LocalSlack.appToken()), "auth.test", Map.of(), Wire.Self.class);

    assertEquals(new Result.Refused<>("not_allowed_token_type"), answer);
    assertEquals(new Result.Refused<>("invalid_auth"), other);
    assertEquals(
        "a=b+%26", new String(Socket.body("slash_commands", json("{\"a\":\"b &\"}")), UTF_8));
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
