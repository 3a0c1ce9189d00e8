package dev.gorkie.daytona;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// What others do at the local Daytona, and what goes wrong there. It is spoken to over HTTP, since it may live in another
/// class loader than the test.
@ApplicationScoped
public class BehindTheScene {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI api;
  private final String key;
  private final HttpClient http = HttpClient.newHttpClient();

  BehindTheScene(
      @ConfigProperty(name = "gorkie.daytona.api-url") URI api,
      @ConfigProperty(name = "gorkie.daytona.api-key") String key) {
    this.api = api;
    this.key = key;
  }

  public URI api() {
    return api;
  }

  public void stop(String id) {
    post("/sandbox/" + id + "/stop", "{}");
  }

  public void archive(String id) {
    post("/sandbox/" + id + "/archive", "{}");
  }

  public void delete(String id) {
    send("DELETE", "/sandbox/" + id, "");
  }

  /// Its id; its toolbox need not answer yet.
  public String create(String wish) {
    return send("POST", "/sandbox", wish).path("id").asText();
  }

  public void deleteIfThere(String id) {
    call("DELETE", "/sandbox/" + id, "");
  }

  public void setTimeToLive(String id, int minutes) {
    post("/sandbox/" + id + "/ttl/" + minutes, "");
  }

  public JsonNode sandbox(String idOrName) {
    return send("GET", "/sandbox/" + idOrName, "");
  }

  public boolean isGone(String id) {
    return call("GET", "/sandbox/" + id, "").statusCode() == 404;
  }

  public String state(String id) {
    return sandbox(id).path("state").asText();
  }

  public void setState(String id, String state) {
    post("/_local/sandboxes/" + id + "/state", "{\"state\":\"" + state + "\"}");
  }

  public void fail(String id, boolean recoverable) {
    post(
        "/_local/sandboxes/" + id + "/state",
        "{\"state\":\"error\",\"reason\":\"its disk broke\",\"recoverable\":" + recoverable + "}");
  }

  public void setSnapshotState(String snapshot, String state) {
    post("/_local/snapshots/" + snapshot + "/state", "{\"state\":\"" + state + "\"}");
  }

  public void cutTerminals() {
    post("/_local/terminals/cut", "{}");
  }

  /// From now on whatever is silent for that long is ended by somebody on the way.
  public void cutSilentTerminals(Duration silence) {
    post("/_local/terminals/cut", "{\"silentMillis\":" + silence.toMillis() + "}");
  }

  public void refuseTerminals() {
    post("/_local/terminals/refuse", "{\"refuse\":true}");
  }

  public long sandboxesCreated() {
    return send("GET", "/_local/counts", "").path("sandboxesCreated").asLong();
  }

  /// How many of the last requests were of this method, to a path in which this is found.
  public long requests(String method, String path) {
    var pattern = Pattern.compile("^" + method + " [^\\n?]*" + path);
    return StreamSupport.stream(
            send("GET", "/_local/requests", "").path("requests").spliterator(), false)
        .filter(request -> pattern.matcher(request.asText()).find())
        .count();
  }

  /// As JSON: `permissions`, `suspended`, `limited`.
  public void setAccount(String facts) {
    post("/_local/account", facts);
  }

  public List<String> misunderstandings() {
    return StreamSupport.stream(
            send("GET", "/_local/misunderstandings", "").path("misunderstandings").spliterator(),
            false)
        .map(JsonNode::asText)
        .toList();
  }

  /// Its toolbox need not answer yet.
  public void createFrom(String snapshot, String name) {
    if (call("GET", "/snapshots/" + snapshot, "").statusCode() == 404) {
      post("/snapshots", JSON.createObjectNode().put("name", snapshot).toString());
      setSnapshotState(snapshot, "active");
    }
    post(
        "/sandbox", JSON.createObjectNode().put("name", name).put("snapshot", snapshot).toString());
  }

  public void createSecret(String name, String value, String host) {
    post(
        "/secret",
        JSON.createObjectNode()
            .put("name", name)
            .put("value", value)
            .set("hosts", JSON.createArrayNode().add(host))
            .toString());
  }

  public void clear() {
    post("/_local/clear", "{}");
  }

  /// The next call to that path answers this, and nothing is done.
  public void answer(String method, String path, int times, int status, String body) {
    Map<String, String> headers =
        body.startsWith("{") ? Map.of("Content-Type", "application/json") : Map.of();
    answer(method, path, times, status, headers, body);
  }

  public void answer(
      String method, String path, int times, int status, Map<String, String> headers, String body) {
    var trouble = trouble(method, path, times);
    trouble.put("status", status).put("body", body);
    headers.forEach(trouble.putObject("headers")::put);
    post("/_local/troubles", trouble.toString());
  }

  /// The next call to that path gets no answer; how often it is done is `effects`.
  public void lose(String method, String path, int effects) {
    post(
        "/_local/troubles",
        trouble(method, path, 1).put("drop", true).put("effects", effects).toString());
  }

  /// The next call to that path is done and answered so much later.
  public void delay(String method, String path, Duration delay) {
    post(
        "/_local/troubles",
        trouble(method, path, 1).put("delayMillis", delay.toMillis()).put("effects", 1).toString());
  }

  /// The next call to that path is done twice, and the second answer is the one that comes.
  public void doTwice(String method, String path) {
    post("/_local/troubles", trouble(method, path, 1).put("effects", 2).toString());
  }

  /// The next call to that path is done, and a gateway answers that it does not know.
  public void doAndAnswer(String method, String path, int status) {
    post(
        "/_local/troubles",
        trouble(method, path, 1)
            .put("status", status)
            .put("body", "")
            .put("effects", 1)
            .toString());
  }

  /// As the local Daytona takes it.
  public void trouble(ObjectNode trouble) {
    post("/_local/troubles", trouble.toString());
  }

  private static ObjectNode trouble(String method, String path, int times) {
    return JSON.createObjectNode().put("method", method).put("path", path).put("times", times);
  }

  private void post(String path, String body) {
    send("POST", path, body);
  }

  private JsonNode send(String method, String path, String body) {
    var response = call(method, path, body);
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(
          method + " " + path + ": " + response.statusCode() + " " + response.body());
    }
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> call(String method, String path, String body) {
    var request =
        HttpRequest.newBuilder(
                path.startsWith("/_local/") ? api.resolve(path) : URI.create(api + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
