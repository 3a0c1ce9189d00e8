package dev.gorkie.pi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.gorkie.sandbox.Finding.Weight;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelProbeTest {

  private HttpServer provider;
  private int status;
  private final List<String> asked = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    provider.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    provider.start();
  }

  @AfterEach
  void stop() {
    provider.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "200, key, GOOD",
    "404, key, GOOD",
    "401, key, BAD",
    "403, key, BAD",
    "401, , GOOD",
    "500, key, BAD"
  })
  void a_provider_that_answers_is_well_unless_it_refuses_our_key(
      int answers, String key, Weight expected) {
    status = answers;

    var finding = ModelProbe.of(url(), Optional.ofNullable(key));

    assertEquals(expected, finding.weight(), finding.sentence());
    var bearer = key == null ? "null" : "Bearer key";
    assertEquals(List.of("/v1/models " + bearer), asked);
  }

  @Test
  void where_nobody_answers_it_says_where() {
    provider.stop(0);

    var finding = ModelProbe.of(url(), Optional.empty());

    assertEquals(Weight.BAD, finding.weight());
    assertTrue(finding.sentence().startsWith("Nobody answers at 127.0.0.1: "), finding.sentence());
  }

  private URI url() {
    return URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/v1/");
  }
}
