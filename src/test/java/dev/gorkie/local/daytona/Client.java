package dev.gorkie.local.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gorkie.local.web.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import okhttp3.OkHttpClient;

/// A client of the local Daytona as its tests need one.
final class Client implements AutoCloseable {

  /// An answer, with its body as JSON where it is that.
  record Reply(int status, String text) {

    JsonNode json() throws IOException {
      return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    String message() throws IOException {
      return json().path("message").asText();
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration LOOK = Duration.ofMillis(5);

  private final HttpClient http = HttpClient.newHttpClient();
  private final OkHttpClient sockets =
      new OkHttpClient.Builder().socketFactory(new SmallSockets()).build();
  private final URI api;

  Client(URI api) {
    this.api = api;
  }

  Reply api(String method, String path) throws Exception {
    return call(method, URI.create(api + path), "");
  }

  Reply api(String method, String path, String body) throws Exception {
    return call(method, URI.create(api + path), body);
  }

  Reply local(String method, String path, String body) throws Exception {
    return call(method, api.resolve(path), body);
  }

  Reply toolbox(String sandbox, String method, String path) throws Exception {
    return call(method, toolboxUri(sandbox, path), "");
  }

  Reply toolbox(String sandbox, String method, String path, String body) throws Exception {
    return call(method, toolboxUri(sandbox, path), body);
  }

  Reply execute(String sandbox, String command) throws Exception {
    var wish = Json.object().put("command", command);
    return toolbox(sandbox, "POST", "/process/execute", wish.toString());
  }

  /// A sandbox whose toolbox answers.
  String createReady(String name) throws Exception {
    var created = api("POST", "/sandbox", "{\"name\":\"" + name + "\"}");
    var id = created.json().path("id").asText();
    awaitReady(id);
    return id;
  }

  void awaitReady(String id) throws Exception {
    await(() -> toolbox(id, "GET", "/version").status() == 200);
  }

  String state(String idOrName) throws Exception {
    return api("GET", "/sandbox/" + idOrName).json().path("state").asText();
  }

  void awaitState(String id, String state) throws Exception {
    await(() -> state(id).equals(state));
  }

  Attached attach(String sandbox, String terminal) {
    return new Attached(sockets, toolboxUri(sandbox, "/process/pty/" + terminal + "/connect"));
  }

  /// A new terminal that has nothing between it and its shell, and no noise before what is read next.
  Attached rawTerminal(String sandbox) throws Exception {
    var id = UUID.randomUUID().toString();
    toolbox(sandbox, "POST", "/process/pty", "{\"id\":\"" + id + "\"}");
    var attached = attach(sandbox, id);
    // Else the shell says before each line that it takes pasted text, at a moment nobody knows.
    attached.type(
        "bind 'set enable-bracketed-paste off'; stty raw -echo; PS1=; printf 'rea''dy\\n'\n");
    attached.awaitOutput("ready\n");
    return attached;
  }

  <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
      throws Exception {
    return http.send(
        request.header("Authorization", "Bearer local").timeout(PATIENCE).build(), handler);
  }

  URI toolboxUri(String sandbox, String path) {
    return api.resolve("/toolbox/" + sandbox + path);
  }

  static void await(Callable<Boolean> condition) throws Exception {
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come to that");
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  private Reply call(String method, URI uri, String body) throws Exception {
    var request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    var response = send(request, BodyHandlers.ofString());
    return new Reply(response.statusCode(), response.body());
  }

  @Override
  public void close() {
    http.shutdownNow();
    sockets.dispatcher().executorService().shutdownNow();
    sockets.connectionPool().evictAll();
  }
}
