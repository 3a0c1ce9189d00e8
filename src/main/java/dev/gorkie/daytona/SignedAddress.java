package dev.gorkie.daytona;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// An address under which one file may be had for a time, by whoever has the address.
final class SignedAddress {

  private static final String ALGORITHM = "HmacSHA256";

  private SignedAddress() {}

  static URI ofDownload(String toolbox, String path, String key, Instant expires) {
    var seconds = expires.getEpochSecond();
    var signature = "v1_" + signed(key, "v1:files:GET:%s:%d".formatted(path, seconds));
    return URI.create(
        "%s/files/download?path=%s&expires=%d&signature=%s"
            .formatted(
                toolbox, URLEncoder.encode(path, UTF_8).replace("+", "%20"), seconds, signature));
  }

  private static String signed(String key, String text) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.getBytes(UTF_8), ALGORITHM));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, impossible);
    }
  }
}
