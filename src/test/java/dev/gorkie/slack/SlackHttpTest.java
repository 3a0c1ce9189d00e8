package dev.gorkie.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlackHttpTest {

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 503})
  void nothing_is_said_again_because_somebody_in_between_allows_it(int status) throws IOException {
    var heard = new AtomicInteger();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/chat.postMessage",
        exchange -> {
          heard.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Retry-After", "0");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/api/";
    var http = new SlackHttp(SlackAtHand.settings(Map.of("gorkie.slack.api-url", url)));
    try {
      http.call(
          Optional.of(SlackAtHand.TOKEN),
          "chat.postMessage",
          Map.of("text", "a"),
          Wire.Answer.class);

      assertEquals(1, heard.get());
    } finally {
      http.close();
      server.stop(0);
    }
  }
}
