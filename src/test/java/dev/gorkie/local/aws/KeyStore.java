package dev.gorkie.local.aws;

import dev.gorkie.local.wire.Call;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The key service. Its one key never leaves it; a cipher opens with the context alone with which it was made.
public final class KeyStore {

  private static final String TARGET = "TrentService.";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecureRandom random = new SecureRandom();
  private final byte[] key = random.generateSeed(KEY_BYTES);
  private final AtomicInteger throttled = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  /// A new data key that nobody has seen, as Base64; for what `GenerateDataKeyWithoutPlaintext` is called for.
  public String dataKey(JsonObject context) {
    var plain = new byte[KEY_BYTES];
    random.nextBytes(plain);
    var nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      var sealed = cipher(Cipher.ENCRYPT_MODE, nonce, context).doFinal(plain);
      return Base64.getEncoder()
          .encodeToString(
              ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// So many of the next calls come too fast.
  public void throttle(int calls) {
    throttled.set(calls);
  }

  /// How often it was asked.
  public int asked() {
    return asked.get();
  }

  boolean isMeant(Call call) {
    return target(call).startsWith(TARGET);
  }

  void answer(Call call) {
    asked.incrementAndGet();
    if (throttled.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      new AwsError(400, "ThrottlingException", "Rate exceeded").answer(call);
    } else if (target(call).equals(TARGET + "Decrypt")) {
      decrypt(call, call.json());
    } else {
      new AwsError(400, "UnknownOperationException", target(call)).answer(call);
    }
  }

  private void decrypt(Call call, JsonObject request) {
    try {
      var sealed = Base64.getDecoder().decode(request.getString("CiphertextBlob", ""));
      var plain =
          cipher(
                  Cipher.DECRYPT_MODE,
                  Arrays.copyOf(sealed, NONCE_BYTES),
                  request.getJsonObject("EncryptionContext", new JsonObject()))
              .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
      var answer = JsonObject.of("Plaintext", Base64.getEncoder().encodeToString(plain));
      call.answer(200, "application/x-amz-json-1.1", answer.toBuffer().getBytes());
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      new AwsError(400, "InvalidCiphertextException", "").answer(call);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, JsonObject context)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(context.toBuffer().getBytes());
    return cipher;
  }

  private static String target(Call call) {
    return call.header("x-amz-target").orElse("");
  }
}
