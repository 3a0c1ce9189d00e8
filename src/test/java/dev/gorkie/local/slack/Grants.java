package dev.gorkie.local.slack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Which token opens which workspace, and how the app comes by one: a person agrees, the app changes a code into a token, and
/// where tokens are rotated each for the next one.
final class Grants {
  static final String CLIENT_ID = "1234567890.0987654321";
  static final String CLIENT_SECRET = "local-client-secret";
  private static final Duration CODE_LIFE = Duration.ofMinutes(10);

  private final Clock clock;
  private final Map<String, Token> tokens = new HashMap<>();
  // Both are good for one use.
  private final Map<String, Grant> codes = new HashMap<>();
  private final Map<String, Grant> refreshing = new HashMap<>();
  private Optional<Duration> life = Optional.empty();

  /// @param org the organisation that agreed for all its workspaces, if it was one
  record Grant(String team, String name, Optional<String> org, Person by, Instant until) {}

  private record Token(Grant grant, Instant until, boolean revoked) {}

  Grants(Clock clock) {
    this.clock = clock;
  }

  /// One that an operator copied from the app's page.
  synchronized void give(String token, Grant grant) {
    tokens.put(token, new Token(grant, Instant.MAX, false));
  }

  /// From now on tokens last so long, and come with another one for the next.
  synchronized void rotate(Duration each) {
    life = Optional.of(each);
  }

  /// Somebody agrees, at the address the app sent them to, and is sent back.
  synchronized URI agreed(Map<String, String> asked, URI usualRedirect, Grant grant) {
    if (!CLIENT_ID.equals(asked.get("client_id"))) {
      throw new IllegalArgumentException("invalid_client_id");
    }
    if (asked.getOrDefault("scope", "").isEmpty()) {
      throw new IllegalArgumentException("invalid_scope");
    }
    var code = UUID.randomUUID().toString();
    codes.put(code, grant);
    var state = URLEncoder.encode(asked.getOrDefault("state", ""), StandardCharsets.UTF_8);
    return URI.create(
        asked.getOrDefault("redirect_uri", usualRedirect.toString())
            + "?code="
            + code
            + "&state="
            + state);
  }

  Grant grant(Workspace workspace, Person by, Optional<String> org) {
    return new Grant(workspace.team(), workspace.name(), org, by, clock.instant().plus(CODE_LIFE));
  }

  Map<String, Method> methods() {
    return Map.of("oauth.v2.access", this::access);
  }

  private synchronized JsonObject access(Call call) {
    if (!CLIENT_ID.equals(call.required("client_id"))) {
      throw new Refusal("invalid_client_id");
    }
    if (!CLIENT_SECRET.equals(call.required("client_secret"))) {
      throw new Refusal("bad_client_secret");
    }
    if (call.text("grant_type").equals(Optional.of("refresh_token"))) {
      var grant = Optional.ofNullable(refreshing.remove(call.required("refresh_token")));
      return token(grant.orElseThrow(() -> new Refusal("invalid_refresh_token")));
    }
    var grant =
        Optional.ofNullable(codes.remove(call.required("code")))
            .filter(one -> clock.instant().isBefore(one.until()));
    return token(grant.orElseThrow(() -> new Refusal("invalid_code")));
  }

  private JsonObject token(Grant grant) {
    var token = (life.isPresent() ? "xoxe.xoxb-" : "xoxb-") + UUID.randomUUID();
    tokens.put(token, new Token(grant, life.map(clock.instant()::plus).orElse(Instant.MAX), false));
    var json =
        new JsonObject()
            .put("access_token", token)
            .put("token_type", "bot")
            .put("scope", "chat:write")
            .put("bot_user_id", Workspace.APP_USER.id())
            .put("app_id", Workspace.APP)
            .put("authed_user", new JsonObject().put("id", grant.by().id()));
    life.ifPresent(
        time -> {
          var next = "xoxe-1-" + UUID.randomUUID();
          refreshing.put(next, grant);
          json.put("refresh_token", next).put("expires_in", time.toSeconds());
        });
    if (grant.org().isPresent()) {
      return json.put("is_enterprise_install", true)
          .putNull("team")
          .put("enterprise", new JsonObject().put("id", grant.org().get()).put("name", "Org"));
    }
    return json.put("is_enterprise_install", false)
        .put("team", new JsonObject().put("id", grant.team()).put("name", grant.name()))
        .putNull("enterprise");
  }

  /// The app is thrown out of a workspace: none of its tokens opens anything any more.
  synchronized void revoke(String team) {
    tokens.replaceAll(
        (_, token) ->
            token.grant().team().equals(team)
                ? new Token(token.grant(), token.until(), true)
                : token);
    refreshing.values().removeIf(grant -> grant.team().equals(team));
  }

  static JsonObject revoked() {
    return new JsonObject()
        .put("type", "tokens_revoked")
        .put(
            "tokens",
            new JsonObject()
                .put("oauth", new JsonArray())
                .put("bot", new JsonArray().add(Workspace.APP_USER.id())));
  }

  /// The workspace that a token was given for, whether it still opens it or not.
  synchronized Optional<String> team(String token) {
    return Optional.ofNullable(tokens.get(token)).map(one -> one.grant().team());
  }

  /// Slack's word for why a token does not open a workspace.
  synchronized Optional<String> refusal(String token, String team) {
    var known = Optional.ofNullable(tokens.get(token));
    if (known.isEmpty() || !opens(known.get().grant(), team)) {
      return Optional.of("invalid_auth");
    }
    if (known.get().revoked()) {
      return Optional.of("token_revoked");
    }
    return clock.instant().isBefore(known.get().until())
        ? Optional.empty()
        : Optional.of("token_expired");
  }

  private static boolean opens(Grant grant, String team) {
    return grant.team().equals(team) || grant.org().isPresent();
  }
}
