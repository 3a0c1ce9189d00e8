package dev.gorkie.way;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/// The way from a sandbox to Gorkie's door, which a test can listen at and close.
final class JobPost implements AutoCloseable {

  private static final int GONE = 502;
  private static final int HTTP_NO_CONTENT = 204;

  private final HttpServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Told> told = new ArrayList<>();
  private final List<String> hooked = new ArrayList<>();
  private volatile URI door = URI.create("http://127.0.0.1:9/");
  private volatile boolean dropping;

  /// What was said of a job at the door.
  record Told(String job, String authorization, String body) {

    Told to(String other) {
      return new Told(other, authorization, body);
    }

    Told with(String otherAuthorization) {
      return new Told(job, otherAuthorization, body);
    }

    Told saying(String otherBody) {
      return new Told(job, authorization, otherBody);
    }
  }

  private JobPost(HttpServer server) {
    this.server = server;
  }

  static JobPost open() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var post = new JobPost(server);
    server.createContext("/", post::serve);
    server.createContext("/hook", post::hear);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return post;
  }

  /// Where a program of the operator's would be.
  URI hook() {
    return url().resolve("/hook");
  }

  /// How often it was told that a turn of this thread has ended.
  synchronized long hooked(String root) {
    return hooked.stream()
        .filter(it -> it.contains("\"agent.finished\"") && it.contains("\"" + root + "\""))
        .count();
  }

  private void hear(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      synchronized (this) {
        hooked.add(body);
      }
      exchange.sendResponseHeaders(HTTP_NO_CONTENT, -1);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void bringTo(URI gorkie) {
    door = gorkie;
  }

  /// From now on nothing gets through.
  void drop() {
    dropping = true;
  }

  void heal() {
    dropping = false;
  }

  /// What came of this job.
  synchronized List<Told> heard(String job) {
    return told.stream().filter(it -> it.job().equals(job)).toList();
  }

  /// Says it at the door; the answer's status.
  int tell(Told what) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(door.resolve("/sandbox-jobs/" + what.job() + "/complete"))
            .POST(HttpRequest.BodyPublishers.ofString(what.body()));
    if (!what.authorization().isEmpty()) {
      request.header("Authorization", what.authorization());
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var what =
          new Told(
              exchange.getRequestURI().getPath().split("/")[2],
              exchange.getRequestHeaders().getFirst("Authorization"),
              body);
      var status = GONE;
      if (!dropping) {
        synchronized (this) {
          told.add(what);
        }
        status = tell(what);
      }
      exchange.sendResponseHeaders(status, -1);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    http.close();
  }
}
