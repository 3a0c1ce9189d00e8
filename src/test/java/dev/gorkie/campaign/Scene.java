package dev.gorkie.campaign;

import dev.gorkie.local.Options;
import dev.gorkie.local.World;
import dev.gorkie.local.aws.FunctionSettings;
import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.aws.LambdaFunction;
import dev.gorkie.way.FunctionZip;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;

/// The world with the application in it as two functions, and a relay before everything they speak with.
final class Scene implements AutoCloseable {

  private static final String WORKER = "gorkie-worker";
  private static final String INGRESS = "gorkie-ingress";
  private static final String RULE = "gorkie-sweep";
  private static final String SWEEP =
      """
      {"version":"2.0","rawPath":"/internal/sweeps","requestContext":{"http":{"method":"POST",\
      "path":"/internal/sweeps"}}}\
      """;
  private static final Duration SWEPT_EVERY = Duration.ofMinutes(1);
  // As the tables' migration has it; a busy machine makes a process stand still by itself for some
  // time.
  private static final Duration IDLE_MAX = Duration.ofSeconds(10);
  private static final Duration IDLE_LEAST = Duration.ofSeconds(1);
  private static final Duration START_MAX = Duration.ofSeconds(60);
  // One that watches, one that the clock wakes meanwhile, one for a wake that finds nothing to do,
  // and one that is started already when another is killed.
  private static final int OTHERS = 4;
  private static final int WORKERS_READY = 2;
  // A door that is throttled answers 503 and is no fault of the application's.
  private static final int INGRESSES = 8;

  private static final List<String> SECRETS =
      List.of("SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN", "DAYTONA_API_KEY", "MODEL_API_KEY");
  private static final Pattern MARK = Pattern.compile("\"part\":\"([a-z]+(?:-[0-9]+)?)");
  private static final Pattern ID =
      Pattern.compile(
          "/(?:[0-9a-f]{8}-[0-9a-f-]{27}|gorkie-[^/?]*)|(?<=/activity/)[^/?]*|(?<=/ttl/)[^/?]*");

  private final Path directory;
  private final World world;
  private final Pace pace;
  private final Wires wires = new Wires();
  private final List<Relay> relays;
  private final Relay postgres;
  private final LambdaFunction worker;
  private final LambdaFunction ingress;
  private final Crew crew;
  private final Books books;
  private final Eyes eyes;
  private final Post post;
  private final Map<String, String> ofIngress;
  private final Map<String, String> ofWorker;
  private final Path log;

