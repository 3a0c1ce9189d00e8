package dev.gorkie.start;

import dev.gorkie.settings.Role;
import dev.gorkie.settings.Secrets;
import dev.gorkie.settings.Settings;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Optional;
import java.util.function.Function;

/// Looks at the environment before anything is started, so that a mistake there is a sentence and no stack trace.
@QuarkusMain
public final class Main {

  // As a shell reports wrong usage, so that a script can tell it from a crash.
  private static final int WRONG_USAGE = 2;

  Main() {}

  public static void main(String... arguments) {
    var settings = new Settings(environment());
    if (settings.areNone()) {
      System.err.println(
          "Gorkie does not start: none of its settings is set. “make dev” sets them all and starts"
              + " what they stand for, on a laptop; README.md tells what each is.");
      System.exit(WRONG_USAGE);
    }
    var complaints = settings.complaints();
    if (!complaints.isEmpty()) {
      System.err.println("Gorkie does not start:");
      complaints.forEach(complaint -> System.err.println("  " + complaint));
      System.exit(WRONG_USAGE);
    }
    var toForget = System.getenv("GORKIE_FORGETS");
    if (toForget != null && !toForget.isEmpty()) {
      if (!Forget.isNamed(toForget)) {
        System.err.println(Forget.USAGE);
        System.exit(WRONG_USAGE);
      }
      doNothingElse();
      sayNothingElse();
      // A workspace takes its time: each conversation that is gone is told.
      System.setProperty("quarkus.log.category.\"dev.gorkie\".level", "WARN");
      System.setProperty("quarkus.log.category.\"dev.gorkie.erasure\".level", "INFO");
      System.setProperty("quarkus.log.category.\"dev.gorkie.workbench\".level", "INFO");
      Quarkus.run(Forget.class, arguments);
    } else if (System.getenv("GORKIE_TOKEN") != null) {
      var wrong = MakeToken.complaint();
      if (!wrong.isEmpty()) {
        System.err.println(wrong);
        System.exit(WRONG_USAGE);
      }
      doNothingElse();
      sayNothingElse();
      Quarkus.run(MakeToken.class, arguments);
    } else if ("true".equals(System.getenv("GORKIE_MIGRATE"))) {
      doNothingElse();
      Quarkus.run(Migrate.class, arguments);
    } else if (settings.role().filter(role -> role == Role.DOCTOR).isPresent()) {
      doNothingElse();
      sayNothingElse();
      Quarkus.run(Doctor.class, arguments);
    } else if (settings.role().filter(role -> role == Role.TRACE).isPresent()) {
      doNothingElse();
      sayNothingElse();
      Quarkus.run(Trace.class, arguments);
    } else if (settings.role().filter(role -> role == Role.SERVER).isPresent()) {
      Quarkus.run(Serve.class, arguments);
    } else {
      Quarkus.run(arguments);
    }
  }

  /// With the secrets that it names; of one that cannot be read there is a sentence.
  private static Function<String, Optional<String>> environment() {
    try {
      return Secrets.putInto(name -> Optional.ofNullable(System.getenv(name)));
    } catch (Secrets.Unreadable unreadable) {
      System.err.println("Gorkie does not start:");
      System.err.println("  " + unreadable.getMessage());
      System.exit(WRONG_USAGE);
      throw unreadable;
    }
  }

  /// What it finds is the output.
  private static void sayNothingElse() {
    System.setProperty("quarkus.log.level", "ERROR");
    System.setProperty("quarkus.log.category.\"dev.gorkie\".level", "ERROR");
  }

  /// What is over in a moment: until then nothing listens and nothing looks for work.
  private static void doNothingElse() {
    System.setProperty("quarkus.http.host-enabled", "false");
    System.setProperty("quarkus.scheduler.enabled", "false");
  }
}
