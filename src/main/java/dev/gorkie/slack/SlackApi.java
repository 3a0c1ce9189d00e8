package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gorkie.Failure;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jboss.logging.Logger;

/// The Web API of whichever workspace a call is for, with the token that this workspace gave us.
@ApplicationScoped
class SlackApi {

  private static final Logger LOG = Logger.getLogger(SlackApi.class);
  private static final String HOOKS = "hooks.slack.com";

  /// Slack's words for a token that is none any more.
  private static final Set<String> TOKEN_REFUSED =
      Set.of("invalid_auth", "token_revoked", "token_expired", "account_inactive");

  private final SlackHttp http;
  private final Tokens tokens;
  private final List<String> fileHosts;
  private final Map<String, String> bots = new ConcurrentHashMap<>();

  SlackApi(SlackHttp http, Tokens tokens, SlackSettings settings) {
    this.http = http;
    this.tokens = tokens;
    this.fileHosts = List.copyOf(settings.fileHosts());
  }

  <T extends Wire.Answer> Result<T> call(
      String team, String method, Map<String, String> form, Class<T> type) {
    var token = tokens.of(team);
    if (token.isEmpty()) {
      return new Result.Refused<>("not_authed");
    }
    var result = http.call(token, method, form, type);
    if (result instanceof Result.Refused<T>(var error) && TOKEN_REFUSED.contains(error)) {
      tokens.refused(team);
    }
    return result;
  }

  /// What our own messages say they are from; empty while Slack does not tell.
  Optional<String> bot(String team) {
    var known = bots.get(team);
    if (known != null) {
      return Optional.of(known);
    }
    var told =
        call(team, "auth.test", Map.of(), Wire.Self.class) instanceof Result.Ok<Wire.Self>(var self)
            ? Optional.ofNullable(self.botId)
            : Optional.<String>empty();
    told.ifPresent(bot -> bots.put(team, bot));
    return told;
  }

  String token(String team) {
    return tokens
        .of(team)
        .orElseThrow(
            () -> new Failure(SlackFailure.NOT_CONFIGURED, "there is no token for " + team));
  }

  /// For the bytes of files, which take longer than a call may.
  OkHttpClient transfers() {
    return http.transfers();
  }

  /// Answers at an address that Slack gave for it, without the token. What does not arrive is given up: who gave a command gives
  /// it again.
  void respond(URI address, String text) {
    var isHooks =
        "https".equalsIgnoreCase(address.getScheme()) && HOOKS.equalsIgnoreCase(address.getHost());
    if (!isHooks && !isApis(address)) {
      LOG.warnf("An answer would have gone to %s", address.getHost());
      return;
    }
    var json =
        JsonNodeFactory.instance.objectNode().put("response_type", "ephemeral").put("text", text);
    var body = RequestBody.create(json.toString(), MediaType.get("application/json"));
    try (var response =
        http.calls()
            .newCall(new Request.Builder().url(address.toString()).post(body).build())
            .execute()) {
      LOG.debugf("An answer to a command came to %d", response.code());
    } catch (IOException e) {
      LOG.warnf("An answer to a command did not arrive: %s", e.getMessage());
    }
  }

  private boolean isApis(URI address) {
    return origin(address).equals(origin(http.url()));
  }

  /// Whether the token and files may go there: the API's own address, or a named host over TLS.
  boolean isSlacks(URI address) {
    if (isApis(address)) {
      return true;
    }
    return "https".equalsIgnoreCase(address.getScheme())
        && (address.getPort() == -1 || address.getPort() == 443)
        && address.getHost() != null
        && fileHosts.stream().anyMatch(host -> host.equalsIgnoreCase(address.getHost()));
  }

  /// Whether what happens in workspaces may come from there: the API's own address, or one of Slack's over TLS.
  boolean isSlacksSocket(String address) {
    // As whoever connects reads it, who knows neither of the two schemes here.
    var url = HttpUrl.parse(address.replaceFirst("^ws", "http"));
    if (url == null) {
      return false;
    }
    return address.startsWith("wss:")
        ? url.host().equals("slack.com") || url.host().endsWith(".slack.com")
        : address.startsWith("ws:") && origin(url.uri()).equals(origin(http.url()));
  }

  static String origin(URI address) {
    return (address.getScheme() + "://" + address.getHost() + ":" + address.getPort())
        .toLowerCase(Locale.ROOT);
  }
}