  /// @param side how many histories run at a time
  Scene(Pace pace, int side, Form form, Path log) throws IOException, InterruptedException {
    this.pace = pace;
    this.log = log;
    Files.deleteIfExists(log);
    Files.deleteIfExists(ingressLog());
    directory = Files.createTempDirectory("gorkie-campaign");
    var image = ScriptedImage.make(image(), directory.resolve("image"));
    world = World.start(Options.inside(directory.resolve("world"), image).hurry(pace.time()));
    // Whoever has begun a job is named where its end is told.
    world.slack().allowNaming("ada");
    migrate();
    var zip = FunctionZip.unpacked();
    var environment = world.environment();
    var slack = relay("slack", URI.create(value("SLACK_API_URL")), this::processes, Scene::method);
    var daytona = relay("daytona", world.daytona().url(), this::processes, Scene::route);
    var aws = relay("lambda", world.aws().url(), this::processes, Scene::route);
    var door = relay("door", world.aws().url(), this::doors, Scene::moment);
    var database = URI.create(value("DATABASE_URL"));
    postgres = new PostgresRelay(database.getPort(), wires, this::processes);
    relays = List.of(slack, daytona, aws, door, postgres);

    // Here one person asks for all.
    environment.put("GORKIE_PEOPLE_AT_ONCE", "100000");
    environment.put("SLACK_API_URL", through(slack, "/api/"));
    environment.put("DAYTONA_API_URL", through(daytona, "/api"));
    environment.put(
        "DATABASE_URL",
        value("DATABASE_URL").replace(":" + database.getPort(), ":" + postgres.port()));
    for (var service : List.of("LAMBDA", "EVENTS", "SQS")) {
      environment.put("AWS_ENDPOINT_URL_" + service, through(aws, ""));
    }
    ofIngress =
        Map.of(
            "GORKIE_ROLE",
            "ingress",
            "GORKIE_WORKER_FUNCTION",
            WORKER,
            "AWS_ENDPOINT_URL_LAMBDA",
            through(door, ""),
            "SLACK_SIGNING_SECRET",
            value("SLACK_SIGNING_SECRET"));
    ingress =
        world
            .aws()
            .deploy(
                FunctionSettings.of(INGRESS, zip.program(ofIngress, ingressLog()))
                    .concurrency(INGRESSES)
                    .provisioned(form.doors())
                    .runtimeThrough("127.0.0.1:" + door.port())
                    .freezing());
    var postPlace = Post.place();
    environment.put("GORKIE_URL", "http://127.0.0.1:" + postPlace.getAddress().getPort());
    environment.put("GORKIE_ROLE", "worker");
    environment.put("GORKIE_SLACK_TOLD_WITHIN", "10s");
    environment.put("GORKIE_WORKER_FUNCTION", WORKER);
    environment.put("GORKIE_SWEEP_RULE", RULE);
    environment.put("GORKIE_FAILURE_QUEUE_URL", world.aws().failureQueueUrl(WORKER));
    environment.putAll(pace.settings());
    ofWorker = Map.copyOf(environment);
    var function =
        FunctionSettings.of(WORKER, zip.program(ofWorker, log))
            .timeout(pace.scaled(form.functionMax()))
            .concurrency(side + OTHERS)
            .provisioned(WORKERS_READY);
    worker = world.aws().deploy(form.freezing() ? function.freezing() : function);
    crew = new Crew(worker, ingress);
    relays.forEach(Relay::start);
    if (!worker.awaitWarm(START_MAX) || !ingress.awaitWarm(START_MAX)) {
      throw new IllegalStateException("The functions did not start; " + log + " says why");
    }
    wires.watch(crew);
    world.aws().rule(RULE, worker, SWEEP, pace.scaled(SWEPT_EVERY));
    var gateway =
        world
            .aws()
            .gateway(
                0,
                Map.of("POST /slack/events", ingress, "POST /sandbox-jobs/{id}/complete", ingress),
                Gateway.Bodies.BY_TYPE);
    world.slack().deliverTo(gateway.url().resolve("/slack/events"));
    books = new Books(database);
    eyes = new Eyes(world.slack().url(), value("SLACK_BOT_TOKEN"));
    post = Post.open(postPlace, books, crew, value("SLACK_SIGNING_SECRET"), gateway.url());
  }

  /// One more goes round, beside whomever the clock has sent.
  void sweep() {
    worker.invokeLater(SWEEP);
  }

  /// Another release of both functions is deployed, with the same settings.
  void publish(FunctionZip release) {
    worker.publish(release.program(ofWorker, log));
    ingress.publish(release.program(ofIngress, ingressLog()));
  }

  /// Secrets and words of people that stand in the functions' logs.
  List<Violation> indiscretions() throws IOException {
    var found = new ArrayList<Violation>();
    for (var file : List.of(log, ingressLog())) {
      try (var lines = Files.lines(file)) {
        var told = new TreeSet<String>();
        lines.forEach(
            line -> {
              SECRETS.stream().filter(name -> line.contains(value(name))).forEach(told::add);
              if (Judge.NAME.matcher(line).find()) {
                told.add("what somebody wrote");
              }
            });
        told.forEach(what -> found.add(new Violation("I9", what + " stands in " + file)));
      }
    }
    return found;
  }

  private Path ingressLog() {
    var name = Objects.toString(log.getFileName());
    return log.resolveSibling(name.replace(".log", "-ingress.log"));
  }

  World world() {
    return world;
  }

  Pace pace() {
    return pace;
  }

  Wires wires() {
    return wires;
  }

