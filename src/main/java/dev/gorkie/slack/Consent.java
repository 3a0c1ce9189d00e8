package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.smallrye.config.Secret;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The way of a person who lets us into a workspace: to Slack's page and back, in one browser and within minutes.
///
/// Nothing is kept of it meanwhile. The browser holds a secret, and what Slack carries through is signed for this secret.
@ApplicationScoped
public class Consent {

  /// What we ask for; the same as in the manifest.
  static final List<String> SCOPES =
      List.of(
          "app_mentions:read",
          "assistant:write",
          "channels:history",
          "channels:read",
          "chat:write",
          "commands",
          "files:read",
          "files:write",
          "groups:history",
          "groups:read",
          "im:history",
          "mpim:history",
          "reactions:read",
          "reactions:write",
          "users:read");

  /// Whoever reads what an app asks for before agreeing takes a while.
  public static final Duration LASTS = Duration.ofMinutes(10);

  private static final Pattern STATE = Pattern.compile("([0-9]{1,12})-(v0=[0-9a-f]{64})");
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9._-]{1,256}");
  private static final int SECRET_BYTES = 16;

  private final SecureRandom random = new SecureRandom();
  private final Optional<String> client;
  private final String signingSecret;
  private final URI page;
  private final InstantSource clock;

  @Inject
  Consent(SlackSettings settings) {
    this(settings, InstantSource.system());
  }

  Consent(SlackSettings settings, InstantSource clock) {
    this.client = settings.clientId();
    this.signingSecret = settings.signingSecret().map(Secret::get).orElse("");
    this.page = settings.apiUrl().resolve("../oauth/v2/authorize");
    this.clock = clock;
  }

  /// @param page where Slack asks the person
  /// @param secret for the person's browser to keep
  public record Begun(URI page, String secret) {}

  /// Empty where there is one workspace and its token was given to us.
  public Optional<Begun> begin() {
    return client.map(
        id -> {
          var bytes = new byte[SECRET_BYTES];
          random.nextBytes(bytes);
          var secret = HexFormat.of().formatHex(bytes);
          var ends = Long.toString(clock.instant().plus(LASTS).getEpochSecond());
          var query =
              "?client_id=%s&scope=%s&state=%s"
                  .formatted(
                      encoded(id),
                      encoded(String.join(",", SCOPES)),
                      encoded(ends + "-" + signed(ends, secret)));
          return new Begun(URI.create(page + query), secret);
        });
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, UTF_8);
  }

  private String signed(String ends, String secret) {
    return SlackSignature.sign(signingSecret, ends, ("consent:" + secret).getBytes(UTF_8));
  }

  /// What is to be carried on when the person has agreed; empty when it was another browser that began, or too long ago.
  public Optional<byte[]> agreed(String code, String state, String secret) {
    var given = STATE.matcher(state);
    if (client.isEmpty() || !given.matches() || !CODE.matcher(code).matches()) {
      return Optional.empty();
    }
    var ends = given.group(1);
    var isOurs =
        MessageDigest.isEqual(signed(ends, secret).getBytes(UTF_8), given.group(2).getBytes(UTF_8));
    return isOurs && clock.instant().getEpochSecond() <= Long.parseLong(ends)
        ? Optional.of(new Membership.Agreed(code).delivery())
        : Optional.empty();
  }
}
