package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gorkie.attack.Attack;
import dev.gorkie.slack.Attachment.Access;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Attachments whose server lies about them, and leads elsewhere.
class HostileFilesTest {

  private static final String TEAM = "T0LOCALTEAM";
  private static final long MOST = 100_000;
  // As much as may be under way in buffers when a stream is cut off.
  private static final long SENT_MOST = 20_000_000;

  private final Random random = new Random(Attack.seed());
  private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
  private HttpServer slack;
  private HttpServer elsewhere;
  private SlackHttp http;
  private SlackFiles files;

  @BeforeEach
  void begin() throws IOException {
    slack = serve(this::answerAsSlack);
    elsewhere =
        serve(
            exchange -> {
              if (exchange.getRequestHeaders().containsKey("Authorization")) {
                tokens.add(exchange.getRequestURI().toString());
              }
              send(exchange, 200, "text/plain", "stolen", 6);
            });
    var settings =
        SlackAtHand.settings(
            Map.of(
                "gorkie.slack.api-url",
                address(slack, "/api/"),
                "gorkie.slack.bot-token",
                SlackAtHand.TOKEN));
    http = new SlackHttp(settings);
    files = new SlackFiles(SlackAtHand.api(http, settings));
  }

  @AfterEach
  void end() {
    http.close();
    slack.stop(0);
    elsewhere.stop(0);
  }

  @Test
  void no_file_brings_the_token_elsewhere_or_more_bytes_than_may_come() {
    var through = new ArrayList<String>();
    var cases = Attack.cases(120, 600);
    for (var times = 0; times < cases; times++) {
      attempt(through);
    }
    tokens.forEach(it -> through.add("the token went elsewhere: " + it));

    Attack.of("S8", "attachments that lie").withstood(cases, through);
  }

  private void attempt(List<String> through) {
    var length = random.nextInt(3) == 0 ? random.nextInt(200_000) : random.nextInt(100);
    var announced = random.nextInt(4) == 0 ? length + random.nextInt(-3, 4) : length;
    var path = path(length);
    var attachment =
        new Attachment(
            "F1",
            "x.txt",
            "text/plain",
            random.nextInt(5) == 0 ? OptionalLong.empty() : OptionalLong.of(announced),
            Optional.of(URI.create(path)),
            Access.OPEN);
    try (var stream = files.open(TEAM, attachment, MOST)) {
      var read = stream.readAllBytes();
      var isAnother = read.length > MOST || new String(read, UTF_8).contains("stolen");
      var isNotWhole =
          attachment.bytes().isPresent() && attachment.bytes().getAsLong() != read.length;
      if (isAnother || isNotWhole || new String(read, UTF_8).contains("<html")) {
        through.add(path + ": " + read.length + " bytes");
      }
    } catch (IOException _) {
      // It stays out.
    } catch (RuntimeException e) {
      through.add(path + ": " + e);
    }
  }

  private String path(int length) {
    var host = "127.0.0.1:" + elsewhere.getAddress().getPort();
    var away =
        List.of(
            "http://" + host + "/x",
            "//" + host + "/x",
            "http://files.slack.com@" + host + "/x",
            "http://" + host + "/https://files.slack.com/x",
            "https://files.slack.com.evil.example/x",
            "https://files.slack.com:8443/x",
            "http://files.slack.com/x",
            "http://localhost:" + elsewhere.getAddress().getPort() + "/x",
            "http://[::1]:" + elsewhere.getAddress().getPort() + "/x",
            "http://169.254.169.254/latest/meta-data/iam",
            "file:///etc/passwd",
            "jar:file:///x!/y",
            "gopher://" + host + "/x",
            "mailto:x@example.com",
            "/moved?to=/moved");
    return switch (random.nextInt(6)) {
      case 0 -> away.get(random.nextInt(away.size() - 1)).replaceFirst("^//", "http://");
      case 1, 2 ->
          address(slack, "/moved?to=")
              + URLEncoder.encode(away.get(random.nextInt(away.size())), UTF_8);
      case 3 -> address(slack, "/html?bytes=" + length);
      case 4 -> address(slack, "/endless");
      default -> address(slack, "/file?bytes=" + length);
    };
  }

  private void answerAsSlack(HttpExchange exchange) throws IOException {
    var address = exchange.getRequestURI();
    var query = String.valueOf(address.getQuery());
    switch (address.getPath()) {
      case "/moved" -> {
        exchange.getResponseHeaders().add("Location", query.substring("to=".length()));
        send(exchange, 301 + random.nextInt(2), "text/plain", "", 0);
      }
      case "/html" -> send(exchange, 200, "text/html; charset=utf-8", "<html>log in", bytes(query));
      case "/endless" -> endless(exchange);
      default -> send(exchange, 200, "text/plain", "x", bytes(query));
    }
  }

  private static int bytes(String query) {
    return Integer.parseInt(query.substring("bytes=".length()));
  }

  private static void endless(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    var sent = 0L;
    try (var out = exchange.getResponseBody()) {
      while (sent < SENT_MOST) {
        out.write(new byte[10_000]);
        sent += 10_000;
      }
    } catch (IOException _) {
      // Nobody reads on, which is what is wanted.
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String words, int bytes)
      throws IOException {
    var body = (words.repeat(bytes / Math.max(1, words.length()) + 1)).getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes == 0 ? -1 : bytes);
    try (var out = exchange.getResponseBody()) {
      out.write(body, 0, bytes);
    } catch (IOException _) {
      // The other side has seen enough.
    }
    exchange.close();
  }

  private interface Answering {
    void answer(HttpExchange exchange) throws IOException;
  }

  private static HttpServer serve(Answering answering) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(task -> Thread.ofVirtual().start(task));
    server.createContext("/", answering::answer);
    server.start();
    return server;
  }

  private static String address(HttpServer server, String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }
}
