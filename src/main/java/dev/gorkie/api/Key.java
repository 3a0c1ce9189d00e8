package dev.gorkie.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.workbench.Order;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// The header under which a request may be sent again without being carried out again.
final class Key {

  static final String HEADER = "Idempotency-Key";
  static final String FORM = "[!-~]{1,128}";

  private static final Pattern PATTERN = Pattern.compile(FORM);

  private Key() {}

  /// @param route so that the same body for something else is something else
  static Optional<Order.Key> of(String header, String route, byte[] body) {
    if (header.isEmpty()) {
      return Optional.empty();
    }
    if (!PATTERN.matcher(header).matches()) {
      throw new Refused(
          Problem.malformed(
              HEADER
                  + " is not what it should be. Expected: 1 to 128 visible characters of ASCII."));
    }
    return Optional.of(new Order.Key(header, hash(route, body)));
  }

  private static String hash(String route, byte[] body) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update((route + "\n").getBytes(UTF_8));
      return HexFormat.of().formatHex(digest.digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
