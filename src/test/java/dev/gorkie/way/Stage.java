package dev.gorkie.way;

import dev.gorkie.local.Options;
import dev.gorkie.local.World;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.model.LocalModel;
import dev.gorkie.local.model.Reply;
import dev.gorkie.local.model.Rule;
import dev.gorkie.local.slack.LocalSlack;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.local.slack.Utterance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;

/// The world with one Gorkie in it, for all the tests of a run; and what a person does who tries it.
final class Stage {

  /// Longer than anything here takes on a busy machine; a test that needs it has failed.
  static final Duration PATIENCE = Duration.ofSeconds(120);

  /// A program that Gorkie answers, and no more than twice in a row.
  static final String PROGRAM = "pager";

  // Begun once: when the stage can't be set, no test waits for it a second time.
  private static final FutureTask<Stage> STAGE = new FutureTask<>(Stage::set);

  private final World world;
  private final Gorkie gorkie;
  private final Canaries canaries;

  private Stage(World world, Gorkie gorkie, Canaries canaries) {
    this.world = world;
    this.gorkie = gorkie;
    this.canaries = canaries;
  }

  /// Opened by the first test, closed behind the last one.
  static Stage open() {
    STAGE.run();
    try {
      return STAGE.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("The stage could not be set", e);
    }
  }

  /// Nothing where no test has opened it. The look comes before anything ends: a table or a process that is gone tells nothing.
  static void close() {
    if (STAGE.state() == Future.State.SUCCESS) {
      var stage = STAGE.resultNow();
      stage.canaries.look();
      stage.world.close();
    }
  }

  private static Stage set() throws IOException, InterruptedException {
    var world = World.start(options());
    var canaries = new Canaries(world);
    // For whoever breaks the tests off; then nobody looks.
    Runtime.getRuntime().addShutdownHook(new Thread(world::close));
    world.slack().addBot(PROGRAM);
    migrate(world.environment());
    var gorkie = Gorkie.start(environment(world));
    world.slack().deliverTo(gorkie.events());
    return new Stage(world, gorkie, canaries);
  }

  /// Where any of these is that may be nowhere, by their names.
  Set<String> found(Map<String, String> wanted) throws IOException, SQLException {
    return canaries.found(wanted);
  }

  /// What the world gives, and an operator who wants more than that.
  private static Map<String, String> environment(World world) {
    var environment = new HashMap<>(world.environment());
    environment.put("MODEL_SEES", world.model().id());
    environment.put("GORKIE_PEOPLE_GUESTS", "true");
    environment.put("GORKIE_PROGRAMS_ANSWERED", world.slack().person(PROGRAM).id());
    environment.put("GORKIE_PROGRAMS_IN_A_ROW", "2");
    // Here few people do what many do elsewhere.
    environment.put("GORKIE_PEOPLE_AT_ONCE", "100");
    return environment;
  }

  /// Another Gorkie in front of the same world, with these settings changed, until it is closed.
  AutoCloseable with(Map<String, String> settings) throws IOException {
    var other = another(settings);
    return () -> {
      asBefore();
      other.close();
    };
  }

  /// Another Gorkie, to which people write from now on.
  Gorkie another(Map<String, String> settings) throws IOException {
    var environment = environment(world);
    environment.putAll(settings);
    canaries.plant(environment);
    var other = Gorkie.start(environment);
    slack().deliverTo(other.events());
    return other;
  }

  /// People write to the first one again.
  void asBefore() {
    slack().deliverTo(gorkie.events());
  }

  /// As an operator does it: the packaged program brings the tables up to date and is gone.
  static void migrate(Map<String, String> environment) throws IOException, InterruptedException {
    var once = new HashMap<>(environment);
    once.put("GORKIE_MIGRATE", "true");
    try (var migration = Gorkie.start(once)) {
      if (migration.end() != 0) {
        throw new AssertionError(migration.output());
      }
    }
  }

  /// The same, for what it does and is gone; told is what it has printed.
  String forgets(String what, int exit) throws IOException, InterruptedException {
    return does(Map.of("GORKIE_FORGETS", what, "SURE", exit == 0 ? what : ""), exit);
  }

  /// What it prints is for whoever wished for it, such as a token, and stays in no file.
  String does(Map<String, String> wanted, int exit) throws IOException, InterruptedException {
    var once = new HashMap<>(environment(world));
    once.putAll(wanted);
    try (var doing = Gorkie.start(once)) {
      if (doing.end() != exit) {
        throw new AssertionError(doing.output());
      }
      Files.delete(doing.log());
      return doing.output();
    }
  }

  /// Where the first one is.
  URI url() {
    return gorkie.url();
  }

