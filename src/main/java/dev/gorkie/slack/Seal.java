package dev.gorkie.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.Failure;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Makes a secret unreadable to whoever sees the tables alone.
///
/// Each secret has a key of its own, and that key is sealed with ours: where some service is to keep ours one day, these few bytes
/// are all it has to open. A sealed secret says which of our keys it is under, so that a new one can take over while the old one
/// still opens what it sealed.
final class Seal {

  private static final String FORM = "1";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int NAME_CHARACTERS = 8;

  private final SecureRandom random = new SecureRandom();
  // By what they are called; the first seals, all open.
  private final Map<String, byte[]> keys = new LinkedHashMap<>();

  /// @param keys 32 bytes each, as Base64, the newest first
  Seal(List<String> keys) {
    for (var key : keys) {
      this.keys.put(Hash.of(key).substring(0, NAME_CHARACTERS), Base64.getDecoder().decode(key));
    }
  }

  /// @param about what the secret belongs to: put in another place it does not open
  String seal(String secret, String about) {
    var ours =
        keys.entrySet().stream()
            .findFirst()
            .orElseThrow(() -> new Failure(SlackFailure.NOT_CONFIGURED, "there is no key"));
    var own = new byte[KEY_BYTES];
    random.nextBytes(own);
    return String.join(
        ".",
        FORM,
        ours.getKey(),
        text(sealed(ours.getValue(), own, about)),
        text(sealed(own, secret.getBytes(UTF_8), about)));
  }

  String open(String sealed, String about) {
    var parts = sealed.split("\\.", -1);
    var ours = parts.length == 4 && parts[0].equals(FORM) ? keys.get(parts[1]) : null;
    if (ours == null) {
      throw new Failure(SlackFailure.NOT_CONFIGURED, "no key of ours has sealed this");
    }
    try {
      var own = opened(ours, Base64.getDecoder().decode(parts[2]), about);
      return new String(opened(own, Base64.getDecoder().decode(parts[3]), about), UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new Failure(SlackFailure.NOT_CONFIGURED, "what was sealed was changed", e);
    }
  }

  private byte[] sealed(byte[] key, byte[] plain, String about) {
    var nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      var secret = cipher(Cipher.ENCRYPT_MODE, key, nonce, about).doFinal(plain);
      return ByteBuffer.allocate(nonce.length + secret.length).put(nonce).put(secret).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has " + CIPHER, e);
    }
  }

  private static byte[] opened(byte[] key, byte[] sealed, String about)
      throws GeneralSecurityException {
    var nonce = Arrays.copyOf(sealed, NONCE_BYTES);
    return cipher(Cipher.DECRYPT_MODE, key, nonce, about)
        .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce, String about)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(about.getBytes(UTF_8));
    return cipher;
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
