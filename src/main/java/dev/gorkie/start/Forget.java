package dev.gorkie.start;

import dev.gorkie.ThreadKey;
import dev.gorkie.erasure.Erasure;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.util.List;

/// Forgets what the operator names, says whether anything of it is left, and is gone.
public final class Forget implements QuarkusApplication {

  static final String USAGE =
      "GORKIE_FORGET is not what it should be. Expected: a thread such as"
          + " T012AB3CD:C012AB3CD:1700000000.000100, or a workspace and a person with a slash"
          + " between them such as T012AB3CD/U012AB3CD, or a workspace such as T012AB3CD.";
  private static final int NOT_DONE = 1;

  private final Erasure erasure;

  @Inject
  Forget(Erasure erasure) {
    this.erasure = erasure;
  }

  /// Whether this names something that can be forgotten.
  static boolean isNamed(String what) {
    return what.matches("[A-Z0-9]{2,64}(/[A-Z0-9]{2,64}|:[A-Za-z0-9]{1,64}:[A-Za-z0-9.]{1,64})?");
  }

  @Override
  public int run(String... arguments) throws InterruptedException {
    var what = System.getenv("GORKIE_FORGET");
    var forgotten = forgotten(what == null ? "" : what);
    System.out.printf(
        "%s is forgotten, with %d threads: their rows, the copies of what was said, their sandboxes"
            + " and what was put away of them.%n",
        what, forgotten.threads());
    if (forgotten.left().isEmpty()) {
      System.out.println("Every table was looked through, and nothing is left.");
      return 0;
    }
    System.out.println("There are still rows that speak of it:");
    forgotten.left().forEach((table, rows) -> System.out.printf("  %s: %d%n", table, rows));
    return NOT_DONE;
  }

  private Erasure.Forgotten forgotten(String what) throws InterruptedException {
    if (what.contains(":")) {
      return erasure.thread(ThreadKey.parse(what));
    }
    var parts = List.of(what.split("/", -1));
    return parts.size() == 2
        ? erasure.person(parts.getFirst(), parts.getLast())
        : erasure.workspace(what);
  }
}
