package dev.gorkie.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.gson.JsonParseException;
import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.SlackApiException;
import com.slack.api.util.http.SlackHttpClient;
import dev.gorkie.Failure;
import io.smallrye.config.Secret;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jboss.logging.Logger;

/// The Web API: every call is a form, made once.
@ApplicationScoped
class SlackApi {

  private static final Logger LOG = Logger.getLogger(SlackApi.class);
  private static final String HOOKS = "hooks.slack.com";

  private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
  // Slack always says how long to wait; this is for a proxy that does not.
  private static final Duration WAIT_IF_UNSAID = Duration.ofSeconds(5);

  private final URI url;
  private final Optional<Secret<String>> token;
  private final List<String> fileHosts;
  private final OkHttpClient http;
  private final OkHttpClient transfers;
  private final Slack slack;

  SlackApi(SlackSettings settings) {
    url = settings.apiUrl();
    token = settings.botToken();
    fileHosts = List.copyOf(settings.fileHosts());
    // What is sent again after a lost answer is said twice, and what follows a redirect tells the
    // token to strangers.
    http =
        new OkHttpClient.Builder()
            .retryOnConnectionFailure(false)
            .followRedirects(false)
            .followSslRedirects(false)
            .connectTimeout(CONNECT_MAX)
            .readTimeout(settings.callTimeout())
            .writeTimeout(settings.callTimeout())
            .callTimeout(settings.callTimeout())
            .build();
    transfers = http.newBuilder().callTimeout(settings.transferTimeout()).build();
    var config = new SlackConfig();
    config.setMethodsEndpointUrlPrefix(url.toString());
    // With statistics on, a thread starts and each token's first call makes another one.
    config.setStatsEnabled(false);
    slack = Slack.getInstance(config, new SlackHttpClient(http));
  }

  <T extends Wire.Answer> Result<T> call(String method, Map<String, String> form, Class<T> type) {
    if (token.isEmpty()) {
      return new Result.Refused<>("not_authed");
    }
    try {
      var answer =
          slack
              .methods()
              .postFormWithTokenAndParseResponse(
                  body -> {
                    form.forEach(body::add);
                    return body;
                  },
                  method,
                  token(),
                  type);
      if (answer == null) {
        return new Result.Lost<>(method + " was answered with nothing");
      }
      var error = answer.getError();
      return answer.isOk()
          ? new Result.Ok<>(answer)
          : notOk(method, error == null ? "unnamed" : error);
    } catch (SlackApiException e) {
      return unanswered(method, e);
    } catch (IOException | JsonParseException e) {
      return new Result.Lost<>(method + " was not answered: " + e.getClass().getSimpleName());
    }
  }

  private static <T> Result<T> notOk(String method, String error) {
    return switch (error) {
      case "ratelimited", "rate_limited" -> new Result.Later<>(WAIT_IF_UNSAID);
      // Slack's own words on these: some aspects of the operation may have succeeded.
      case "internal_error", "fatal_error", "request_timeout", "service_unavailable" ->
          new Result.Lost<>(method + " came to " + error);
      default -> new Result.Refused<>(error);
    };
  }

  private static <T> Result<T> unanswered(String method, SlackApiException e) {
    var response = e.getResponse();
    var status = response.code();
    if (status == 429) {
      return new Result.Later<>(retryAfter(header(response, "Retry-After")));
    }
    return status >= 500
        ? new Result.Lost<>(method + " was answered with " + status)
        : new Result.Refused<>("http_" + status);
  }

  private static Duration retryAfter(String header) {
    return header.matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Long.parseLong(header))
        : WAIT_IF_UNSAID;
  }

  /// A header's value, empty where it is missing.
  static String header(Response response, String name) {
    var value = response.header(name);
    return value == null ? "" : value;
  }

  String token() {
    return token
        .map(Secret::get)
        .orElseThrow(
            () -> new Failure(SlackFailure.NOT_CONFIGURED, "gorkie.slack.bot-token is not set"));
  }

  /// For the bytes of files, which take longer than a call may.
  OkHttpClient transfers() {
    return transfers;
  }

  /// Answers at an address that Slack gave for it, without the token. What does not arrive is given up: who gave a command gives
  /// it again.
  void respond(URI address, String text) {
    var isHooks =
        "https".equalsIgnoreCase(address.getScheme()) && HOOKS.equalsIgnoreCase(address.getHost());
    if (!isHooks && !origin(address).equals(origin(url))) {
      LOG.warnf("An answer would have gone to %s", address.getHost());
      return;
    }
    var json =
        JsonNodeFactory.instance.objectNode().put("response_type", "ephemeral").put("text", text);
    var body = RequestBody.create(json.toString(), MediaType.get("application/json"));
    try (var response =
        http.newCall(new Request.Builder().url(address.toString()).post(body).build()).execute()) {
      LOG.debugf("An answer to a command came to %d", response.code());
    } catch (IOException e) {
      LOG.warnf("An answer to a command did not arrive: %s", e.getMessage());
    }
  }

  /// Whether the token and files may go there: the API's own address, or a named host over TLS.
  boolean isSlacks(URI address) {
    if (origin(address).equals(origin(url))) {
      return true;
    }
    return "https".equalsIgnoreCase(address.getScheme())
        && (address.getPort() == -1 || address.getPort() == 443)
        && address.getHost() != null
        && fileHosts.stream().anyMatch(host -> host.equalsIgnoreCase(address.getHost()));
  }

  static String origin(URI address) {
    return (address.getScheme() + "://" + address.getHost() + ":" + address.getPort())
        .toLowerCase(Locale.ROOT);
  }

  @PreDestroy
  void close() {
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
  }
}
