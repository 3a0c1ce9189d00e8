package dev.gorkie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.gorkie.policy.Verdict;
import dev.gorkie.slack.AttachmentRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Whoever runs this finds each sentence that people may quote, with what is behind it.
class RunbookTest {

  private static final Path RUNBOOK = Path.of("docs", "runbook.md");
  private static final String NO_FAILURES = "Sentences that are no failure";
  private static final Pattern ALARM = Pattern.compile("AlarmDescription: .*See “([^”]+)”");
  private static final Pattern TARGET = Pattern.compile("`make ([a-z-]+)");

  @Test
  void each_sentence_that_people_may_quote_has_a_row_with_its_code_and_fault() throws Exception {
    var rows = rows("What people may quote");
    var missing = new ArrayList<String>();

    var codes = codes();
    for (var code : codes) {
      var sentence = firstOf(code.sentence());
      if (rows.stream()
          .noneMatch(
              row ->
                  row.contains("`" + code.name() + "`")
                      && row.contains(sentence)
                      && row.contains("| " + fault(code) + " |"))) {
        missing.add("| %s | `%s` | %s |".formatted(sentence, code.name(), fault(code)));
      }
    }

    assertEquals(List.of(), missing);
    assertEquals(codes.size(), rows.size(), "a row without its sentence");
  }

  @Test
  void whoever_is_turned_away_and_each_file_that_stays_out_has_a_row() throws IOException {
    var rows = rows(NO_FAILURES);
    var missing = new ArrayList<String>();

    for (var why : Verdict.Why.values()) {
      why.sentence("…")
          .map(RunbookTest::firstOf)
          .filter(said -> rows.stream().noneMatch(row -> isAbout(row, said, why.name())))
          .ifPresent(missing::add);
    }
    for (var reason : AttachmentRefused.Reason.values()) {
      var said = firstOf("It " + reason.phrase());
      if (rows.stream().noneMatch(row -> isAbout(row, said, "Attachment … stays out"))) {
        missing.add(said);
      }
    }

    assertEquals(List.of(), missing);
  }

  private static boolean isAbout(String row, String sentence, String inTheLog) {
    return row.startsWith("| " + sentence + " | `" + inTheLog + "` |");
  }

  @Test
  void each_sentence_that_is_no_failure_is_said_somewhere() throws IOException {
    var said = new StringBuilder();
    try (var sources = Files.walk(Path.of("src", "main", "java"))) {
      for (var source : sources.filter(path -> path.toString().endsWith(".java")).toList()) {
        said.append(Files.readString(source));
      }
    }
    // A long one is put together from several.
    var all = said.toString().replaceAll("\"\\s*\\+\\s*\"", "");
    var unknown = new ArrayList<String>();

    for (var row : rows(NO_FAILURES)) {
      var sentence = row.split(" \\| ", 2)[0].substring("| ".length());
      for (var part : sentence.replaceFirst("^It (is|may|did) ", "$1 ").split("…", -1)) {
        var words = part.strip().replaceFirst("[.]$", "");
        if (!all.contains(words)) {
          unknown.add(sentence);
        }
      }
    }

    assertEquals(List.of(), unknown);
  }

  @Test
  void each_alarm_that_is_deployed_has_a_row() throws IOException {
    var rows = rows("When an alarm rings");
    var missing = new ArrayList<String>();
    var named = ALARM.matcher(Files.readString(Path.of("deploy", "sam-template.yaml")));
    var count = 0;
    while (named.find()) {
      count++;
      if (rows.stream().noneMatch(row -> row.startsWith("| " + named.group(1) + " |"))) {
        missing.add(named.group(1));
      }
    }

    assertEquals(rows.size(), count);
    assertEquals(List.of(), missing);
  }

  @Test
  void each_command_it_names_is_there() throws IOException {
    var makefile = Files.readString(Path.of("Makefile"));
    var missing = new TreeSet<String>();
    var named = TARGET.matcher(Files.readString(RUNBOOK));
    var count = 0;
    while (named.find()) {
      count++;
      if (!makefile.contains("\n" + named.group(1) + ":")) {
        missing.add(named.group(1));
      }
    }

    assertTrue(count > 5);
    assertEquals(new TreeSet<>(), missing);
  }

  private static String fault(FailureCode code) {
    return code.fault().name().toLowerCase(java.util.Locale.ROOT);
  }

  /// Behind it comes advice, which differs by how far the work had come.
  private static String firstOf(String text) {
    return text.split("(?<=[.]) ", 2)[0];
  }

  private static List<FailureCode> codes() throws ClassNotFoundException {
    var codes = new ArrayList<FailureCode>();
    for (var type : new ClassFileImporter().importPath(Path.of("target", "classes"))) {
      if (type.isEnum() && type.isAssignableTo(FailureCode.class)) {
        for (var constant : Class.forName(type.getName()).getEnumConstants()) {
          codes.add((FailureCode) constant);
        }
      }
    }
    assertTrue(codes.size() > 30, codes.toString());
    return codes;
  }

  private static List<String> rows(String table) throws IOException {
    return Files.readString(RUNBOOK)
        .replaceAll("(?s).*## " + table + "\n", "")
        .replaceAll("(?s)\n## .*", "")
        .lines()
        .filter(line -> line.startsWith("| "))
        // Its heading.
        .skip(1)
        .toList();
  }
}
