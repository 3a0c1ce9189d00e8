package dev.gorkie.local.slack;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/// Looks again and again at something that tells nobody when it changes, and says so when it has.
final class Looking implements EventStream.Source {

  // Often enough for a person who watches; seldom enough for a laptop.
  private static final Duration EVERY = Duration.ofMillis(400);

  private final Callable<JsonObject> look;
  private JsonObject last = new JsonObject();
  private boolean first = true;

  Looking(Callable<JsonObject> look) {
    this.look = look;
  }

  @Override
  public Optional<JsonObject> next(Duration atMost) throws Exception {
    for (var end = System.nanoTime() + atMost.toNanos(); System.nanoTime() < end; ) {
      if (!first) {
        Thread.sleep(EVERY);
      }
      first = false;
      var now = look.call();
      if (!now.equals(last)) {
        last = now;
        return Optional.of(now);
      }
    }
    return Optional.empty();
  }
}
