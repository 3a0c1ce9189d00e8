package dev.gorkie.sessions;

import static dev.gorkie.sandbox.Sandbox.quoted;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.sandbox.SandboxFailure;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/// What people have in one sandbox goes to another. It may be done again from the beginning.
final class Removal {

  // Some gigabytes through the archiver of a machine with one processor.
  private static final Duration PACKED_WITHIN = Duration.ofMinutes(5);
  private static final Duration TIDIED_WITHIN = Duration.ofSeconds(10);
  private static final String NAME = "/.gorkie-removal-";
  // The archiver's word for that a file changed or went while it was packed; the rest is whole.
  private static final int SOMETHING_CHANGED = 1;

  private final Sandbox from;
  private final Sandbox to;
  private final Deadline deadline;

  Removal(Sandbox from, Sandbox to, Deadline deadline) {
    this.from = from;
    this.to = to;
    this.deadline = deadline;
  }

  /// How many files stay behind because nobody there may read them.
  ///
  /// @throws Failure when not everything else has arrived; what there was is still in the old one
  int carry() {
    var name = NAME + UUID.randomUUID() + ".tgz";
    var packed = from.homeDirectory() + name;
    var arrived = to.homeDirectory() + name;
    try {
      var words =
          run(
              from,
              tidying(from)
                  + "tar --ignore-failed-read --exclude='.%s*' -C %s -czf %s ."
                      .formatted(NAME, quoted(from.workDirectory()), quoted(packed)),
              Set.of(0, SOMETHING_CHANGED));
      run(to, tidying(to) + "true", Set.of(0));
      try (var content = new InTime(from.download(packed))) {
        to.upload(arrived, content);
      }
      run(
          to,
          "tar -C %s -xzf %s".formatted(quoted(to.workDirectory()), quoted(arrived)),
          Set.of(0));
      return (int) words.lines().filter(line -> line.contains(": Warning: Cannot ")).count();
    } catch (IOException e) {
      throw new Failure(SandboxFailure.UNREACHABLE, "carry files to " + to.id(), e);
    } finally {
      tidy(from, packed);
      tidy(to, arrived);
    }
  }

  /// What somebody left who did not come to the end.
  private static String tidying(Sandbox sandbox) {
    return "rm -f " + quoted(sandbox.homeDirectory() + NAME) + "*; ";
  }

  private String run(Sandbox sandbox, String command, Set<Integer> good) {
    var executed =
        sandbox.execute("{ " + command + "; } 2>&1", deadline.within(PACKED_WITHIN).left());
    if (!good.contains(executed.exitCode())) {
      throw new Failure(
          SandboxFailure.NOT_CARRIED,
          sandbox.id() + " ended with " + executed.exitCode() + " over the files");
    }
    return executed.output();
  }

  /// What is left behind takes room and does no harm.
  private static void tidy(Sandbox sandbox, String path) {
    try {
      sandbox.execute("rm -f " + quoted(path), TIDIED_WITHIN);
    } catch (Failure _) {
      return;
    }
  }

  /// What takes longer than there is time ends as if it were broken off.
  private final class InTime extends FilterInputStream {

    private InTime(InputStream content) {
      super(content);
    }

    @Override
    public int read() throws IOException {
      mustBeInTime();
      return super.read();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      mustBeInTime();
      return super.read(into, from, length);
    }

    private void mustBeInTime() throws IOException {
      if (deadline.isOver()) {
        throw new IOException("there is no more time");
      }
    }
  }
}
