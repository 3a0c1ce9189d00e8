package dev.gorkie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables of what a turn survives, and of what Daytona does to it, name tests for each line.
class SurvivalTableTest {

  private static final Path DOC = Path.of("docs", "machine.md");
  private static final Path TESTS = Path.of("src", "test");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern TITLED = Pattern.compile("`(\\w+\\.test\\.mjs): ([^`]+)`");

  @ParameterizedTest
  @ValueSource(strings = {"What a turn survives", "What the local Daytona does as Daytona does"})
  void each_line_is_tried_by_a_test_that_is_there(String table) throws IOException {
    var lines = lines(table);
    var missing = new ArrayList<String>();

    for (var line : lines) {
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

    assertTrue(lines.size() > 12, lines.toString());
    assertEquals(List.of(), missing);
  }

  private static List<String> lines(String table) throws IOException {
    return Files.readString(DOC)
        .replaceAll("(?s).*## " + table + "\\n", "")
        .replaceAll("(?s)\\n## .*", "")
        .lines()
        .filter(line -> line.startsWith("| "))
        // Its heading.
        .skip(1)
        .toList();
  }

  private static String source(String file) throws IOException {
    try (var all = Files.walk(TESTS)) {
      var found = all.filter(path -> path.endsWith(file)).findFirst();
      return found.isPresent() ? Files.readString(found.get()) : "";
    }
  }
}
