package dev.gorkie.inbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;

/// How long a worker has a thread for itself before it must say so again.
@ApplicationScoped
class Lease {

  private final Duration lasts;
  private final Duration renewedEvery;
  private final Duration lookedEvery;

  @Inject
  Lease(Rules rules) {
    this.lasts = rules.lasts();
    this.renewedEvery = rules.renewedEvery();
    this.lookedEvery = rules.lookedEvery();
  }

  Duration lasts() {
    return lasts;
  }

  Duration renewedEvery() {
    return renewedEvery;
  }

  Duration lookedEvery() {
    return lookedEvery;
  }

  String newOwner() {
    return UUID.randomUUID().toString();
  }

  @ConfigMapping(prefix = "gorkie.lease")
  interface Rules {

    /// A worker that was killed is followed by another after this long at the earliest.
    @WithDefault("30s")
    Duration lasts();

    /// Two renewals may fail before the lease is lost.
    @WithDefault("10s")
    Duration renewedEvery();

    /// A stop is to be confirmed within 2 s.
    @WithDefault("500ms")
    Duration lookedEvery();
  }
}
