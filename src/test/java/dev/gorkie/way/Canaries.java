package dev.gorkie.way;

import dev.gorkie.LiveFiles;
import dev.gorkie.local.World;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.slack.ApiCall;
import dev.gorkie.local.slack.LocalSlack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/// Every secret that a Gorkie of these tests was started with, and all the places where none of them may be found when the tests
/// are over: tables, the sandboxes' files and processes, what went to Slack, to Daytona and to the model. The logs are looked
/// through by whoever started the tests, when nobody writes to them any more.
final class Canaries {

  /// What is found, and for what is to be looked in the logs.
  private static final Path FOUND = Path.of("target", "leaks");

  // Whatever is called like one, so that a setting which is added is looked for, too.
  private static final Pattern SECRETS = Pattern.compile(".*_(SECRET|TOKEN|KEY|PASSWORD)");
  private static final Set<String> NAMES_OF_SECRETS = Set.of("DAYTONA_SECRET");
  // Where Daytona holds no secret for it, Pi's own process has it.
  private static final String OF_PI = "MODEL_API_KEY";
  private static final String PASSWORD = "the database's password";
  private static final String TOKEN = "a token";
  private static final Pattern IN_URL = Pattern.compile("://[^:@/]+:([^@/]+)@");
  // As Slack gives them out, and so does the local one; and ours for programs.
  private static final Pattern TOKENS =
      Pattern.compile(
          "xox[abepr](?:\\.xox[bp])?-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{16,}"
              + "|gorkie_[a-z2-7]{12}_[A-Za-z0-9_-]{43}");
  // Less is found by chance.
  private static final int LENGTH_MIN = 8;
  private static final long FILE_BYTES_MAX = 64L * 1024 * 1024;

  private static final AtomicInteger LOOKS = new AtomicInteger();

  private final World world;
  private final Map<String, String> secrets = new LinkedHashMap<>();

  Canaries(World world) {
    this.world = world;
    secrets.put("SLACK_CLIENT_SECRET", Objects.requireNonNull(LocalSlack.client().get("secret")));
    plant(world.environment());
  }

  /// Somebody starts a Gorkie with these.
  synchronized void plant(Map<String, String> environment) {
    environment.forEach(
        (name, value) -> {
          if (isSecret(name) && value.length() >= LENGTH_MIN) {
            secrets.put(
                name + (secrets.getOrDefault(name, value).equals(value) ? "" : " of another"),
                value);
          }
        });
    var password = IN_URL.matcher(environment.getOrDefault("DATABASE_URL", ""));
    if (password.find()) {
      secrets.put(PASSWORD, password.group(1));
    }
  }

  static boolean isSecret(String setting) {
    return SECRETS.matcher(setting).matches() && !NAMES_OF_SECRETS.contains(setting);
  }

  /// Looks everywhere, and leaves what it found for whoever runs the tests.
  synchronized void look() {
    try {
      Files.createDirectories(FOUND);
      var name = ProcessHandle.current().pid() + "-" + LOOKS.incrementAndGet();
      Set<String> found;
      try {
        found = found(secrets);
      } catch (IOException | SQLException | RuntimeException e) {
        found = Set.of("Not everything could be looked through: " + e);
      }
      Files.writeString(FOUND.resolve(name + ".found"), lines(found), StandardCharsets.UTF_8);
      Files.writeString(
          FOUND.resolve(name + ".canaries"), lines(secrets.values()), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Where any of these is, or what looks like a token.
  ///
  /// @param wanted by their names
  Set<String> found(Map<String, String> wanted) throws IOException, SQLException {
    var look = new Look(wanted);
    look.tables();
    look.machines();
    look.wires();
    return look.found;
  }

  /// A code, or a token, is changed into the next one by who has the client's secret.
  private static Map<String, String> withoutWhatItIsFor(ApiCall call) {
    var form = new LinkedHashMap<>(call.form());
    if (call.method().equals("oauth.v2.access")) {
      form.remove("client_secret");
    }
    return form;
  }

  private static String lines(Iterable<String> all) {
    return String.join("\n", all) + "\n";
  }

  private static List<String> names(Connection connection) throws SQLException {
    var tables = new ArrayList<String>();
    rows(
        connection,
        "(select table_name from information_schema.tables where table_schema = 'public') t",
        row -> tables.add(row.replaceAll("[()\"]", "")));
    return tables;
  }

  private interface Heard {
    void row(String row);
  }

  private static void rows(Connection connection, String from, Heard heard) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select r::text from (select * from " + from + ") r")) {
      while (rows.next()) {
        heard.row(rows.getString(1));
      }
    }
  }

  /// Nothing when it is gone meanwhile.
  private static void read(Path file, BiConsumer<String, String> to) {
    try {
      if (!file.startsWith("/proc") && Files.size(file) > FILE_BYTES_MAX) {
        return;
      }
      to.accept(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      return;
    }
  }

  private final class Look {

    private final Map<String, String> secrets;
    private final Set<String> found = new TreeSet<>();

    Look(Map<String, String> secrets) {
      this.secrets = secrets;
    }

    private void in(String place, String content) {
      in(place, content, secrets);
    }

    private void in(String place, String content, Map<String, String> wanted) {
      wanted.forEach(
          (name, secret) -> {
            if (content.contains(secret)) {
              found.add(name + " in " + place);
            }
          });
      if (TOKENS.matcher(content).find()) {
        found.add(TOKEN + " in " + place);
      }
    }

    /// Bytes are shown as hexadecimal digits there, and so a secret in them is looked for as these.
    private void tables() throws SQLException {
      var wanted = new LinkedHashMap<>(secrets);
      secrets.forEach(
          (name, secret) ->
              wanted.put(
                  name + " (in bytes)",
                  HexFormat.of().formatHex(secret.getBytes(StandardCharsets.UTF_8))));
      var url = Objects.requireNonNull(world.environment().get("DATABASE_URL"));
      try (var connection =
          DriverManager.getConnection(
              "jdbc:" + url.replaceFirst("://[^@]*@", "://"), "postgres", "")) {
        for (var table : names(connection)) {
          rows(connection, table, row -> in("table " + table, row, wanted));
        }
      }
    }

    private void machines() throws IOException {
      for (var machine : world.daytona().sandboxes()) {
        var name = "sandbox " + machine.id();
        for (var file : LiveFiles.below(machine.home())) {
          read(file, (place, content) -> in(name + ": " + place, content));
        }
        processes(machine);
      }
    }

    private void processes(LocalDaytona.View machine) {
      for (var process : machine.processes()) {
        var folder = Path.of("/proc", Long.toString(process.pid()));
        var wanted = new LinkedHashMap<>(secrets);
        read(folder.resolve("cmdline"), (_, content) -> in("a process's arguments", content));
        read(
            folder.resolve("comm"),
            (_, content) -> {
              if (content.strip().equals("pi")) {
                wanted.keySet().removeIf(key -> key.startsWith(OF_PI));
              }
            });
        read(
            folder.resolve("environ"),
            (_, content) -> in("the environment of a process", content, wanted));
      }
    }

    private void wires() {
      world.slack().calls().stream()
          .map(Canaries::withoutWhatItIsFor)
          .forEach(form -> in("what went to Slack", form.toString()));
      world.daytona().requests().forEach(request -> in("what went to Daytona", request));
      world.model().asked().forEach(asked -> in("what went to the model", asked.body().encode()));
    }
  }
}
