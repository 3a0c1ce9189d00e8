package dev.gorkie.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.gorkie.Await;
import dev.gorkie.RealDatabase;
import dev.gorkie.ThreadKey;
import dev.gorkie.database.Database;
import dev.gorkie.database.Statements;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.config.Secret;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a program of the operator's is told, over HTTP and from a real table.
@QuarkusTest
@QuarkusTestResource(value = RealDatabase.class, restrictToAnnotatedClass = true)
class WebhookTest {

  private static final String SECRET = "sixteen characters or more";
  private static final ThreadKey THREAD = new ThreadKey("T1", "C1", "1700000000.000100");
  private static final Pattern EXAMPLE = Pattern.compile("```js\\n(.*?)```", Pattern.DOTALL);

  @Inject Database database;
  @Inject Statements statements;

  private final List<String> heard = new ArrayList<>();
  private final AtomicInteger answer = new AtomicInteger(204);
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    database.transaction(() -> statements.of("delete from announcements").executeUpdate());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            heard.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(answer.get(), -1);
          }
        });
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  private Webhook webhook(Optional<URI> url, Duration again) {
    return new Webhook(
        database,
        statements,
        new Webhook.Settings() {
          @Override
          public Optional<URI> url() {
            return url;
          }

          @Override
          public Optional<Secret<String>> secret() {
            return Optional.of(() -> SECRET);
          }

          @Override
          public Duration again() {
            return again;
          }

          @Override
          public Duration kept() {
            return Duration.ofDays(1);
          }
        });
  }

  private Webhook here(Duration again) {
    return webhook(
        Optional.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort())), again);
  }

  private boolean ends(Webhook webhook, long turn) {
    return database.transaction(
        () -> {
          webhook.note(
              new Finished(
                  THREAD,
                  "C1",
                  "1700000000.000100",
                  "U1",
                  turn,
                  "DONE",
                  "none",
                  Duration.ofSeconds(12),
                  3,
                  4_211,
                  new BigDecimal("0.02")));
          return true;
        });
  }

  @Test
  void what_has_ended_is_posted_once_however_often_it_is_noted() {
    var webhook = here(Duration.ofMinutes(1));

    ends(webhook, 1);
    ends(webhook, 1);
    webhook.post();
    webhook.post();

    assertEquals(1, heard.size(), heard.toString());
    assertTrue(
        heard
            .getFirst()
            .matches(
                "\\{\"type\":\"agent.finished\",\"id\":\"agent.finished-1\",\"at\":\"[^\"]+\",\"team\":\"T1\",\"channel\":\"C1\","
                    + "\"thread_ts\":\"1700000000.000100\",\"user\":\"U1\",\"turn\":1,\"outcome\":\"DONE\",\"fault\":\"none\","
                    + "\"seconds\":12,\"steps\":3,\"tokens\":4211,\"cost\":0.02\\}"),
        heard.getFirst());
    assertFalse(webhook.hasLeftovers());
  }

  @Test
  void what_was_not_taken_is_said_again_when_it_is_time_and_elsewhere_nothing_is_said() {
    var soon = here(Duration.ZERO);
    var later = here(Duration.ofMinutes(1));
    ends(soon, 2);
    for (var refusal : List.of(500, 302, 404)) {
      answer.set(refusal);
      soon.post();
      assertTrue(soon.hasLeftovers(), "after " + refusal);
    }
    later.post();
    answer.set(204);

    later.post();
    assertEquals(4, heard.size(), "it is not time yet");
    database.transaction(
        () -> statements.of("update announcements set due_at = now()").executeUpdate());
    later.post();

    assertEquals(5, heard.size());
    assertFalse(later.hasLeftovers());
  }

  @Test
  void what_nobody_wants_or_takes_within_a_day_is_dropped() {
    var webhook = here(Duration.ZERO);
    ends(webhook, 3);
    answer.set(410);
    webhook.post();
    assertFalse(webhook.hasLeftovers());

    ends(webhook, 4);
    database.transaction(
        () ->
            statements
                .of("update announcements set made_at = now() - interval '25 hours'")
                .executeUpdate());
    webhook.post();

    assertFalse(webhook.hasLeftovers());
    assertEquals(1, heard.size());
  }

  @Test
  void without_an_address_nothing_is_noted_and_with_its_thread_it_is_forgotten() {
    var nowhere = webhook(Optional.empty(), Duration.ZERO);
    ends(nowhere, 5);
    assertFalse(here(Duration.ZERO).hasLeftovers());

    ends(here(Duration.ZERO), 6);
    database.transaction(
        () -> {
          nowhere.forget(THREAD);
          return true;
        });

    assertFalse(here(Duration.ZERO).hasLeftovers());
  }

  @Test
  void the_program_that_the_page_shows_takes_it_and_takes_nothing_from_others(@TempDir Path folder)
      throws Exception {
    var example = EXAMPLE.matcher(Files.readString(Path.of("docs", "webhook.md")));
    assertTrue(example.find());
    var program = Files.writeString(folder.resolve("hook.mjs"), example.group(1));
    var port = freePort();
    var command = new ProcessBuilder("node", program.toString()).redirectErrorStream(true);
    command.environment().put("GORKIE_WEBHOOK_SECRET", SECRET);
    command.environment().put("PORT", Integer.toString(port));
    var running = command.start();
    try (var said = new BufferedReader(running.inputReader(UTF_8))) {
      awaitListening(port, running);
      var url = Optional.of(URI.create("http://127.0.0.1:" + port + "/hook"));
      var webhook = webhook(url, Duration.ZERO);
      ends(webhook, 7);

      webhook.post();

      assertEquals("DONE 1700000000.000100", said.readLine());
      assertFalse(webhook.hasLeftovers());
    } finally {
      running.destroyForcibly().waitFor();
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitListening(int port, Process running) {
    Await.until(() -> isListening(port) || !running.isAlive());
  }

  private static boolean isListening(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException _) {
      return false;
    }
  }
}