  Crew crew() {
    return crew;
  }

  Books books() {
    return books;
  }

  Post post() {
    return post;
  }

  /// The whole machine, as somebody at Daytona's console would stop it.
  void stop(String sandbox) throws IOException, InterruptedException {
    var stop =
        HttpRequest.newBuilder(
                URI.create(world.daytona().url() + "/sandbox/" + sandbox + "/stop?force=true"))
            .header("Authorization", "Bearer " + value("DAYTONA_API_KEY"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (var http = HttpClient.newHttpClient()) {
      http.send(stop, HttpResponse.BodyHandlers.discarding());
    }
  }

  /// What stands before it.
  Relay database() {
    return postgres;
  }

  Eyes eyes() {
    return eyes;
  }

  /// The model's, which nobody but the keeper is to have.
  String key() {
    return value("MODEL_API_KEY");
  }

  LambdaFunction worker() {
    return worker;
  }

  private List<Long> processes() {
    return worker.processes();
  }

  private List<Long> doors() {
    return ingress.processes();
  }

  private String value(String name) {
    return Objects.requireNonNull(world.environment().get(name));
  }

  private HttpRelay relay(
      String wire, URI beyond, Supplier<List<Long>> processes, Function<HttpMessage, String> what)
      throws IOException {
    return new HttpRelay(wire, beyond.getPort(), wires, processes, what);
  }

  static String through(Relay relay, String path) {
    return "http://127.0.0.1:" + relay.port() + path;
  }

  /// With which of our messages it is about, where it says so.
  static String method(HttpMessage request) {
    var part = MARK.matcher(URLDecoder.decode(request.text(), StandardCharsets.UTF_8));
    var method = request.path().replaceFirst("[?].*", "").replaceFirst("^/api/", "");
    return method.replaceFirst("^/upload/.*", "upload") + (part.find() ? " " + part.group(1) : "");
  }

  /// Without the names of sandboxes and terminals.
  static String route(HttpMessage request) {
    var path = request.path().replaceFirst("[?].*", "");
    return request
        .header("x-amz-target")
        .orElseGet(() -> request.method() + " " + ID.matcher(path).replaceAll("/*"));
  }

  /// What the ingress does with an event: it is given one, hands it over, and has its answer.
  static String moment(HttpMessage request) {
    var path = request.path();
    return path.endsWith("/next")
        ? "event"
        : path.endsWith("/invocations")
            ? "hand-over"
            : path.endsWith("/response") ? "answer" : route(request);
  }

  /// Whether Slack has handed this message over: it was told so, or Lambda has it.
  boolean isHandedOver(String ts) {
    return world.slack().deliveries().stream()
            .anyMatch(it -> it.accepted() && it.event().getString("ts", "").equals(ts))
        || world.aws().accepted().stream()
            .map(it -> Gateway.body(it.what().json()))
            .anyMatch(body -> body.contains("\"ts\":\"" + ts + "\""));
  }

  private void migrate() {
    var url = URI.create(value("DATABASE_URL"));
    var person = url.getUserInfo().split(":");
    Flyway.configure()
        .dataSource(
            "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
            person[0],
            person[1])
        .locations("filesystem:src/main/resources/db/migration")
        .load()
        .migrate();
    try (var books = new Books(url)) {
      Takings.watch(books);
      books.write(
          "alter role %s in database %s set idle_in_transaction_session_timeout = '%dms'"
              .formatted(
                  person[0],
                  url.getPath().substring(1),
                  Math.max(pace.scaled(IDLE_MAX).toMillis(), IDLE_LEAST.toMillis())));
    }
  }

  private static Path image() {
    var image = System.getenv("GORKIE");
    if (image == null) {
      throw new IllegalStateException("GORKIE is not set; “make campaign” sees to it");
    }
    return Path.of(image);
  }

  @Override
  public void close() throws IOException {
    post.close();
    world.close();
    for (var relay : relays) {
      relay.close();
    }
    books.close();
    try (var all = Files.walk(directory)) {
      for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
