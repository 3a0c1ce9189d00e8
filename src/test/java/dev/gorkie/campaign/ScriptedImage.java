package dev.gorkie.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Set;

/// The sandboxes' image with another Pi in it, whose every run follows from a seed.
final class ScriptedImage {

  private static final Path PI = Path.of("src", "test", "sandbox", "campaign", "pi.mjs");
  private static final String PACKAGE =
      """
      {"version":"0.0.1","type":"module","bin":{"pi":"pi.mjs"}}
      """;
  private static final Set<String> NOT_COPIED = Set.of("node_modules", "bin");

  private ScriptedImage() {}

  static Path make(Path image, Path folder) throws IOException {
    try (var all = Files.walk(image)) {
      for (var file : all.toList()) {
        var inside = image.relativize(file);
        if (!NOT_COPIED.contains(Objects.toString(inside.getName(0)))
            && Files.isRegularFile(file)) {
          copy(file, folder.resolve(inside));
        }
      }
    }
    copy(image.resolve("bin").resolve("keeper"), folder.resolve("bin").resolve("keeper"));
    var node = image.resolve("bin").resolve("node").toRealPath();
    Files.createSymbolicLink(folder.resolve("bin").resolve("node"), node);
    var pi = folder.resolve("node_modules").resolve("@earendil-works").resolve("pi-coding-agent");
    Files.createDirectories(pi);
    Files.writeString(pi.resolve("package.json"), PACKAGE);
    copy(PI, pi.resolve("pi.mjs"));
    return folder;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(Objects.requireNonNull(to.getParent()));
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }
}
