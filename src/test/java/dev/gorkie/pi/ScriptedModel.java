package dev.gorkie.pi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// The local model, told over HTTP what to answer, since it may live in another class loader than the test.
@ApplicationScoped
class ScriptedModel {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI url;
  private final HttpClient http = HttpClient.newHttpClient();

  // Optional, since tests without a model start with this bean among their own.
  ScriptedModel(@ConfigProperty(name = "gorkie.model.base-url") Optional<URI> url) {
    this.url = url.orElseThrow();
  }

  /// Forgets what it was to answer until now.
  void answers(String prompt, String answer) throws IOException, InterruptedException {
    send("DELETE", "/_local/script", "");
    var script = JSON.createObjectNode();
    var rule = script.putArray("rules").addObject().put("containing", prompt);
    var reply = rule.putArray("replies").addObject().put("text", answer);
    // As many tokens as it really were would make Pi shorten the conversation.
    reply.putObject("usage").put("read", 10).put("written", 2);
    send("POST", "/_local/script", script.toString());
  }

  /// What the user last said, in each request there was.
  List<String> heard() throws IOException, InterruptedException {
    var heard = new ArrayList<String>();
    for (var request : JSON.readTree(send("GET", "/_local/asked", "")).path("asked")) {
      var last = "";
      for (var message : request.path("messages")) {
        if (message.path("role").asText().equals("user")) {
          last = text(message.path("content"));
        }
      }
      heard.add(last);
    }
    return heard;
  }

  private static String text(JsonNode content) {
    return content.isTextual()
        ? content.asText()
        : String.join("", content.findValuesAsText("text"));
  }

  private String send(String method, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(url.resolve(path)).method(method, BodyPublishers.ofString(body));
    var answer = http.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
