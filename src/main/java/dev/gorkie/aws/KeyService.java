package dev.gorkie.aws;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.config.ConfigMapping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/// AWS's key service (KMS): opens keys that it has sealed and never gives its own out of hand.
@ApplicationScoped
public class KeyService {

  /// How a key begins that has to be opened there; behind it is the cipher as Base64.
  public static final String SEALED = "kms:";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final AwsJson service;

  @ConfigMapping(prefix = "gorkie.kms")
  interface Settings {
    Optional<URI> endpoint();
  }

  @Inject
  KeyService(AwsAccess access, Settings settings) {
    this(
        new AwsJson(
            settings.endpoint().orElseGet(() -> access.endpoint("kms")),
            access.signature("kms"),
            "application/x-amz-json-1.1",
            InstantSource.system()));
  }

  public KeyService(AwsJson service) {
    this.service = service;
  }

  /// The key itself. It opens for this purpose alone: a right may say for which.
  ///
  /// @param sealed with `SEALED` before it
  /// @throws IOException where it does not open, or nobody answers
  public byte[] open(String sealed, String purpose) throws IOException {
    var request = JSON.createObjectNode().put("CiphertextBlob", sealed.substring(SEALED.length()));
    request.putObject("EncryptionContext").put("gorkie", purpose);
    var answer = JSON.readTree(service.callInsistently("TrentService.Decrypt", request.toString()));
    try {
      return Base64.getDecoder().decode(answer.path("Plaintext").asText());
    } catch (IllegalArgumentException e) {
      throw new IOException("The key service gave no key", e);
    }
  }
}
