package dev.gorkie.aws;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// AWS's signature, version 4, for a request with a body and no query.
public record AwsSignature(
    String accessKey,
    String secretKey,
    Optional<String> sessionToken,
    String region,
    String service) {

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /// The headers to send: the given ones, of which AWS wants each that begins with `x-amz-` signed, and its own.
  public Map<String, String> sign(
      String method, URI uri, Map<String, String> amzHeaders, byte[] body, Instant now) {
    var time = SECOND.format(now);
    var day = time.substring(0, 8);
    var signed = new TreeMap<>(amzHeaders);
    signed.put("host", uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort());
    signed.put("x-amz-date", time);
    sessionToken.ifPresent(token -> signed.put("x-amz-security-token", token));
    var names = String.join(";", signed.keySet());
    var headers = new StringBuilder();
    signed.forEach((name, value) -> headers.append(name).append(':').append(value).append('\n'));
    // Every service but S3 signs the path encoded once more than it is sent.
    var path = uri.getRawPath().replace("%", "%25");
    var request = String.join("\n", method, path, "", headers, names, hex(sha256(body)));
    var scope = String.join("/", day, region, service, "aws4_request");
    var toSign = String.join("\n", "AWS4-HMAC-SHA256", time, scope, hex(sha256(utf8(request))));
    var key = utf8("AWS4" + secretKey);
    for (var part : new String[] {day, region, service, "aws4_request"}) {
      key = hmac(key, part);
    }
    signed.remove("host"); // the connection sets it
    signed.put(
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(accessKey, scope, names, hex(hmac(key, toSign))));
    return Map.copyOf(signed);
  }

  @Override
  public String toString() {
    return "AwsSignature[" + accessKey + ", " + region + ", " + service + "]";
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(utf8(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256", e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
