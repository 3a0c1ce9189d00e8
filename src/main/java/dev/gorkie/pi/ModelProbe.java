package dev.gorkie.pi;

import static dev.gorkie.sandbox.Finding.bad;
import static dev.gorkie.sandbox.Finding.good;

import dev.gorkie.sandbox.Finding;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Optional;

/// Asks the model's provider for nothing but its list of models.
final class ModelProbe {

  // Whoever probes has given up after ten seconds.
  private static final int CONNECT_MILLIS_MAX = 2_000;
  private static final int READ_MILLIS_MAX = 3_000;

  private static final int SERVER_ERROR = 500;

  private ModelProbe() {}

  static Finding of(URI baseUrl, Optional<String> key) {
    try {
      return finding(baseUrl.getHost(), status(baseUrl, key), key.isPresent());
    } catch (IOException away) {
      return bad("Nobody answers at %s: %s.", baseUrl.getHost(), away.getClass().getSimpleName());
    }
  }

  /// Not every provider has such a list, and some show it to nobody without a key; that they say so is an answer.
  private static Finding finding(String host, int status, boolean withKey) {
    var isRefused =
        status == HttpURLConnection.HTTP_UNAUTHORIZED || status == HttpURLConnection.HTTP_FORBIDDEN;
    if (withKey && isRefused) {
      return bad("The provider at %s refuses the key: %d.", host, status);
    }
    return status >= SERVER_ERROR
        ? bad("The provider at %s is ill: %d.", host, status)
        : good("The provider at %s answers.", host);
  }

  private static int status(URI baseUrl, Optional<String> key) throws IOException {
    var models = URI.create(baseUrl.toString().replaceAll("/+$", "") + "/models");
    var connection = (HttpURLConnection) models.toURL().openConnection();
    try {
      connection.setConnectTimeout(CONNECT_MILLIS_MAX);
      connection.setReadTimeout(READ_MILLIS_MAX);
      connection.setInstanceFollowRedirects(false);
      key.ifPresent(it -> connection.setRequestProperty("Authorization", "Bearer " + it));
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }
}
