package dev.gorkie.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Pattern;

/// A service of AWS that takes JSON and is told by a header what to do with it.
public final class AwsJson {

  // Neither is in a person's way: the sweep calls them, and the first message after a silence.
  private static final int CONNECT_MILLIS_MAX = 2_000;
  private static final int READ_MILLIS_MAX = 5_000;

  // Functions that start by the dozen are told to slow down: the parameter store takes 40 calls a
  // second. These pauses add up to less than the second that is left of Slack's three.
  private static final int ATTEMPTS_MAX = 4;
  private static final long PAUSE_MILLIS = 100;

  // The last word of “com.amazonaws.sqs#QueueDoesNotExist”.
  private static final Pattern TYPE =
      Pattern.compile("\"__type\"\\s*:\\s*\"(?:[^\"]*#)?([A-Za-z]+)\"");

  private final URI endpoint;
  private final AwsSignature signature;
  private final String contentType;
  private final InstantSource clock;

  public AwsJson(URI endpoint, AwsSignature signature, String contentType, InstantSource clock) {
    this.endpoint = endpoint.resolve("/");
    this.signature = signature;
    this.contentType = contentType;
    this.clock = clock;
  }

  /// The answer's body. Any answer but 200 is an exception, which says what AWS calls it.
  public byte[] call(String target, String json) throws IOException {
    var payload = json.getBytes(StandardCharsets.UTF_8);
    var connection = (HttpURLConnection) endpoint.toURL().openConnection();
    try {
      connection.setRequestMethod("POST");
      connection.setConnectTimeout(CONNECT_MILLIS_MAX);
      connection.setReadTimeout(READ_MILLIS_MAX);
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(payload.length);
      connection.setRequestProperty("Content-Type", contentType);
      signature
          .sign("POST", endpoint, Map.of("x-amz-target", target), payload, clock.instant())
          .forEach(connection::setRequestProperty);
      try (var body = connection.getOutputStream()) {
        body.write(payload);
      }
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw refused(target, connection);
      }
      try (var answer = connection.getInputStream()) {
        return answer.readAllBytes();
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      connection.disconnect();
    }
  }

  /// The same; who is told to slow down, or meets a server that stumbles, asks again for most of a second.
  public byte[] callInsistently(String target, String json) throws IOException {
    for (var attempt = 1; ; attempt++) {
      try {
        return call(target, json);
      } catch (Refused refused) {
        if (!refused.passes() || attempt == ATTEMPTS_MAX) {
          throw refused;
        }
      }
      try {
        Thread.sleep(PAUSE_MILLIS * attempt);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private static Refused refused(String target, HttpURLConnection connection) throws IOException {
    var type = "";
    try (var body = connection.getErrorStream()) {
      if (body != null) {
        var said = TYPE.matcher(new String(body.readAllBytes(), StandardCharsets.UTF_8));
        type = said.find() ? said.group(1) : "";
      }
    }
    return new Refused(target, connection.getResponseCode(), type);
  }

  /// An answer that is none.
  public static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;
    private final boolean passing;

    Refused(String target, int status, String type) {
      super((target + " was answered with " + status + " " + type).strip());
      this.passing = status >= 500 || status == 429 || type.startsWith("Throttling");
    }

    /// Whether the same call may be answered in a moment.
    public boolean passes() {
      return passing;
    }
  }
}
