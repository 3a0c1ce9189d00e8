package dev.gorkie.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/// The keys of one world. They open nothing anywhere else, and stay the same when it is started again.
record Keys(Map<String, String> values) {

  private static final int RANDOM_BYTES = 16;

  static Keys of(Path directory) throws IOException {
    var file = directory.resolve("keys");
    if (!Files.exists(file)) {
      Environment.write(
          Map.of(
              "slackSigningSecret",
              random(),
              "slackBotToken",
              "xoxb-local-" + random(),
              "daytonaApiKey",
              "dtn_local_" + random(),
              "modelApiKey",
              "sk-local-" + random(),
              "awsAccessKeyId",
              "AKIALOCAL",
              "awsSecretAccessKey",
              random()),
          file);
    }
    return new Keys(Environment.read(file));
  }

  String get(String name) {
    return Optional.ofNullable(values.get(name)).orElseThrow();
  }

  private static String random() {
    var bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
