package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The Web API: who may call, what the method answers, and a record of it all.
final class WebApi {
  // Whoever calls them has no token yet.
  private static final Set<String> WITHOUT_TOKEN = Set.of("oauth.v2.access");
  // They take a token of the app's, and no workspace's.
  private static final Set<String> OF_THE_APP = Set.of("apps.connections.open");
  private final String team;
  private final Grants grants;
  private final Gate gate;
  private final CallLog log;
  private final Scopes scopes;
  private final Map<String, Method> methods = new HashMap<>();

  WebApi(
      String team,
      Grants grants,
      Gate gate,
      CallLog log,
      Scopes scopes,
      List<Map<String, Method>> methods) {
    this.team = team;
    this.grants = grants;
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
      if (ManifestMethods.isMeant(call.method())) {
        configures(token.orElseThrow(() -> new Refusal("not_authed")));
      } else if (OF_THE_APP.contains(call.method())) {
        if (!token.equals(Optional.of(Sockets.APP_TOKEN))) {
          throw new Refusal(token.isEmpty() ? "not_authed" : "not_allowed_token_type");
        }
      } else if (!WITHOUT_TOKEN.contains(call.method())) {
        var refusal = grants.refusal(token.orElseThrow(() -> new Refusal("not_authed")), team);
        if (refusal.isPresent()) {
          throw new Refusal(refusal.get());
        }
      }
      var missing = scopes.missing(call);
      if (missing.isPresent()) {
        return Answer.json(
            200,
            refused(new Refusal("missing_scope"))
                .put("needed", missing.get())
                .put("provided", scopes.provided()));
      }
      if (log.isUnsafe(call)) {
        throw new Refusal("unsafe_content");
      }
      return Answer.json(200, new JsonObject().put("ok", true).mergeIn(method.answer(call)));
    } catch (Refusal refusal) {
      return Answer.json(200, refused(refusal));
    }
  }

  /// Apps are made and changed with a token that is good for nothing else.
  private static void configures(String token) {
    if (!token.equals(ManifestMethods.TOKEN)) {
      throw new Refusal(token.startsWith("xoxe") ? "invalid_auth" : "not_allowed_token_type");
    }
  }

  private static JsonObject refused(Refusal refusal) {
    var body =
        new JsonObject().put("ok", false).put("error", refusal.error()).mergeIn(refusal.more());
    if (!refusal.reasons().isEmpty()) {
      body.put(
          "response_metadata", new JsonObject().put("messages", new JsonArray(refusal.reasons())));
    }
    return body;
  }
}
