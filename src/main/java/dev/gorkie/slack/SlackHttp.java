package dev.gorkie.slack;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.util.http.SlackHttpClient;
import com.slack.api.util.json.GsonFactory;
import dev.gorkie.sockets.PromptSockets;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import okhttp3.FormBody;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/// The wire to Slack: every call is a form, made once, with a token or without.
@ApplicationScoped
class SlackHttp {

  private static final String RETRY_AFTER = "Retry-After";
  private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
  // Slack always says how long to wait; this is for a proxy that does not.
  private static final Duration WAIT_IF_UNSAID = Duration.ofSeconds(5);

  private final URI url;
  private final OkHttpClient calls;
  private final OkHttpClient transfers;
  private final Slack slack;
  // The SDK makes one for each answer, which costs more than to read it.
  private final Gson json;

  SlackHttp(SlackSettings settings) {
    url = settings.apiUrl();
    // What is sent again after a lost answer is said twice, and what follows a redirect tells the
    // token to strangers.
    calls =
        new OkHttpClient.Builder()
            .socketFactory(new PromptSockets())
            .retryOnConnectionFailure(false)
            .addNetworkInterceptor(SlackHttp::notAgainAtOnce)
            .followRedirects(false)
            .followSslRedirects(false)
            .connectTimeout(CONNECT_MAX)
            .readTimeout(settings.callTimeout())
            .writeTimeout(settings.callTimeout())
            .callTimeout(settings.callTimeout())
            .build();
    transfers = calls.newBuilder().callTimeout(settings.transferTimeout()).build();
    var config = new SlackConfig();
    config.setMethodsEndpointUrlPrefix(url.toString());
    // With statistics on, a thread starts and each token's first call makes another one.
    config.setStatsEnabled(false);
    slack = Slack.getInstance(config, new SlackHttpClient(calls));
    json = GsonFactory.createSnakeCase(config);
  }

  /// A 503 that allows to try again at once would be, whatever was said above.
  private static Response notAgainAtOnce(Interceptor.Chain chain) throws IOException {
    var response = chain.proceed(chain.request());
    return response.code() == HttpURLConnection.HTTP_UNAVAILABLE
        ? response.newBuilder().removeHeader(RETRY_AFTER).build()
        : response;
  }

  /// Where the Web API is.
  URI url() {
    return url;
  }

  OkHttpClient calls() {
    return calls;
  }

  /// For the bytes of files, which take longer than a call may.
  OkHttpClient transfers() {
    return transfers;
  }

  <T extends Wire.Answer> Result<T> call(
      Optional<String> token, String method, Map<String, String> form, Class<T> type) {
    var body = new FormBody.Builder();
    form.forEach(body::add);
    var methods = slack.methods();
    try (var response =
        token.isPresent()
            ? methods.runPostFormWithToken(body, method, token.get())
            : methods.runPostForm(body, method)) {
      var text = Objects.requireNonNull(response.body()).string();
      if (!response.isSuccessful()) {
        return unanswered(method, response);
      }
      var answer = json.fromJson(text, type);
      if (answer == null) {
        return new Result.Lost<>(method + " was answered with nothing");
      }
      var error = answer.getError();
      return answer.isOk()
          ? new Result.Ok<>(answer)
          : notOk(method, error == null ? "unnamed" : error);
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

  private static <T> Result<T> unanswered(String method, Response response) {
    var status = response.code();
    if (status == 429) {
      return new Result.Later<>(retryAfter(header(response, RETRY_AFTER)));
    }
    return status >= 500
        ? new Result.Lost<>(method + " was answered with " + status)
        : new Result.Refused<>("http_" + status);
  }

  private static Duration retryAfter(String header) {
    // At once would be another call of those that were too many.
    return header.matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Math.max(1, Long.parseLong(header)))
        : WAIT_IF_UNSAID;
  }

  /// A header's value, empty where it is missing.
  static String header(Response response, String name) {
    var value = response.header(name);
    return value == null ? "" : value;
  }

  @PreDestroy
  void close() {
    calls.dispatcher().executorService().shutdown();
    calls.connectionPool().evictAll();
  }
}
