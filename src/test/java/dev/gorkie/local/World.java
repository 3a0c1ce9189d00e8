package dev.gorkie.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gorkie.local.aws.Credentials;
import dev.gorkie.local.aws.LocalAws;
import dev.gorkie.local.daytona.Delay;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.model.LocalModel;
import dev.gorkie.local.page.Behind;
import dev.gorkie.local.page.Workers;
import dev.gorkie.local.slack.LocalSlack;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The outside world on one machine: Slack, Daytona, a model, AWS and a PostgreSQL, each on a loopback port.
///
/// It isolates nothing. Sandboxes, database and keys lie in its directory and outlive it; nothing else does.
public final class World implements AutoCloseable {

  /// Where the application finds out how to live in the world that was started last.
  static final Path ENVIRONMENT = Path.of("target", "world.env");

  // Made when somebody kills the application to see what happens; "make dev" starts it again then.
  private static final Path AGAIN = Path.of("target", "world.again");

  private static final Path DIRECTORY = Path.of("target", "world");
  private static final Migrations MIGRATIONS =
      new Migrations(Path.of("src", "main", "resources", "db", "migration"));
  // What Slack tells who calls too often, as a rule.
  private static final Duration BUSY = Duration.ofMinutes(1);
  private static final String REGION = "eu-central-1";
  private static final String SNAPSHOT = "gorkie-local";
  private static final String MODEL_ID = "local/demonstration";

  private final Options options;
  private final Keys keys;
  private final Started started = new Started();
  private final LocalSlack slack;
  private final LocalDaytona daytona;
  private final LocalModel model;
  private final LocalAws aws;
  private final Database database;

  private World(Options options) throws IOException {
    this.options = options;
    Files.createDirectories(options.directory());
    started.add(Tenancy.of(options.directory()));
    // The database takes longest to start, and needs none of the others.
    try (var aside = Executors.newVirtualThreadPerTaskExecutor()) {
      keys = Keys.of(options.directory());
      var opening =
          aside.submit(
              () -> Database.start(options.directory().resolve("postgres"), options.port(4)));
      started.add(() -> closeWhatOpened(opening));
      slack = started.add(startSlack());
      daytona = started.add(startDaytona());
      model = started.add(startModel());
      aws = started.add(startAws());
      database = done(opening);
      slack.standsBefore(
          new Behind(
              slack,
              daytona,
              database.source(),
              workers(),
              this::knock,
              BUSY.dividedBy(options.hurry())));
    } catch (IOException | RuntimeException failure) {
      started.close();
      throw failure;
    }
  }

  public static World start(Options options) throws IOException {
    return new World(options);
  }

  public LocalSlack slack() {
    return slack;
  }

  public LocalDaytona daytona() {
    return daytona;
  }

  public LocalModel model() {
    return model;
  }

  public LocalAws aws() {
    return aws;
  }

  public Database database() {
    return database;
  }

  /// What an application is to be started with.
  public Map<String, String> environment() {
    var variables = new TreeMap<String, String>();
    variables.put("SLACK_SIGNING_SECRET", keys.get("slackSigningSecret"));
    variables.put("SLACK_BOT_TOKEN", keys.get("slackBotToken"));
    variables.put("SLACK_API_URL", slack.url().resolve("api/").toString());
    variables.put("DAYTONA_API_KEY", keys.get("daytonaApiKey"));
    variables.put("DAYTONA_API_URL", daytona.url().toString());
    variables.put("DAYTONA_TARGET", "local");
    variables.put("DAYTONA_SNAPSHOT", SNAPSHOT);
    variables.put("DATABASE_URL", database.url());
    variables.put("MODEL_BASE_URL", model.url().toString());
    variables.put("MODEL_ID", model.id());
    variables.put("MODEL_API_KEY", model.key());
    variables.putAll(options.model());
    variables.putAll(options.slack());
    return variables;
  }

  /// With the process's own number, by which one can tell it from an environment that a world left behind. The database
  /// is a laptop's, so whoever uses it brings its tables to the version he needs.
  private Map<String, String> environmentOfThisProcess() {
    var variables = new TreeMap<>(environment());
    variables.put("GORKIE_DATABASE_MIGRATE_AT_START", "true");
    variables.put("GORKIE_URL", options.events().resolve("/").toString());
    variables.put("WORLD_PID", Long.toString(ProcessHandle.current().pid()));
    return variables;
  }

  @Override
  public void close() {
    started.close();
  }

  private Workers workers() {
    return new Workers("SLACK_SIGNING_SECRET=" + keys.get("slackSigningSecret"), AGAIN);
  }

