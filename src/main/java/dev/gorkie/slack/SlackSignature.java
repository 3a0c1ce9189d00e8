package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Whether a request is Slack's: an HMAC over its raw body, made at most five minutes from now.
public final class SlackSignature {

  /// The request headers that are looked at.
  public static final String TIMESTAMP_HEADER = "X-Slack-Request-Timestamp";

  public static final String SIGNATURE_HEADER = "X-Slack-Signature";

  private static final long SECONDS_APART_MAX = 300;
  private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,11}");
  private static final Pattern SIGNATURE = Pattern.compile("v0=[0-9a-f]{64}");
  private static final String ALGORITHM = "HmacSHA256";

  private SlackSignature() {}

  /// Everything but `GENUINE` is a refusal; its name is for the log.
  public enum Verdict {
    GENUINE,
    NO_SECRET_CONFIGURED,
    TIMESTAMP_NOT_THERE_ONCE,
    TIMESTAMP_GARBLED,
    TOO_OLD,
    FROM_THE_FUTURE,
    SIGNATURE_NOT_THERE_ONCE,
    SIGNATURE_GARBLED,
    FORGED;

    public boolean isGenuine() {
      return this == GENUINE;
    }
  }

  /// The lists hold every value the header had. The body is what was received, decoded from base64 where a gateway
  /// put it so, and otherwise untouched.
  public static Verdict check(
      String secret,
      List<String> timestamps,
      List<String> signatures,
      byte[] body,
      InstantSource clock) {
    if (secret.isBlank()) {
      return Verdict.NO_SECRET_CONFIGURED;
    }
    if (timestamps.size() != 1) {
      return Verdict.TIMESTAMP_NOT_THERE_ONCE;
    }
    if (signatures.size() != 1) {
      return Verdict.SIGNATURE_NOT_THERE_ONCE;
    }
    var timestamp = timestamps.getFirst();
    if (!TIMESTAMP.matcher(timestamp).matches()) {
      return Verdict.TIMESTAMP_GARBLED;
    }
    var signature = signatures.getFirst();
    if (!SIGNATURE.matcher(signature).matches()) {
      return Verdict.SIGNATURE_GARBLED;
    }
    var secondsOld = clock.instant().getEpochSecond() - Long.parseLong(timestamp);
    if (secondsOld > SECONDS_APART_MAX) {
      return Verdict.TOO_OLD;
    }
    if (secondsOld < -SECONDS_APART_MAX) {
      return Verdict.FROM_THE_FUTURE;
    }
    var expected = sign(secret, timestamp, body).getBytes(UTF_8);
    var isOurs = MessageDigest.isEqual(expected, signature.getBytes(UTF_8));
    return isOurs ? Verdict.GENUINE : Verdict.FORGED;
  }

  static String sign(String secret, String timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
      mac.update(("v0:" + timestamp + ":").getBytes(UTF_8));
      return "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, impossible);
    }
  }
}
