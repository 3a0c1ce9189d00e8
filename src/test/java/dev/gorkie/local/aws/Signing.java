package dev.gorkie.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// AWS's Signature Version 4 of what is signed in a request: the headers are those named in it, in lower case.
record Signing(
    String method,
    String rawPath,
    String rawQuery,
    SortedMap<String, String> headers,
    byte[] body) {

  static final String ALGORITHM = "AWS4-HMAC-SHA256";

  /// The stamp is written as `20150830T123600Z`, the scope as `20150830/us-east-1/lambda/aws4_request`.
  String signature(String secretAccessKey, String stamp, String scope) {
    var canonicalHeaders =
        headers.entrySet().stream()
            .map(header -> header.getKey() + ":" + trimmed(header.getValue()) + "\n")
            .collect(Collectors.joining());
    var canonical =
        String.join(
            "\n",
            method,
            canonicalPath(),
            canonicalQuery(),
            canonicalHeaders,
            signedHeaders(),
            hex(sha256(body)));
    var toSign = String.join("\n", ALGORITHM, stamp, scope, hex(sha256(canonical.getBytes(UTF_8))));
    var key = ("AWS4" + secretAccessKey).getBytes(UTF_8);
    for (var part : scope.split("/", -1)) {
      key = hmac(key, part);
    }
    return hex(hmac(key, toSign));
  }

  String signedHeaders() {
    return String.join(";", headers.keySet());
  }

  // Every service but S3 encodes the path a second time, as it stands on the wire.
  private String canonicalPath() {
    return Arrays.stream(rawPath.split("/", -1))
        .map(Signing::encoded)
        .collect(Collectors.joining("/"));
  }

  private String canonicalQuery() {
    if (rawQuery.isEmpty()) {
      return "";
    }
    return Arrays.stream(rawQuery.split("&", -1))
        .map(pair -> pair.contains("=") ? pair : pair + "=")
        .map(pair -> pair.split("=", 2))
        .map(pair -> reencoded(pair[0]) + "=" + reencoded(pair[1]))
        .sorted()
        .collect(Collectors.joining("&"));
  }

  private static String trimmed(String value) {
    return value.strip().replaceAll(" +", " ");
  }

  private static String reencoded(String part) {
    return encoded(URLDecoder.decode(part.replace("+", "%2B"), UTF_8));
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
