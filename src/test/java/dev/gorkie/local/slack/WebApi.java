package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The Web API: who may call, what the method answers, and a record of it all.
final class WebApi {
  private final String botToken;
  private final Gate gate;
  private final CallLog log;
  private final Scopes scopes;
  private final Map<String, Method> methods = new HashMap<>();

  WebApi(
      String botToken, Gate gate, CallLog log, Scopes scopes, List<Map<String, Method>> methods) {
    this.botToken = botToken;
    this.gate = gate;
    this.log = log;
    this.scopes = scopes;
    methods.forEach(this.methods::putAll);
  }

  Answer answer(String method, Map<String, String> fields, Optional<String> bearer)
      throws Exception {
    var at = Instant.now();
    var token = bearer.or(() -> Optional.ofNullable(fields.get("token")));
    var form = new HashMap<>(fields);
    form.remove("token");
    var channel = form.getOrDefault("channel", "");
    var answer = gate.pass(method, channel, () -> carriedOut(new Call(method, form), token));
    log.add(new ApiCall(at, method, form, answer.status(), answer.asJson(), !answer.lost()));
    return answer;
  }

  private Answer carriedOut(Call call, Optional<String> token) {
    try {
      var method =
          Optional.ofNullable(methods.get(call.method()))
              .orElseThrow(() -> new Refusal("unknown_method"));
      if (!token.orElseThrow(() -> new Refusal("not_authed")).equals(botToken)) {
        throw new Refusal("invalid_auth");
      }
      var missing = scopes.missing(call);
      if (missing.isPresent()) {
        return Answer.json(
            200,
            refused(new Refusal("missing_scope"))
                .put("needed", missing.get())
                .put("provided", scopes.provided()));
      }
      return Answer.json(200, new JsonObject().put("ok", true).mergeIn(method.answer(call)));
    } catch (Refusal refusal) {
      return Answer.json(200, refused(refusal));
    }
  }

  private static JsonObject refused(Refusal refusal) {
    var body = new JsonObject().put("ok", false).put("error", refusal.error());
    if (!refusal.reasons().isEmpty()) {
      body.put(
          "response_metadata", new JsonObject().put("messages", new JsonArray(refusal.reasons())));
    }
    return body;
  }
}
