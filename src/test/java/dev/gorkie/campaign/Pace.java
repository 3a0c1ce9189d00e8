package dev.gorkie.campaign;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// How much faster than in life everything is that the product or the world waits for.
record Pace(int time) {

  // Below this a look that is repeated would cost more than what it looks at.
  private static final Duration LOOK_MIN = Duration.ofMillis(50);

  static final Duration RECONCILED_EVERY = Duration.ofMinutes(10);

  Duration scaled(Duration duration) {
    return duration.dividedBy(time);
  }

  /// The product's own durations, divided.
  Map<String, String> settings() {
    var settings = new TreeMap<String, String>();
    put(settings, "GORKIE_LEASE_LASTS", Duration.ofSeconds(30));
    put(settings, "GORKIE_LEASE_RENEWED_EVERY", Duration.ofSeconds(10));
    putLook(settings, "GORKIE_LEASE_LOOKED_EVERY", Duration.ofMillis(500));
    putLook(settings, "GORKIE_TURNS_LOOKS_UP_EVERY", Duration.ofMillis(500));
    put(settings, "GORKIE_TURNS_AWAKE_EVERY", Duration.ofSeconds(60));
    put(settings, "GORKIE_TURNS_SILENCE_MAX", Duration.ofSeconds(120));
    put(settings, "GORKIE_TURNS_REACHES_WITHIN", Duration.ofHours(1));
    put(settings, "GORKIE_SLACK_CARD_INTERVAL", Duration.ofSeconds(2));
    put(settings, "GORKIE_SLACK_CARD_SHARE", Duration.ofMillis(1_500));
    put(settings, "GORKIE_SLACK_CARD_DELAY", Duration.ofSeconds(5));
    put(settings, "GORKIE_SLACK_CARD_TICK", Duration.ofSeconds(10));
    put(settings, "GORKIE_SLACK_STREAM_DELAY", Duration.ofSeconds(3));
    put(settings, "GORKIE_SLACK_STREAM_INTERVAL", Duration.ofSeconds(1));
    put(settings, "GORKIE_SLACK_STREAM_LIFE", Duration.ofSeconds(240));
    put(settings, "GORKIE_SLACK_STREAM_EVERY", Duration.ofSeconds(4));
    put(settings, "GORKIE_SLACK_APPEND_EVERY", Duration.ofMillis(600));
    put(settings, "GORKIE_SLACK_READ_BACK_PAUSE", Duration.ofSeconds(1));
    put(settings, "GORKIE_SLACK_POST_EVERY", Duration.ofSeconds(1));
    put(settings, "GORKIE_SLACK_EDIT_EVERY", Duration.ofMillis(1_200));
    put(settings, "GORKIE_SLACK_GATE_STEP", Duration.ofSeconds(1));
    put(settings, "GORKIE_SLACK_RESOLVE_AGAIN", Duration.ofMinutes(2));
    // Longer than the longest run here.
    put(settings, "GORKIE_MODEL_RUN_LIMIT", Duration.ofMinutes(90));
    put(settings, "GORKIE_JOBS_BEGUN_WITHIN", Duration.ofMinutes(2));
    put(settings, "GORKIE_WORK_LEAVES_BEFORE", Duration.ofSeconds(60));
    put(settings, "GORKIE_SWEEP_QUIET_AFTER", Duration.ofMinutes(10));
    putLook(settings, "GORKIE_SWEEP_EVERY", Duration.ofSeconds(5));
    put(settings, "GORKIE_SWEEP_ON_THE_WAY", Duration.ofSeconds(5));
    put(settings, "GORKIE_SWEEP_WORDS_EVERY", Duration.ofMinutes(1));
    put(settings, "GORKIE_WATCH_RECONCILES_EVERY", RECONCILED_EVERY);
    put(settings, "GORKIE_WATCH_DRIVES_BACK_FOR", Duration.ofHours(1));
    put(settings, "GORKIE_WATCH_LASTS", Duration.ofSeconds(55));
    putLook(settings, "GORKIE_WATCH_ENDS_WITHIN", Duration.ofSeconds(1));
    put(settings, "GORKIE_SLACK_CALL_TIMEOUT", Duration.ofSeconds(10));
    putLook(settings, "GORKIE_DAYTONA_POLL_FIRST", Duration.ofMillis(250));
    putLook(settings, "GORKIE_DAYTONA_POLL_LAST", Duration.ofSeconds(1));
    put(settings, "GORKIE_DAYTONA_MUTE_PATIENCE", Duration.ofSeconds(30));
    return settings;
  }

  private void put(Map<String, String> settings, String name, Duration real) {
    settings.put(name, text(scaled(real)));
  }

  private void putLook(Map<String, String> settings, String name, Duration real) {
    var scaled = scaled(real);
    settings.put(name, text(scaled.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : scaled));
  }

  private static String text(Duration duration) {
    return duration.toMillis() + "ms";
  }
}
