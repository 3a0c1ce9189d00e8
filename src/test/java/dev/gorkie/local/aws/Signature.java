package dev.gorkie.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.local.wire.Call;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Checks that a request is signed with the credentials we gave out, completely and just now.
record Signature(Credentials credentials, String region) {

  static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          Signing.ALGORITHM
              + " Credential=(?<id>[^/,]+)/(?<day>\\d{8})/(?<region>[^/,]+)/(?<service>[^/,]+)/aws4_request"
              + ", *SignedHeaders=(?<headers>[a-z0-9;-]+), *Signature=(?<signature>[0-9a-f]{64})");
  private static final Duration SKEW_MAX = Duration.ofMinutes(5);

  /// What is wrong with a request to that service; empty when it is signed as it should be.
  Optional<AwsError> fault(Call call, String service) {
    var header = call.header("authorization");
    if (header.isEmpty()) {
      return refused("MissingAuthenticationTokenException", "Missing Authentication Token");
    }
    var given = AUTHORIZATION.matcher(header.get());
    if (!given.matches()) {
      return refused("IncompleteSignatureException", "The Authorization header is not as expected");
    }
    if (!given.group("id").equals(credentials.accessKeyId())
        || !call.header("x-amz-security-token").equals(credentials.sessionToken())) {
      return refused(
          "UnrecognizedClientException", "The security token included in the request is invalid.");
    }
    if (!given.group("service").equals(service) || !given.group("region").equals(region)) {
      return mismatch(
          "Credential should be scoped to region %s and service %s".formatted(region, service));
    }
    var stamp = call.header("x-amz-date").orElse("");
    if (!isNow(stamp) || !stamp.startsWith(given.group("day"))) {
      return mismatch("Signature expired, or not of this day");
    }
    var signed = List.of(given.group("headers").split(";"));
    if (!signed.containsAll(mustBeSigned(call))) {
      return mismatch("Of the headers these must be signed: " + mustBeSigned(call));
    }
    var scope = "%s/%s/%s/aws4_request".formatted(given.group("day"), region, service);
    return isEqual(signature(call, signed, stamp, scope), given.group("signature"))
        ? Optional.empty()
        : mismatch(
            "The request signature we calculated does not match the signature you provided.");
  }

  private String signature(Call call, List<String> signed, String stamp, String scope) {
    var headers = new TreeMap<String, String>();
    signed.forEach(name -> headers.put(name, call.header(name).orElse("")));
    return new Signing(call.method(), call.rawPath(), call.rawQuery(), headers, call.body())
        .signature(credentials.secretAccessKey(), stamp, scope);
  }

  private static List<String> mustBeSigned(Call call) {
    return call.headers().stream()
        .map(header -> header.getKey().toLowerCase(Locale.ROOT))
        .filter(name -> name.equals("host") || name.startsWith("x-amz-"))
        .distinct()
        .toList();
  }

  private static boolean isNow(String stamp) {
    try {
      var skew = Duration.between(STAMP.parse(stamp, Instant::from), Instant.now()).abs();
      return skew.compareTo(SKEW_MAX) <= 0;
    } catch (DateTimeParseException none) {
      return false;
    }
  }

  private static boolean isEqual(String expected, String given) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static Optional<AwsError> mismatch(String message) {
    return refused("InvalidSignatureException", message);
  }

  private static Optional<AwsError> refused(String type, String message) {
    return Optional.of(new AwsError(403, type, message));
  }
}
