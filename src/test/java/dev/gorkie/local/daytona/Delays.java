package dev.gorkie.local.daytona;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// How long things take in this world.
public record Delays(Map<Delay, Duration> durations) {

  public Delays {
    durations = Map.copyOf(durations);
  }

  public static Delays usual() {
    var durations = new EnumMap<Delay, Duration>(Delay.class);
    for (var delay : Delay.values()) {
      durations.put(delay, delay.usual());
    }
    return new Delays(durations);
  }

  /// A world in which everything is that much faster, minutes too; but not a shell, which is real.
  public Delays dividedBy(int divisor) {
    var durations = new EnumMap<Delay, Duration>(Delay.class);
    this.durations.forEach((delay, duration) -> durations.put(delay, duration.dividedBy(divisor)));
    durations.put(Delay.CONNECTED, of(Delay.CONNECTED));
    return new Delays(durations);
  }

  public Delays with(Delay delay, Duration duration) {
    var durations = new EnumMap<Delay, Duration>(this.durations);
    durations.put(delay, duration);
    return new Delays(durations);
  }

  Duration of(Delay delay) {
    return durations.getOrDefault(delay, delay.usual());
  }

  Duration minutes(int count) {
    return of(Delay.MINUTE).multipliedBy(count);
  }
}
