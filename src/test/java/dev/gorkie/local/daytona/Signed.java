package dev.gorkie.local.daytona;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.local.web.Call;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// An address of one file that is good without any other right, for a time.
final class Signed {

  private Signed() {}

  static boolean isGood(Call call, Optional<Machine> machine, String path) {
    var file = call.query("path");
    var expires = call.query("expires").filter(it -> it.matches("[0-9]{1,12}"));
    var signature = call.query("signature");
    if (machine.isEmpty()
        || file.isEmpty()
        || expires.isEmpty()
        || signature.isEmpty()
        || !path.equals("/files/download")
        || Long.parseLong(expires.get()) < Instant.now().getEpochSecond()) {
      return false;
    }
    var expected =
        signed(
            machine.get().signingKey(),
            "v1:files:" + call.method() + ":" + file.get() + ":" + expires.get());
    return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.get().getBytes(UTF_8));
  }

  private static String signed(String key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
      return "v1_"
          + Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
