package dev.gorkie.aws;

import io.smallrye.config.ConfigMapping;
import java.net.URI;
import java.util.Optional;

/// What Lambda puts into a function's environment, by which AWS knows it.
@ConfigMapping(prefix = "gorkie.aws")
public interface AwsAccess {

  Optional<String> region();

  Optional<String> accessKeyId();

  Optional<String> secretAccessKey();

  Optional<String> sessionToken();

  default String regionOrUsual() {
    return region().orElse("us-east-1");
  }

  /// Where a service is, if it is not somewhere else.
  default URI endpoint(String service) {
    return URI.create("https://" + service + "." + regionOrUsual() + ".amazonaws.com");
  }

  default AwsSignature signature(String service) {
    return new AwsSignature(
        accessKeyId().orElse(""),
        secretAccessKey().orElse(""),
        sessionToken(),
        regionOrUsual(),
        service);
  }
}
