package dev.gorkie;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A table of the docs of which each line names the tests that try what it says.
///
/// @param file in docs/
/// @param heading of the section that it stands in
record DocTable(String file, String heading) {

  private static final Path TESTS = Path.of("src", "test");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern TITLED = Pattern.compile("`(\\w+\\.test\\.mjs): ([^`]+)`");

  private static final Pattern PARENT = Pattern.compile("class \\w+ extends (\\w+)");

  List<String> lines() throws IOException {
    return Files.readString(Path.of("docs", file))
        .replaceAll("(?s).*## " + heading + "\\n", "")
        .replaceAll("(?s)\\n## .*", "")
        .lines()
        .filter(line -> line.startsWith("| "))
        // Its heading.
        .skip(1)
        .toList();
  }

  /// Tests that are named and not there, and lines that name none.
  List<String> missing() throws IOException {
    var missing = new ArrayList<String>();
    for (var line : lines()) {
      var tests = 0;
      var named = NAMED.matcher(line);
      while (named.find()) {
        tests++;
        if (!source(named.group(1) + ".java").contains("void " + named.group(2) + "(")) {
          missing.add(named.group());
        }
      }
      var titled = TITLED.matcher(line);
      while (titled.find()) {
        tests++;
        if (!source(titled.group(1)).contains("test('" + titled.group(2) + "'")) {
          missing.add(titled.group());
        }
      }
      if (tests == 0) {
        missing.add(line);
      }
    }
    return missing;
  }

  private static String source(String file) throws IOException {
    try (var all = Files.walk(TESTS)) {
      var found = all.filter(path -> path.endsWith(file)).findFirst();
      return found.isPresent() ? withInherited(Files.readString(found.get())) : "";
    }
  }

  /// A test may be written down in a contract that several keep.
  private static String withInherited(String source) throws IOException {
    var parent = PARENT.matcher(source);
    return parent.find() ? source + source(parent.group(1) + ".java") : source;
  }
}
