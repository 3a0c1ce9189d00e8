package dev.gorkie.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.Failure;
import dev.gorkie.aws.KeyService;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Makes a secret unreadable to whoever sees the tables alone.
///
/// Each secret has a key of its own, and that key is sealed with ours. A sealed secret says which of ours it is under, so that a new
/// one can take over while the old one still opens what it sealed. Ours may be sealed in turn, by a service that keeps its own: then
/// it is opened once, when it is needed first.
public final class Seal {

  // What our key may be opened for; deploying says the same when it has one made.
  private static final String PURPOSE = "token-key";
  private static final String FORM = "1";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int NAME_CHARACTERS = 8;

  private final SecureRandom random = new SecureRandom();
  private final Service service;
  // By what they are called; the first seals, all open.
  private final Map<String, String> keys = new LinkedHashMap<>();
  private final Map<String, byte[]> opened = new ConcurrentHashMap<>();

  /// Who opens ours, where they are sealed.
  interface Service {

    /// Whether it has sealed this.
    boolean hasSealed(String key);

    byte[] open(String key) throws IOException;
  }

  /// @param keys 32 bytes each, as Base64 or as the service has sealed them, the newest first
  Seal(List<String> keys, Service service) {
    this.service = service;
    for (var key : keys) {
      this.keys.put(nameOf(key), key);
    }
  }

  private static String nameOf(String key) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, NAME_CHARACTERS);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private byte[] ours(String name) {
    // Where two need it at once both ask, and hear the same.
    var known = opened.get(name);
    if (known != null) {
      return known;
    }
    var key = keys.get(name);
    if (key == null) {
      throw new Failure(SealFailure.NOT_CONFIGURED, "no key of ours has sealed this");
    }
    try {
      var bytes = service.hasSealed(key) ? service.open(key) : Base64.getDecoder().decode(key);
      if (bytes.length != KEY_BYTES) {
        throw new Failure(SealFailure.NOT_CONFIGURED, "a key of ours has not 32 bytes");
      }
      opened.put(name, bytes);
      return bytes;
    } catch (IOException e) {
      throw new Failure(
          SealFailure.NOT_CONFIGURED, "our key could not be opened: " + e.getMessage(), e);
    }
  }

  /// The same with whoever opens keys at AWS.
  public static Seal with(List<String> keys, KeyService service) {
    return new Seal(
        keys,
        new Service() {
          @Override
          public boolean hasSealed(String key) {
            return key.startsWith(KeyService.SEALED);
          }

          @Override
          public byte[] open(String key) throws IOException {
            return service.open(key, PURPOSE);
          }
        });
  }

  /// How everything begins that is sealed with the newest of ours; empty where there is none.
  public Optional<String> newest() {
    return keys.keySet().stream().findFirst().map(name -> FORM + "." + name + ".");
  }

  /// @param about what the secret belongs to: put in another place it does not open
  public String seal(String secret, String about) {
    var ours =
        keys.keySet().stream()
            .findFirst()
            .orElseThrow(() -> new Failure(SealFailure.NOT_CONFIGURED, "there is no key"));
    var own = new byte[KEY_BYTES];
    random.nextBytes(own);
    return String.join(
        ".",
        FORM,
        ours,
        text(sealed(ours(ours), own, about)),
        text(sealed(own, secret.getBytes(UTF_8), about)));
  }

  public String open(String sealed, String about) {
    var parts = sealed.split("\\.", -1);
    var ours = ours(parts.length == 4 && parts[0].equals(FORM) ? parts[1] : "");
    try {
      var own = opened(ours, Base64.getDecoder().decode(parts[2]), about);
      return new String(opened(own, Base64.getDecoder().decode(parts[3]), about), UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new Failure(SealFailure.NOT_CONFIGURED, "what was sealed was changed", e);
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
