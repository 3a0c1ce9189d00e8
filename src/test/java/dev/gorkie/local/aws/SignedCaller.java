package dev.gorkie.local.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.TreeMap;

/// A client that signs its requests.
record SignedCaller(URI endpoint, Credentials credentials, String region, HttpClient http) {

  SignedCaller with(Credentials other) {
    return new SignedCaller(endpoint, other, region, http);
  }

  HttpResponse<String> invoke(String function, String type, String payload) {
    var headers = new TreeMap<String, String>();
    headers.put("x-amz-invocation-type", type);
    return post("lambda", "/2015-03-31/functions/" + function + "/invocations", headers, payload);
  }

  HttpResponse<String> ssm(String operation, String request) {
    var headers = new TreeMap<String, String>();
    headers.put("x-amz-target", "AmazonSSM." + operation);
    headers.put("content-type", "application/x-amz-json-1.1");
    return post("ssm", "/", headers, request);
  }

  private HttpResponse<String> post(
      String service, String path, TreeMap<String, String> headers, String text) {
    var stamp = Signature.STAMP.format(Instant.now());
    var scope = "%s/%s/%s/aws4_request".formatted(stamp.substring(0, 8), region, service);
    headers.put("host", endpoint.getAuthority());
    headers.put("x-amz-date", stamp);
    credentials.sessionToken().ifPresent(token -> headers.put("x-amz-security-token", token));
    var signing = new Signing("POST", path, "", headers, text.getBytes(StandardCharsets.UTF_8));
    var authorization =
        "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(
                Signing.ALGORITHM,
                credentials.accessKeyId(),
                scope,
                signing.signedHeaders(),
                signing.signature(credentials.secretAccessKey(), stamp, scope));
    var request =
        HttpRequest.newBuilder(endpoint.resolve(path)).POST(BodyPublishers.ofString(text));
    headers.forEach(
        (name, value) -> {
          if (!name.equals("host")) {
            request.header(name, value);
          }
        });
    try {
      return http.send(
          request.header("authorization", authorization).build(), BodyHandlers.ofString());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
