package dev.gorkie;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Waits for what nobody tells a test of. It looks now and then and stands aside in between: whoever looks all the time takes the
/// processor from what he waits for.
public final class Await {

  // Longer than anything here takes on a busy machine; a test that needs it has failed.
  private static final Duration MOST = Duration.ofSeconds(120);

  // Seldom enough to cost nothing, where each look is a connection to a database too.
  private static final Duration LOOKS_EVERY = Duration.ofMillis(20);

  private Await() {}

  /// By then whatever a test waits for has failed.
  public static Deadline soon() {
    return Deadline.in(MOST);
  }

  public static void until(Callable<Boolean> wanted) {
    until(wanted, () -> "It did not come to that");
  }

  /// @param otherwise what is said when it did not come to that
  public static void until(Callable<Boolean> wanted, Supplier<String> otherwise) {
    var end = Instant.now().plus(MOST);
    try {
      while (!wanted.call()) {
        if (Instant.now().isAfter(end)) {
          throw new AssertionError(otherwise.get());
        }
        Thread.sleep(LOOKS_EVERY);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    } catch (RuntimeException broken) {
      throw broken;
    } catch (Exception broken) {
      throw new IllegalStateException(broken);
    }
  }
}
