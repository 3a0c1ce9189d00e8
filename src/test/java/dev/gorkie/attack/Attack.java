package dev.gorkie.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// One row of the table: an attack, how often it was tried in this run, and how often it came through.
///
/// A build tries a sample of each; “make attack” tries all of it and prints the table.
public final class Attack {

  private static final Path ROWS = Path.of("target", "attack");
  private static final Set<String> IDS =
      Set.of(
          "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12", "S13", "S14",
          "S15");
  private static final boolean IS_WHOLE = Boolean.getBoolean("attack.whole");

  private final String id;
  private final String what;

  private Attack(String id, String what) {
    this.id = id;
    this.what = what;
  }

  public static Attack of(String id, String what) {
    return new Attack(id, what);
  }

  /// How often it is to be tried in this run.
  public static int cases(int sample, int whole) {
    return IS_WHOLE ? whole : sample;
  }

  public static boolean isWhole() {
    return IS_WHOLE;
  }

  /// The one that a build always tries, or another one each time; printed with whatever fails.
  public static long seed() {
    return Long.getLong("seed", 1);
  }

  /// Writes the row down and fails when anything came through.
  public void withstood(long cases, Iterable<?> through) {
    withstood(cases, through, "");
  }

  /// @param note what was measured beside it
  public void withstood(long cases, Iterable<?> through, String note) {
    var failures = 0L;
    var shown = new StringBuilder();
    for (var one : through) {
      if (++failures <= 10) {
        shown.append("\n  ").append(one);
      }
    }
    write("%s\t%s\t%d\t%d\t%s\n".formatted(id, what, cases, failures, note));
    if (failures > 0) {
      throw new AssertionError(
          "%s, seed %d: %d of %d came through:%s".formatted(id, seed(), failures, cases, shown));
    }
  }

  private void write(String row) {
    try {
      Files.createDirectories(ROWS);
      var name = (id + "-" + what).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
      Files.writeString(ROWS.resolve(name + ".row"), row, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("The row of the table could not be written", e);
    }
  }

  /// Prints the table of the rows that were written, and fails when one of the attacks has none.
  public static void main(String... arguments) throws IOException {
    var missing = new TreeSet<>(IDS);
    System.out.println("| attack | what is tried | cases | came through | |");
    System.out.println("|---|---|---:|---:|---|");
    try (var rows = Files.list(ROWS)) {
      rows.filter(file -> file.toString().endsWith(".row"))
          .map(Attack::read)
          .sorted((one, other) -> Integer.compare(number(one), number(other)))
          .forEach(
              row -> {
                System.out.println("| " + row.strip().replace("\t", " | ") + " |");
                Stream.of(row.split("\t", 2)[0].split("/")).forEach(missing::remove);
              });
    }
    if (!missing.isEmpty()) {
      System.err.println(
          "Of these nobody has said what came of them: " + String.join(", ", missing));
      System.exit(1);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int number(String row) {
    return Arrays.stream(row.split("\t", 2)[0].split("\\D+"))
        .filter(part -> !part.isEmpty())
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(0);
  }
}
