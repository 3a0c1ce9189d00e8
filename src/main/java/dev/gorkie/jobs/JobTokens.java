package dev.gorkie.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.slack.SlackSettings;
import io.smallrye.config.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// By what it is known that a job's own sandbox says that it is over: a word for that job alone and for a time, which whoever
/// has the secret can check without asking anybody.
@ApplicationScoped
public class JobTokens {

  private static final String ALGORITHM = "HmacSHA256";
  // The secret is Slack's for other things; what is signed here is never taken for what is signed
  // there.
  private static final String LABEL = "gorkie job token";
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\.([0-9a-f]{64})");

  private final Optional<byte[]> key;
  private final InstantSource clock;

  @Inject
  JobTokens(SlackSettings settings) {
    this(settings.signingSecret().map(Secret::get), InstantSource.system());
  }

  JobTokens(Optional<String> secret, InstantSource clock) {
    this.key = secret.filter(it -> !it.isBlank()).map(it -> hmac(it.getBytes(UTF_8), LABEL));
    this.clock = clock;
  }

  /// Empty where there is no secret to make it from.
  Optional<String> of(String job, Instant expires) {
    var seconds = Long.toString(expires.getEpochSecond());
    return key.map(it -> seconds + "." + signed(it, job, seconds));
  }

  /// Whether it is this job's and still counts.
  public boolean fits(String job, String token) {
    var form = FORM.matcher(token);
    if (key.isEmpty() || !form.matches()) {
      return false;
    }
    var expected = signed(key.get(), job, form.group(1)).getBytes(UTF_8);
    return MessageDigest.isEqual(expected, form.group(2).getBytes(UTF_8))
        && clock.instant().getEpochSecond() <= Long.parseLong(form.group(1));
  }

  private static String signed(byte[] key, String job, String expires) {
    return HexFormat.of().formatHex(hmac(key, job + "." + expires));
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, impossible);
    }
  }
}
