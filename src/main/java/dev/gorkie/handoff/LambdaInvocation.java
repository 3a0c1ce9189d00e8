package dev.gorkie.handoff;

import dev.gorkie.aws.AwsSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/// One call of AWS: `Invoke` with type `Event`. The SDK would cost 370 ms at the first call for what is a signed POST.
final class LambdaInvocation {

  static final int ACCEPTED = 202;

  private static final Map<String, String> ASYNCHRONOUS = Map.of("x-amz-invocation-type", "Event");

  // Together they let the 503 out before Slack's three seconds are over.
  private static final int CONNECT_MILLIS_MAX = 700;
  private static final int READ_MILLIS_MAX = 1_500;

  private final URI function;
  private final AwsSignature signature;
  private final InstantSource clock;

  LambdaInvocation(URI endpoint, String function, AwsSignature signature, InstantSource clock) {
    var name = URLEncoder.encode(function, StandardCharsets.UTF_8);
    this.function = endpoint.resolve("/2015-03-31/functions/" + name + "/invocations");
    this.signature = signature;
    this.clock = clock;
  }

  /// The answer's status.
  int send(byte[] payload) throws IOException {
    var connection = (HttpURLConnection) function.toURL().openConnection();
    try {
      connection.setRequestMethod("POST");
      connection.setConnectTimeout(CONNECT_MILLIS_MAX);
      connection.setReadTimeout(READ_MILLIS_MAX);
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(payload.length);
      connection.setRequestProperty("Content-Type", "application/json");
      signature
          .sign("POST", function, ASYNCHRONOUS, payload, clock.instant())
          .forEach(connection::setRequestProperty);
      try (var body = connection.getOutputStream()) {
        body.write(payload);
      }
      return connection.getResponseCode();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      connection.disconnect();
    }
  }
}
