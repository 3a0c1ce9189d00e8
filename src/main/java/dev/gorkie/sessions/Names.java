package dev.gorkie.sessions;

import dev.gorkie.ThreadKey;
import dev.gorkie.sandbox.Sandboxes.Listed;
import java.util.Map;
import java.util.Optional;

/// What a thread's sandbox and Pi session are called: derived, so that whoever looks finds the same.
record Names(ThreadKey thread, int generation, int sessionNumber) {

  private static final String APP = "app";
  private static final String GORKIE = "gorkie";
  private static final String THREAD = "thread";
  private static final String GENERATION = "generation";

  /// What every sandbox of ours carries.
  static final Map<String, String> OURS = Map.of(APP, GORKIE);

  static Names first(ThreadKey thread) {
    return new Names(thread, 1, 1);
  }

  static Names of(ThreadKey thread, SessionRow row) {
    return new Names(thread, row.generation, row.sessionNumber);
  }

  /// On another machine.
  Names next() {
    return new Names(thread, generation + 1, sessionNumber + 1);
  }

  /// On the same machine.
  Names nextSession() {
    return inSession(sessionNumber + 1);
  }

  Names inSession(int number) {
    return new Names(thread, generation, number);
  }

  String sandbox() {
    return "gorkie-" + key() + (generation == 1 ? "" : "-g" + generation);
  }

  String session() {
    return key() + "-s" + sessionNumber;
  }

  /// By these the sweep tells our sandboxes from others', and finds the thread of one without a row.
  Map<String, String> labels() {
    return Map.of(APP, GORKIE, THREAD, thread.toString(), GENERATION, Integer.toString(generation));
  }

  /// The names that a sandbox of ours was created under. Whoever has the key can write labels, so they are checked.
  static Optional<Names> of(Listed sandbox) {
    try {
      var thread = ThreadKey.parse(sandbox.labels().getOrDefault(THREAD, ""));
      var generation = Integer.parseInt(sandbox.labels().getOrDefault(GENERATION, ""));
      return Optional.of(new Names(thread, generation, 1))
          .filter(names -> names.sandbox().equals(sandbox.name()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private String key() {
    return thread.toString().replace(':', '-');
  }
}