  private boolean knock() throws InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return new Knock(
              http, new PrintStream(OutputStream.nullOutputStream(), false, UTF_8), Desk.KNOCK_MOST)
          .at(slack.events().resolve("/"));
    }
  }

  private LocalSlack startSlack() {
    return LocalSlack.start(
        new LocalSlack.Settings(
            port(0),
            keys.get("slackSigningSecret"),
            keys.get("slackBotToken"),
            options.events(),
            dev.gorkie.local.slack.Delays.dividedBy(options.hurry())));
  }

  private LocalDaytona startDaytona() throws IOException {
    return LocalDaytona.start(
        LocalDaytona.Settings.of(options.directory().resolve("sandboxes"), options.image())
            .withPort(port(1))
            .withApiKey(keys.get("daytonaApiKey"))
            .withSnapshot(SNAPSHOT)
            .withDelays(daytonasDelays()));
  }

  private dev.gorkie.local.daytona.Delays daytonasDelays() {
    var delays = dev.gorkie.local.daytona.Delays.usual().dividedBy(options.hurry());
    if (options.atOnce()) {
      for (var delay :
          List.of(Delay.CREATE, Delay.START, Delay.WARM_UP, Delay.CONNECTED, Delay.STOP)) {
        delays = delays.with(delay, Duration.ZERO);
      }
    }
    return delays;
  }

  private LocalModel startModel() {
    return LocalModel.start(new LocalModel.Settings(port(2), MODEL_ID, keys.get("modelApiKey")));
  }

  private LocalAws startAws() {
    var credentials =
        new Credentials(
            keys.get("awsAccessKeyId"), keys.get("awsSecretAccessKey"), Optional.empty());
    return LocalAws.start(new LocalAws.Settings(port(3), REGION, credentials, options.hurry()));
  }

  private int port(int place) {
    return Port.free(options.port(place), Options.OTHER_PORTS);
  }

  private static Database done(Future<Database> opening) throws IOException {
    try {
      return opening.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof IllegalStateException said) {
        throw said;
      }
      throw new IOException("PostgreSQL did not start: " + failure.getCause(), failure.getCause());
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private static void closeWhatOpened(Future<Database> opening) throws IOException {
    if (opening.state() == Future.State.SUCCESS) {
      opening.resultNow().close();
    }
  }

  private String screen() {
    var slackIs =
        options.slack().isEmpty()
            ? slack.url().toString()
            : "yours, over a connection of its own; the one at "
                + slack.url()
                + " is not spoken to";
    var modelIs =
        options.model().isEmpty()
            ? "%s   a demonstration, no real model: set %s for one"
                .formatted(model.url(), String.join(", ", Options.MODEL))
            : environment().get("MODEL_BASE_URL") + "   yours: " + environment().get("MODEL_ID");
    return """

    The outside world is on this machine now, on loopback ports:

      Slack       %s
      Daytona     %s   sandboxes in %s
      model       %s
      AWS         %s
      PostgreSQL  127.0.0.1:%d

    It isolates nothing: what runs in a sandbox runs as you do, here.

    Slack brings its events to %s. What an application must know is in %s.

      %s    see it in a browser: the workspace, and what is behind it
      make say TEXT='$ uname -a'    say it to Gorkie, as ada in #general
      make thread                   see the thread; FOLLOW=1 until the turn is over

    """
        .formatted(
            slackIs,
            daytona.url(),
            options.directory().resolve("sandboxes"),
            modelIs,
            aws.url(),
            database.port(),
            options.events(),
            ENVIRONMENT,
            slack.url());
  }

  /// Starts a world, and ends it with the process. With the argument `dev` the application starts next, so its port
  /// must be free too.
  public static void main(String[] arguments) throws InterruptedException {
    try {
      var options = Options.from(System.getenv(), DIRECTORY);
      var world = start(options);
      Runtime.getRuntime().addShutdownHook(new Thread(world::end));
      if (List.of(arguments).contains("dev")) {
        Port.free(options.events().getPort(), Options.OTHER_APPLICATION_PORT);
      }
      world
          .database()
          .emptiedFor(MIGRATIONS)
          .ifPresent(
              script ->
                  System.out.println(
                      "The database was made without this " + script + "; it is empty now."));
      Environment.write(world.environmentOfThisProcess(), ENVIRONMENT);
      System.out.print(world.screen());
    } catch (IOException | IllegalArgumentException | IllegalStateException failure) {
      System.err.println("The local world did not start. " + failure.getMessage());
      System.exit(1);
    }
    new CountDownLatch(1).await();
  }

  private void end() {
    try {
      Files.deleteIfExists(ENVIRONMENT);
    } catch (IOException stays) {
      System.err.println(stays);
    }
    close();
  }
}
