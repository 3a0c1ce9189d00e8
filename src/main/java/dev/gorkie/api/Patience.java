package dev.gorkie.api;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/// How long a request may take.
@ApplicationScoped
class Patience {

  private final Rules rules;

  @ConfigMapping(prefix = "gorkie.api")
  interface Rules {

    /// API Gateway gives up after 30 s, and so does much that stands between a program and a server.
    @WithDefault("25s")
    Duration patience();
  }

  @Inject
  Patience(Rules rules) {
    this.rules = rules;
  }

  Duration most() {
    return rules.patience();
  }

  /// What whoever asks is ready to wait, in seconds.
  Duration read(String wait) {
    if (!wait.matches("[0-9]{1,2}") || Integer.parseInt(wait) > most().toSeconds()) {
      throw new Refused(
          Problem.wrong(
              "invalid_parameter",
              "wait is not what it should be. Expected: 0 to %d seconds."
                  .formatted(most().toSeconds())));
    }
    return Duration.ofSeconds(Long.parseLong(wait));
  }
}
