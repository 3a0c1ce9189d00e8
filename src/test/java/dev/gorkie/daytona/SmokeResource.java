package dev.gorkie.daytona;

import dev.gorkie.local.daytona.Delay;
import dev.gorkie.local.daytona.Delays;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The Daytona that the environment names, when somebody asks for it with `-Dsmoke`; else one on this machine whose minutes
/// are two seconds.
public final class SmokeResource extends LocalDaytonaResource {

  static final boolean IS_REAL = Boolean.getBoolean("smoke");
  static final Duration MINUTE = IS_REAL ? Duration.ofMinutes(1) : Duration.ofSeconds(2);

  @Override
  public Map<String, String> start() {
    var settings = new HashMap<>(super.start());
    if (IS_REAL) {
      settings.put("gorkie.daytona.api-key", environment("DAYTONA_API_KEY").orElseThrow());
      settings.put("gorkie.daytona.snapshot", environment("DAYTONA_SNAPSHOT").orElseThrow());
      environment("DAYTONA_API_URL").ifPresent(url -> settings.put("gorkie.daytona.api-url", url));
      environment("DAYTONA_TARGET").ifPresent(at -> settings.put("gorkie.daytona.target", at));
      if (environment("DAYTONA_API_URL").isEmpty()) {
        settings.put("gorkie.daytona.api-url", "https://app.daytona.io/api");
      }
      List.of("poll-first", "poll-last", "mute-patience")
          .forEach(one -> settings.remove("gorkie.daytona." + one));
    }
    return settings;
  }

  @Override
  protected Delays delays() {
    return super.delays()
        .with(Delay.MINUTE, MINUTE)
        .with(Delay.TIMERS, Duration.ofMillis(100))
        .with(Delay.ACTIVITY, Duration.ofMillis(100));
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }
}
