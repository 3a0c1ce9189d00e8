package dev.gorkie.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever a file is called elsewhere, here it lies in the folder that it is put into, under a name of its own.
class FileNamesTest {

  private static final List<String> HOSTILE =
      List.of(
          "",
          ".",
          "..",
          "../../etc/passwd",
          "..\\..\\x",
          "/etc/passwd",
          "~",
          "-rf",
          ".bashrc",
          "a\u0000b",
          "a\nb",
          "a\u001b[31mb",
          "\u202egnp.exe",
          "\u2066x\u2069",
          "\ud800",
          "\ue000",
          "CON",
          "a:b",
          "x".repeat(300),
          "ä".repeat(300),
          "\ud83d\ude00".repeat(300),
          ".".repeat(300),
          "a".repeat(196) + ".txt");

  @Test
  void no_name_leads_elsewhere_hides_or_is_one_that_a_file_system_refuses(@TempDir Path folder)
      throws IOException {
    var names = new FileNames();
    var seen = new HashSet<String>();
    for (var round = 0; round < 3; round++) {
      for (var proposed : HOSTILE) {
        var name = names.distinct(proposed);

        var file = Files.writeString(folder.resolve(name), proposed.replaceAll("\\p{Cs}", ""));
        assertEquals(folder, file.normalize().getParent(), name);
        assertTrue(seen.add(name), name);
        assertTrue(!name.startsWith("."), name);
        assertTrue(name.getBytes(UTF_8).length <= 255, name);
        assertTrue(
            name.codePoints()
                .noneMatch(
                    c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT),
            name);
      }
    }
    try (var files = Files.list(folder)) {
      assertEquals(seen.size(), files.count());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "report.pdf, report.pdf",
    "r\u00e9sum\u00e9.txt, r\u00e9sum\u00e9.txt",
    "a/b.txt, a_b.txt",
    ".bashrc, file.bashrc",
    "'', file"
  })
  void a_name_stays_as_it_is_as_far_as_it_can(String proposed, String expected) {
    assertEquals(expected, new FileNames().distinct(proposed));
  }

  @Test
  void names_that_differ_in_case_alone_are_told_apart() {
    var names = new FileNames();

    assertEquals(
        List.of("a.txt", "A-2.txt", "a-2-2.txt", "a-3.txt"),
        Stream.of("a.txt", "A.txt", "a-2.txt", "a.txt").map(names::distinct).toList());
  }

  @ParameterizedTest
  @CsvSource({"x, 197", "\u00e4, 198", "\ud83d\ude00, 200"})
  void a_long_name_ends_at_a_whole_character_within_two_hundred_bytes(String character, int bytes) {
    var name = FileNames.safe(character.repeat(300));

    assertEquals(bytes, name.getBytes(UTF_8).length);
    assertEquals("", name.replace(character, ""));
  }
}
