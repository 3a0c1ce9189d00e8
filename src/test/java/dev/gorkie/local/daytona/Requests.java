package dev.gorkie.local.daytona;

import dev.gorkie.local.web.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The newest requests, as text.
final class Requests {

  // What a test asks about is some requests ago, never thousands.
  private static final int KEPT_MAX = 1_000;
  private static final String SECRETS = "/api/secret";
  private static final String JSON = "application/json";

  private final Deque<String> newest = new ArrayDeque<>();

  private final Shapes shapes;

  Requests(Shapes shapes) {
    this.shapes = shapes;
  }

  /// The same call, still to be read.
  Call note(Call call) throws IOException {
    var isJson = call.header("Content-Type").filter(type -> type.startsWith(JSON)).isPresent();
    var body = isJson ? call.body().readAllBytes() : new byte[0];
    shapes.check(call, body);
    var isSecret = call.path().startsWith(SECRETS);
    // A secret's value goes in and comes out nowhere.
    var shown = isSecret ? "" : new String(body, StandardCharsets.UTF_8);
    add(call.method() + " " + call.target() + "\n" + shown);
    return isJson ? call.withBody(body) : call;
  }

  private synchronized void add(String request) {
    newest.add(request);
    if (newest.size() > KEPT_MAX) {
      newest.remove();
    }
  }

  synchronized List<String> newest() {
    return List.copyOf(newest);
  }
}
