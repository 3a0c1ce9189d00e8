package dev.gorkie.local.slack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// An app that listens to Slack: it keeps what arrives, and answers as it is told.
final class ListeningApp implements AutoCloseable {
  private final ExecutorService work = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
  private volatile Answering answering = _ -> 200;

  record Heard(
      String path, String timestamp, String signature, Optional<String> retry, byte[] body) {
    JsonObject json() {
      return new JsonObject(new String(body, StandardCharsets.UTF_8));
    }

    JsonObject event() {
      return json().getJsonObject("event");
    }
  }

  /// Decides the status; may take its time.
  @FunctionalInterface
  interface Answering {
    int status(Heard heard) throws InterruptedException;
  }

  ListeningApp() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(work);
    server.createContext("/", this::hear);
    server.start();
  }

  private void hear(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      var retry =
          Optional.ofNullable(headers.getFirst("x-slack-retry-num"))
              .map(number -> number + " " + headers.getFirst("x-slack-retry-reason"));
      var one =
          new Heard(
              exchange.getRequestURI().getPath(),
              String.valueOf(headers.getFirst("x-slack-request-timestamp")),
              String.valueOf(headers.getFirst("x-slack-signature")),
              retry,
              exchange.getRequestBody().readAllBytes());
      heard.add(one);
      var status = answering.status(one);
      if (status == 500) {
        exchange.getResponseHeaders().add("x-slack-no-retry", "1");
      }
      exchange.sendResponseHeaders(status, -1);
    } catch (InterruptedException _) {
      // The app is closing.
    }
  }

  URI events() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/slack/events");
  }

  /// How it answers from now on; to a 500 it adds that it wants no second attempt.
  void answers(Answering answering) {
    this.answering = answering;
  }

  Heard next() throws InterruptedException {
    return Optional.ofNullable(heard.poll(20, TimeUnit.SECONDS))
        .orElseThrow(() -> new AssertionError("Nothing arrived"));
  }

  int waiting() {
    return heard.size();
  }

  @Override
  public void close() {
    server.stop(0);
    work.shutdownNow();
    work.close();
  }
}
