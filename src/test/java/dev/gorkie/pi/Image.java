package dev.gorkie.pi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The sandboxes' image as it is installed on this machine, and the programs in it.
final class Image {

  private Image() {}

  static Path folder() {
    var folder = System.getenv("GORKIE");
    if (folder == null) {
      throw new AssertionError("GORKIE is not set; “make test” sees to it");
    }
    return Path.of(folder);
  }

  /// What a script says, run by the image's own Node.
  static byte[] run(Path script, String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(folder().resolve("bin").resolve("node").toString());
    command.add(script.toString());
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    var said = process.getInputStream().readAllBytes();
    if (process.waitFor() != 0) {
      throw new AssertionError(script + " ended with " + process.exitValue());
    }
    return said;
  }
}
