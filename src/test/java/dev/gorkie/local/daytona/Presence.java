package dev.gorkie.local.daytona;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The calls that are open at the toolbox. Each counts as activity when it begins and then as long as it stays
/// open, silent or not.
final class Presence {

  /// One open call.
  final class Open implements AutoCloseable {

    private final Machine machine;
    private final long begun = System.nanoTime();
    private long touched = begun;

    private Open(Machine machine) {
      this.machine = machine;
    }

    /// The first sign is given beside the call and is lost when the call is over before it.
    @Override
    public void close() {
      open.remove(this);
      if (System.nanoTime() - begun > FIRST_SIGN.toNanos()) {
        machine.touch();
      }
    }
  }

  private static final Duration FIRST_SIGN = Duration.ofMillis(10);

  private final Duration period;
  private final Set<Open> open = ConcurrentHashMap.newKeySet();

  Presence(Duration period) {
    this.period = period;
  }

  Open enter(Machine machine) {
    var call = new Open(machine);
    open.add(call);
    return call;
  }

  /// Called from one thread, again and again.
  void touch() {
    var now = System.nanoTime();
    for (var call : open) {
      if (call.touched == call.begun || now - call.touched >= period.toNanos()) {
        call.touched = now;
        call.machine.touch();
      }
    }
  }
}
