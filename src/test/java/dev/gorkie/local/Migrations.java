package dev.gorkie.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// The application's migrations as they lie in the checkout, beside what Flyway wrote down of those that a database has.
record Migrations(Path folder) {

  private static final String HISTORY = "flyway_schema_history";
  private static final String APPLIED =
      "select script, checksum from flyway_schema_history where type = 'SQL'";
  private static final Pattern SCRIPT = Pattern.compile("V([0-9]+)__.*[.]sql");

  /// The first script that Flyway would refuse this database for: changed or gone since it was run, or come in before
  /// one that was run.
  Optional<String> refused(Connection database) throws SQLException, IOException {
    var applied = applied(database);
    var here = here();
    var last = applied.keySet().stream().mapToInt(Migrations::version).max().orElse(0);
    var all = new TreeMap<>(here);
    all.putAll(applied);
    return all.keySet().stream()
        .filter(script -> version(script) <= last)
        .filter(script -> !Objects.equals(here.get(script), applied.get(script)))
        .findFirst();
  }

  private static Map<String, Integer> applied(Connection database) throws SQLException {
    var applied = new HashMap<String, Integer>();
    try (var tables = database.getMetaData().getTables(null, "public", HISTORY, null);
        var statement = database.createStatement()) {
      if (tables.next()) {
        var rows = statement.executeQuery(APPLIED);
        while (rows.next()) {
          // With the folder before it, when Flyway found it on a class path.
          applied.put(name(Path.of(rows.getString("script"))), rows.getInt("checksum"));
        }
      }
    }
    return applied;
  }

  private Map<String, Integer> here() throws IOException {
    var here = new HashMap<String, Integer>();
    try (var scripts = Files.newDirectoryStream(folder, "V*.sql")) {
      for (var script : scripts) {
        here.put(name(script), checksum(script));
      }
    }
    return here;
  }

  private static String name(Path script) {
    return Objects.toString(script.getFileName());
  }

  private static int version(String script) {
    var matcher = SCRIPT.matcher(script);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  // As Flyway reckons it: the lines without their ends.
  private static int checksum(Path script) throws IOException {
    var checksum = new CRC32();
    Files.readAllLines(script).forEach(line -> checksum.update(line.getBytes(UTF_8)));
    return (int) checksum.getValue();
  }
}
