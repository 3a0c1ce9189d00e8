package dev.gorkie.daytona;

import dev.gorkie.sandbox.SandboxId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Where home and work are in each sandbox that was used lately. Neither moves as long as a sandbox lives, and a call to it
/// takes as long as many a step of a turn.
final class Directories {

  // Some hundred bytes each.
  private static final int SANDBOXES_MAX = 10_000;

  // Guarded by itself:
  private final Map<SandboxId, Map<String, String>> known = new LinkedHashMap<>(16, 0.75f, true);

  String of(SandboxId sandbox, String which, Supplier<String> ask) {
    synchronized (known) {
      var found = known.getOrDefault(sandbox, Map.of()).get(which);
      if (found != null) {
        return found;
      }
    }
    var told = ask.get();
    synchronized (known) {
      known.computeIfAbsent(sandbox, _ -> new LinkedHashMap<>()).put(which, told);
      if (known.size() > SANDBOXES_MAX) {
        known.remove(known.keySet().iterator().next());
      }
    }
    return told;
  }
}
