package dev.gorkie.sessions;

import static dev.gorkie.sandbox.Sandbox.quoted;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/// What people have in one sandbox goes to another. It may be done again from the beginning.
final class Removal {

  // Some gigabytes through the archiver of a machine with one processor.
  private static final Duration PACKED_WITHIN = Duration.ofMinutes(5);
  private static final Duration TIDIED_WITHIN = Duration.ofSeconds(10);
  // A file that changes or goes while it is packed; the rest is whole.
  private static final int SOMETHING_CHANGED = 1;

  private final Sandbox from;
  private final Sandbox to;
  private final Deadline deadline;

  Removal(Sandbox from, Sandbox to, Deadline deadline) {
    this.from = from;
    this.to = to;
    this.deadline = deadline;
  }

  /// @throws Failure when not everything has arrived; what there was is still in the old one
  void carry() {
    var name = "/.gorkie-removal-" + UUID.randomUUID() + ".tgz";
    var packed = from.homeDirectory() + name;
    var arrived = to.homeDirectory() + name;
    try {
      run(from, "tar -C " + quoted(from.workDirectory()) + " -czf " + quoted(packed) + " .");
      try (var content = from.download(packed)) {
        to.upload(arrived, content);
      }
      run(to, "tar -C " + quoted(to.workDirectory()) + " -xzf " + quoted(arrived));
    } catch (IOException e) {
      throw new Failure(SandboxFailure.UNREACHABLE, "carry files to " + to.id(), e);
    } finally {
      tidy(from, packed);
      tidy(to, arrived);
    }
  }

  private void run(Sandbox sandbox, String command) {
    var executed = sandbox.execute(command + " 2>&1", deadline.within(PACKED_WITHIN).left());
    if (executed.exitCode() > SOMETHING_CHANGED) {
      throw new Failure(
          SandboxFailure.NOT_CARRIED,
          sandbox.id() + " ended with " + executed.exitCode() + " over the files");
    }
  }

  /// What is left behind takes room and does no harm.
  private static void tidy(Sandbox sandbox, String path) {
    try {
      sandbox.execute("rm -f " + quoted(path), TIDIED_WITHIN);
    } catch (Failure _) {
      return;
    }
  }
}
