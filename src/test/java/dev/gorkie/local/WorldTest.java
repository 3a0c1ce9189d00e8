package dev.gorkie.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorldTest {

  private static final int CONNECT_MILLIS_MAX = 1_000;

  @TempDir private static Path directory;
  @TempDir private static Path image;

  private static World world;

  @TempDir private Path own;

  @BeforeAll
  static void start() throws Exception {
    world = World.start(Options.inside(directory, image));
  }

  @AfterAll
  static void close() {
    world.close();
  }

  @Test
  void database_and_keys_outlive_a_world() throws Exception {
    String key;
    try (var first = World.start(Options.inside(own, image));
        var connection = connect(first)) {
      key = first.environment().get("SLACK_BOT_TOKEN");
      connection.createStatement().execute("create table kept (word text)");
      connection.createStatement().execute("insert into kept values ('still here')");
    }

    try (var second = World.start(Options.inside(own, image));
        var connection = connect(second)) {
      var rows = connection.createStatement().executeQuery("select word from kept");

      assertTrue(rows.next());
      assertEquals("still here", rows.getString(1));
      assertEquals(key, second.environment().get("SLACK_BOT_TOKEN"));
    }
  }

  @Test
  void a_database_that_other_migrations_made_is_emptied() throws Exception {
    var migrations = new Migrations(own);
    var flyway = flyway(world, own);
    Files.writeString(own.resolve("V1__one.sql"), "create table one (\n  word text -- “é”\n);\n");
    Files.writeString(own.resolve("V4__four.sql"), "create table four (word text);");

    flyway.migrate();
    Files.writeString(own.resolve("V5__five.sql"), "create table five (word text);");
    assertEquals(Optional.empty(), world.database().emptiedFor(migrations));

    Files.writeString(own.resolve("V4__four.sql"), "create table four (words text);");
    assertEquals(Optional.of("V4__four.sql"), world.database().emptiedFor(migrations));

    flyway.migrate();
    Files.writeString(own.resolve("V2__two.sql"), "create table two (word text);");
    assertEquals(Optional.of("V2__two.sql"), world.database().emptiedFor(migrations));

    flyway.migrate();
    Files.delete(own.resolve("V1__one.sql"));
    assertEquals(Optional.of("V1__one.sql"), world.database().emptiedFor(migrations));
    assertEquals(3, flyway.migrate().migrationsExecuted);
  }

  @Test
  void everything_answers_where_the_environment_says() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var variables = world.environment();
      var slack = URI.create(variables.get("SLACK_API_URL")).resolve("auth.test");
      var daytona = URI.create(variables.get("DAYTONA_API_URL") + "/sandbox");
      var model = URI.create(variables.get("MODEL_BASE_URL") + "/models");

      assertTrue(get(http, slack, variables, "SLACK_BOT_TOKEN").contains("\"ok\":true"));
      assertTrue(get(http, daytona, variables, "DAYTONA_API_KEY").startsWith("{"));
      assertTrue(get(http, model, variables, "MODEL_API_KEY").contains("local/demonstration"));
    }
  }

  @Test
  void a_real_model_is_passed_through() {
    var given =
        Map.of(
            "GORKIE", image.toString(),
            "MODEL_BASE_URL", "https://models.example/v1",
            "MODEL_ID", "some/model",
            "MODEL_API_KEY", "a key");

    assertEquals("some/model", Options.from(given, directory).model().get("MODEL_ID"));
    assertEquals(Map.of(), Options.from(Map.of("GORKIE", "/"), directory).model());
    var alone = Map.of("GORKIE", "/", "MODEL_ID", "alone", "MODEL_API_KEY", "");
    assertThrows(IllegalArgumentException.class, () -> Options.from(alone, directory));
  }

  @Test
  void a_real_workspace_is_passed_through_where_it_can_be_heard() {
    var given = Map.of("GORKIE", "/", "SLACK_APP_TOKEN", "xapp-1", "SLACK_BOT_TOKEN", "xoxb-1");
    var deaf = Map.of("GORKIE", "/", "SLACK_BOT_TOKEN", "xoxb-1");
    var dumb = Map.of("GORKIE", "/", "SLACK_APP_TOKEN", "xapp-1");

    assertEquals(
        Map.of(
            "SLACK_APP_TOKEN", "xapp-1",
            "SLACK_BOT_TOKEN", "xoxb-1",
            "SLACK_API_URL", "https://slack.com/api/"),
        Options.from(given, directory).slack());
    assertEquals(Map.of(), Options.from(deaf, directory).slack());
    assertThrows(IllegalArgumentException.class, () -> Options.from(dumb, directory));
  }

  @Test
  void the_environment_is_a_file_for_the_shell_and_for_nobody_else() throws Exception {
    var file = own.resolve("world.env");
    var variables = Map.of("PLAIN", "postgresql://a:b@127.0.0.1:1/c", "ODD", "it's $5 & more");

    Environment.write(variables, file);

    var sourced =
        new ProcessBuilder("sh", "-c", "set -a; . \"$0\"; printenv PLAIN ODD", file.toString())
            .start();
    var printed = new String(sourced.getInputStream().readAllBytes(), UTF_8);
    assertEquals("postgresql://a:b@127.0.0.1:1/c\nit's $5 & more\n", printed);
    assertEquals(variables, Environment.read(file));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void a_taken_port_is_said_and_nothing_stays_behind() throws Exception {
    var taken = world.slack().url().getPort();
    var second = Options.inside(own, image);
    var onTaken =
        new Options(
            own,
            image,
            taken - 1,
            second.events(),
            second.hurry(),
            false,
            second.model(),
            Map.of());

    var refusal = assertThrows(Exception.class, () -> World.start(onTaken));

    assertTrue(refusal.toString().contains("in use"), refusal.toString());
    assertFalse(Files.exists(own.resolve("postgres").resolve("postmaster.pid")));
  }

  @Test
  void a_second_world_in_the_same_directory_is_refused_and_the_first_goes_on() throws Exception {
    var refusal =
        assertThrows(
            IllegalStateException.class, () -> World.start(Options.inside(directory, image)));

    assertTrue(refusal.toString().contains("A world runs in " + directory), refusal.toString());
    try (var connection = connect(world)) {
      assertTrue(connection.isValid(1));
    }
  }

  @Test
  void nothing_listens_on_more_than_the_loopback_address() throws Exception {
    var urls =
        List.of(world.slack().url(), world.daytona().url(), world.model().url(), world.aws().url());

    for (var url : urls) {
      // Another of the machine's own addresses: whoever listens on all of them answers here too.
      var elsewhere = new InetSocketAddress("127.0.0.2", url.getPort());
      assertThrows(IOException.class, () -> connect(elsewhere), url.toString());
    }
  }

  @Test
  void a_port_that_is_none_is_said() {
    for (var port : List.of("abc", "0", "-1", "65532", "99999999999")) {
      var given = Map.of("GORKIE", "/", "WORLD_PORT", port);

      var refusal =
          assertThrows(IllegalArgumentException.class, () -> Options.from(given, directory));

      assertEquals(
          "PORT is to be a number from 1 to 65531, not " + port + ".", refusal.getMessage());
    }
  }

  @Test
  void what_is_said_at_the_desk_is_seen_there() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var line = new Line(world.slack().url(), http);
      var note = Files.writeString(own.resolve("note.txt"), "seven b");

      desk(line, Map.of("GORKIE_TEXT", "$ ls"), "say");
      desk(
          line,
          Map.of(
              "GORKIE_TEXT",
              "and this",
              "GORKIE_THREAD",
              "last",
              "GORKIE_USER",
              "grace",
              "GORKIE_FILE",
              note.toString()),
          "say");
      var page = desk(line, Map.of(), "thread");

      assertTrue(page.startsWith("#general"), page);
      assertTrue(page.contains("@gorkie $ ls"), page);
      assertTrue(page.contains("grace") && page.contains("and this"), page);
      assertTrue(page.contains("[file] note.txt") && page.contains("7 bytes"), page);
      assertEquals(
          List.of(page.lines().findFirst().orElseThrow()),
          page.lines().filter(text -> text.startsWith("#")).toList());
    }
  }

  @Test
  void who_wants_to_say_something_is_told_when_nobody_hears_it() throws Exception {
    var printed = new ByteArrayOutputStream();
    try (var http = HttpClient.newHttpClient()) {
      var application = new Line(world.slack().url(), http).application();
      var knock = new Knock(http, new PrintStream(printed, true, UTF_8), Duration.ZERO);

      knock.at(world.slack().url());
      assertEquals("", printed.toString(UTF_8));

      knock.at(application);
      assertEquals(
          List.of(
              "Waiting for Gorkie to listen at http://127.0.0.1:9/",
              "Nobody does. Slack will try again for some minutes."),
          printed.toString(UTF_8).lines().toList());
    }
  }

  private String desk(Line line, Map<String, String> given, String command) throws Exception {
    var printed = new ByteArrayOutputStream();
    var out = new PrintStream(printed, true, UTF_8);
    var knock = new Knock(line.http(), out, Duration.ZERO);
    new Desk(given, line, knock, own.resolve("last-thread"), out).run(command);
    return printed.toString(UTF_8);
  }

  private static void connect(InetSocketAddress address) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS_MAX);
    }
  }

  private static Flyway flyway(World world, Path scripts) {
    return Flyway.configure()
        .dataSource(
            "jdbc:postgresql://127.0.0.1:" + world.database().port() + "/postgres",
            "postgres",
            "any")
        .locations("filesystem:" + scripts)
        .load();
  }

  private static Connection connect(World world) throws Exception {
    var url = URI.create(world.environment().get("DATABASE_URL"));
    var user = url.getUserInfo().split(":");
    return DriverManager.getConnection(
        "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
        user[0],
        user[1]);
  }

  private static String get(HttpClient http, URI url, Map<String, String> variables, String key)
      throws Exception {
    var request =
        HttpRequest.newBuilder(url).header("authorization", "Bearer " + variables.get(key)).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }
}
