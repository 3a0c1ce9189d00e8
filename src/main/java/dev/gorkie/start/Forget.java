package dev.gorkie.start;

import dev.gorkie.ThreadKey;
import dev.gorkie.erasure.Erasure;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/// Forgets what the operator names, says whether anything of it is left, and is gone.
public final class Forget implements QuarkusApplication {

  static final String USAGE =
      "GORKIE_FORGETS is not what it should be. Expected: a thread such as"
          + " T012AB3CD:C012AB3CD:1700000000.000100, or a workspace and a person with a slash"
          + " between them such as T012AB3CD/U012AB3CD, or a workspace such as T012AB3CD, or a tenant"
          + " of the API such as api/acme.";
  private static final String TENANT = "api/";
  private static final int NOT_DONE = 1;
  private static final int WRONG_USAGE = 2;

  private final Erasure erasure;

  @Inject
  Forget(Erasure erasure) {
    this.erasure = erasure;
  }

  /// Whether this names something that can be forgotten.
  static boolean isNamed(String what) {
    return what.matches("[A-Z0-9]{2,64}(/[A-Z0-9]{2,64}|:[A-Za-z0-9]{1,64}:[A-Za-z0-9.]{1,64})?")
        || what.matches(TENANT + "[a-z0-9]{1,32}");
  }

  @Override
  public int run(String... arguments) throws InterruptedException {
    var what = Optional.ofNullable(System.getenv("GORKIE_FORGETS")).orElse("");
    if (isWorkspace(what) && !what.equals(System.getenv("SURE"))) {
      System.err.printf(
          "Nothing was forgotten. This forgets all that anybody in workspace %1$s has said, with all sandboxes, and that"
              + " Gorkie was let in there. Expected: SURE=%1$s as well; or PERSON=U… for one person.%n",
          what);
      return WRONG_USAGE;
    }
    var forgotten = forgotten(what);
    if (forgotten.threads() == 0) {
      System.out.printf(
          "There was no %s of %s. If there should have been one, look at how it is spelled.%n",
          told(what, 1), what);
    } else {
      System.out.printf(
          "%s is forgotten, with %d %s: rows, copies of what was said, sandboxes and what was put away of them.%n",
          what, forgotten.threads(), told(what, forgotten.threads()));
    }
    if (forgotten.left().isEmpty()) {
      System.out.println("Every table was looked through, and nothing is left.");
      return 0;
    }
    System.out.println("There are still rows that speak of it:");
    forgotten.left().forEach((table, rows) -> System.out.printf("  %s: %d%n", table, rows));
    return NOT_DONE;
  }

  private static boolean isTenant(String what) {
    return what.startsWith(TENANT);
  }

  private static String told(String what, int count) {
    var one = isTenant(what) ? "session" : "conversation";
    return count == 1 ? one : one + "s";
  }

  private static boolean isWorkspace(String what) {
    return !what.contains(":") && !what.contains("/");
  }

  private Erasure.Forgotten forgotten(String what) throws InterruptedException {
    if (isTenant(what)) {
      return erasure.tenant(what.substring(TENANT.length()));
    }
    if (what.contains(":")) {
      return erasure.thread(ThreadKey.parse(what));
    }
    var parts = List.of(what.split("/", -1));
    return parts.size() == 2
        ? erasure.person(parts.getFirst(), parts.getLast())
        : erasure.workspace(what);
  }
}