  /// A database of its own beside the world's, with nothing in its tables: what waits there nobody else comes for.
  String migratedDatabase(String name) throws Exception {
    var url = URI.create(setting("DATABASE_URL"));
    try (var connection = connect(url);
        var statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    var fresh = url.resolve("/" + name).toString();
    var environment = new HashMap<>(world.environment());
    environment.put("DATABASE_URL", fresh);
    migrate(environment);
    return fresh;
  }

  /// As a setting names it.
  static Connection connect(URI database) throws SQLException {
    var person = database.getUserInfo().split(":", -1);
    var address = "jdbc:postgresql://%s:%d%s";
    return DriverManager.getConnection(
        address.formatted(database.getHost(), database.getPort(), database.getPath()),
        person[0],
        person[1]);
  }

  static Options options() throws IOException {
    var image = System.getenv("GORKIE");
    if (image == null) {
      throw new AssertionError("GORKIE is not set; “make test” sees to it");
    }
    return Options.inside(Files.createTempDirectory("gorkie-stage"), Path.of(image));
  }

  /// One of the settings that Gorkie was started with.
  String setting(String name) {
    return Objects.requireNonNull(world.environment().get(name));
  }

  World world() {
    return world;
  }

  Gorkie gorkie() {
    return gorkie;
  }

  LocalSlack slack() {
    return world.slack();
  }

  LocalDaytona daytona() {
    return world.daytona();
  }

  LocalModel model() {
    return world.model();
  }

  /// The answers in a thread: what Gorkie said in it that is no progress card.
  static List<MessageView> answers(ThreadView thread) {
    return thread.byApp().stream()
        .filter(message -> message.tasks().isEmpty() && message.files().isEmpty())
        .toList();
  }

  static List<MessageView> cards(ThreadView thread) {
    return thread.byApp().stream().filter(message -> !message.tasks().isEmpty()).toList();
  }

  /// The thread when Gorkie has answered so often and is done.
  ThreadView answered(String channel, String root, int times) throws InterruptedException {
    var thread = slack().awaitThread(channel, root, it -> isAnswered(it, times), PATIENCE);
    // Whatever a test is about, nothing that was said pings, previews or loads something from
    // elsewhere.
    if (!slack().violations().isEmpty()) {
      throw new AssertionError(slack().violations());
    }
    return thread;
  }

  private static boolean isAnswered(ThreadView thread, int times) {
    return answers(thread).size() >= times
        && thread.status().isEmpty()
        && !thread.session().equals(Optional.of("processing"));
  }

  /// Says it in a channel, mentioning Gorkie, and waits for the answer.
  ThreadView ask(String channel, String text) throws InterruptedException {
    return answered(channel, slack().say(channel, "ada", "@gorkie " + text), 1);
  }

  ThreadView ask(Utterance utterance) throws InterruptedException {
    return answered(utterance.channel(), slack().say(utterance), 1);
  }

  /// Goes on in a thread.
  ThreadView goOn(ThreadView thread, String text) throws InterruptedException {
    slack().reply(thread.channel(), thread.rootTs(), "ada", text);
    return answered(thread.channel(), thread.rootTs(), answers(thread).size() + 1);
  }

  /// A thread whose turn waits for its model, in the last of these replies that hangs.
  ThreadView underWay(String word, Reply... replies) throws InterruptedException {
    model().script(Rule.whenContaining(word, replies));
    var root = slack().say("general", "ada", "@gorkie " + word);
    model().awaitHanging(asked -> asked.body().encode().contains(word), PATIENCE);
    return slack().thread("general", root);
  }

  /// Whether the author of a message can see that the turn under way has taken it up.
  static boolean isNoticed(ThreadView thread, String ts) {
    return thread
        .message(ts)
        .filter(message -> message.reactions().containsKey("white_check_mark"))
        .isPresent();
  }

  /// The machine that a thread of a channel owns.
  LocalDaytona.View sandboxOf(ThreadView thread) {
    var channel = slack().channel(thread.channel()).id();
    var name = "gorkie-" + slack().teamId() + "-" + channel + "-" + thread.rootTs();
    return daytona().sandbox(name).orElseThrow(() -> new AssertionError("No sandbox " + name));
  }

  /// Pi in a thread's machine. It calls itself so; nothing else about its process says that it is Pi.
  ProcessHandle piOf(ThreadView thread) {
    return processOf(thread, process -> command(process).equals("pi"));
  }

  ProcessHandle keeperOf(ThreadView thread) {
    return processOf(
        thread, process -> process.info().commandLine().orElse("").endsWith("keeper.mjs keep"));
  }

  private ProcessHandle processOf(ThreadView thread, Predicate<ProcessHandle> wanted) {
    return sandboxOf(thread).processes().stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() -> new AssertionError("It does not run"));
  }

  private static String command(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm")).strip();
    } catch (IOException _) {
      return ""; // it has ended meanwhile
    }
  }

  /// As somebody at the database's console would.
  void sql(String statement) throws SQLException {
    try (var connection = console();
        var work = connection.createStatement()) {
      work.execute(statement);
    }
  }

  /// As somebody at the database's console counts.
  long count(String query) throws SQLException {
    try (var connection = console();
        var work = connection.createStatement();
        var rows = work.executeQuery("select count(*) from " + query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private Connection console() throws SQLException {
    var url = URI.create(world.database().url());
    var person = url.getUserInfo().split(":");
    return DriverManager.getConnection(
        "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
        person[0],
        person.length > 1 ? person[1] : "");
  }

  /// As somebody at Daytona's console would.
  void stop(LocalDaytona.View sandbox) throws IOException, InterruptedException {
    var stop =
        HttpRequest.newBuilder(
                URI.create(daytona().url() + "/sandbox/" + sandbox.id() + "/stop?force=true"))
            .header("Authorization", "Bearer " + setting("DAYTONA_API_KEY"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(stop, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new AssertionError(answer.body());
      }
    }
  }

  static String answer(ThreadView thread) {
    return answers(thread).getLast().text();
  }
}
