package dev.gorkie.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What an application has to know to live in this world, as a file a shell can read.
final class Environment {

  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_./:@%+=,-]*");

  private Environment() {}

  /// All at once, so that who waits for the file never reads half of it; nobody else may read the keys in it.
  static void write(Map<String, String> variables, Path file) throws IOException {
    var text =
        new TreeMap<>(variables)
            .entrySet().stream()
                .map(variable -> variable.getKey() + "=" + quoted(variable.getValue()) + "\n")
                .collect(Collectors.joining());
    Files.createDirectories(file.toAbsolutePath().getParent());
    var aside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "world",
            ".env",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(aside, text);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// The same file read back.
  static Map<String, String> read(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.split("=", 2))
          .collect(Collectors.toMap(parts -> parts[0], parts -> plain(parts[1])));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  private static String quoted(String value) {
    return HARMLESS.matcher(value).matches() ? value : "'" + value.replace("'", "'\\''") + "'";
  }

  private static String plain(String quoted) {
    return quoted.startsWith("'")
        ? quoted.substring(1, quoted.length() - 1).replace("'\\''", "'")
        : quoted;
  }
}
