package dev.gorkie.daytona;

import static java.util.Map.entry;

import dev.gorkie.local.daytona.Delay;
import dev.gorkie.local.daytona.Delays;
import dev.gorkie.local.daytona.LocalDaytona;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;

/// A Daytona on this machine, ten times as fast as usual, for as long as the tests run.
public class LocalDaytonaResource implements QuarkusTestResourceLifecycleManager {

  static final String API_KEY = "key-of-the-tests";
  static final String SNAPSHOT = "gorkie";

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  @Override
  public Map<String, String> start() {
    try {
      var directory = Files.createTempDirectory("gorkie-daytona");
      open.push(() -> delete(directory));
      var daytona =
          LocalDaytona.start(
              LocalDaytona.Settings.of(directory.resolve("sandboxes"), image(directory))
                  .withApiKey(API_KEY)
                  .withSnapshot(SNAPSHOT)
                  .withDelays(delays()));
      open.push(daytona);
      open.push(() -> mustBeUnderstood(daytona));
      return Map.ofEntries(
          entry("gorkie.daytona.api-url", daytona.url().toString()),
          entry("gorkie.daytona.api-key", API_KEY),
          entry("gorkie.daytona.snapshot", SNAPSHOT),
          entry("gorkie.daytona.poll-first", "0.01S"),
          entry("gorkie.daytona.poll-last", "0.05S"),
          entry("gorkie.daytona.mute-patience", "0.5S"),
          entry("gorkie.daytona.ping-every", "0.2S"),
          // The role that needs least besides: no database above all.
          entry("GORKIE_ROLE", "ingress"),
          entry("SLACK_SIGNING_SECRET", "none"),
          entry("GORKIE_WORKER_FUNCTION", "none"),
          entry("gorkie.database.migrate-at-start", "false"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  protected Delays delays() {
    return Delays.usual().dividedBy(10).with(Delay.MINUTE, Duration.ofMinutes(1));
  }

  /// What the machines know as `$GORKIE`; nothing is in it unless somebody says otherwise.
  protected Path image(Path directory) {
    return directory;
  }

  @Override
  public void stop() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void mustBeUnderstood(LocalDaytona daytona) {
    if (!daytona.misunderstandings().isEmpty()) {
      throw new AssertionError("Daytona was asked wrongly: " + daytona.misunderstandings());
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var paths = Files.walk(directory)) {
      for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
