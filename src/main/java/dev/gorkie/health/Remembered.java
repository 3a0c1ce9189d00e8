package dev.gorkie.health;

import dev.gorkie.settings.Role;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.jspecify.annotations.Nullable;

/// A question that costs somebody something: one asks at a time, and for some seconds all get the same answer.
abstract class Remembered implements HealthCheck {

  private final String name;
  private final Role role;
  private final Duration lasts;
  private final InstantSource clock;
  private final ReentrantLock asking = new ReentrantLock();
  // Guarded by the lock:
  private @Nullable HealthCheckResponse last;
  private Instant until = Instant.MIN;

  @ConfigMapping(prefix = "gorkie.health")
  interface Settings {

    /// Six questions a minute, however many probes there are; Slack allows some hundred.
    @WithDefault("10s")
    Duration lasts();
  }

  Remembered(String name, Role role, Settings settings) {
    this(name, role, settings.lasts(), InstantSource.system());
  }

  Remembered(String name, Role role, Duration lasts, InstantSource clock) {
    this.name = name;
    this.role = role;
    this.lasts = lasts;
    this.clock = clock;
  }

  /// What is wrong, as a sentence; empty when nothing is.
  abstract Optional<String> trouble() throws InterruptedException;

  @Override
  public HealthCheckResponse call() {
    if (!role.works()) {
      return HealthCheckResponse.up(name); // whoever only hears Slack needs none of it
    }
    asking.lock();
    try {
      if (last == null || !clock.instant().isBefore(until)) {
        last = asked();
        until = clock.instant().plus(lasts);
      }
      return last;
    } finally {
      asking.unlock();
    }
  }

  private HealthCheckResponse asked() {
    try {
      var trouble = trouble();
      var response = HealthCheckResponse.named(name).status(trouble.isEmpty());
      trouble.ifPresent(reason -> response.withData("reason", reason));
      return response.build();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return HealthCheckResponse.down(name);
    }
  }
}
