package dev.gorkie.bench;

import dev.gorkie.local.Options;
import dev.gorkie.local.World;
import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.slack.MessageView;
import dev.gorkie.local.slack.ThreadView;
import dev.gorkie.way.Gorkie;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A world in which machines are there at once, and one Gorkie after the other in front of it.
final class Installation implements AutoCloseable {

  /// What takes longer has failed.
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /// Without what Gorkie keeps to so that Slack never has to refuse it; this Slack refuses nothing.
  static final Map<String, String> WITHOUT_ALLOWANCE =
      Map.of(
          "GORKIE_SLACK_POST_EVERY", "0s",
          "GORKIE_SLACK_EDIT_EVERY", "0s",
          "GORKIE_SLACK_STREAM_EVERY", "0s",
          "GORKIE_SLACK_APPEND_EVERY", "0s");

  private final Path directory;
  private final World world;

  private Installation(Path directory, World world) {
    this.directory = directory;
    this.world = world;
  }

  static Installation open() throws IOException {
    var image =
        Objects.requireNonNull(
            System.getenv("GORKIE"), "GORKIE is not set; “make bench” sees to it");
    var directory = Files.createTempDirectory("gorkie-bench");
    return new Installation(
        directory,
        World.start(
            Options.inside(directory.resolve("world"), Path.of(image)).withMachinesAtOnce()));
  }

  World world() {
    return world;
  }

  /// What an application here is to be started with.
  Map<String, String> environment() {
    var environment = new HashMap<>(world.environment());
    environment.put("GORKIE_DATABASE_MIGRATE_AT_START", "true");
    // Here one person asks for all.
    environment.put("GORKIE_PEOPLE_AT_ONCE", "100000");
    return environment;
  }

  /// People write to it from now on.
  Gorkie start(Map<String, String> environment, int heapMb) throws IOException {
    var gorkie = Gorkie.start(environment, heapMb);
    world.slack().deliverTo(gorkie.events());
    return gorkie;
  }

  /// Brings the tables to this version, as the packaged program does it.
  void migrate() throws IOException, InterruptedException {
    var once = environment();
    once.put("GORKIE_MIGRATE", "true");
    try (var migration = Gorkie.start(once)) {
      if (migration.end() != 0) {
        throw new IOException(migration.output());
      }
    }
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /// The answers in a thread: what the application said in it that is no progress card.
  static List<MessageView> answers(ThreadView thread) {
    return thread.byApp().stream()
        .filter(message -> message.tasks().isEmpty() && message.files().isEmpty())
        .toList();
  }

  /// The thread when it was answered so often and nobody is at work in it.
  ThreadView answered(String channel, String root, int times) throws InterruptedException {
    return world
        .slack()
        .awaitThread(
            channel,
            root,
            thread ->
                answers(thread).size() >= times
                    && thread.status().isEmpty()
                    && !thread.session().equals(Optional.of("processing")),
            PATIENCE);
  }

  LocalDaytona.View sandboxOf(ThreadView thread) {
    var slack = world.slack();
    var channel = slack.channel(thread.channel()).id();
    var name = "gorkie-" + slack.teamId() + "-" + channel + "-" + thread.rootTs();
    return world.daytona().sandbox(name).orElseThrow();
  }

  /// As somebody at Daytona's console would.
  void stop(LocalDaytona.View sandbox) throws IOException, InterruptedException {
    var stop =
        HttpRequest.newBuilder(
                URI.create(world.daytona().url() + "/sandbox/" + sandbox.id() + "/stop?force=true"))
            .header("Authorization", "Bearer " + world.environment().get("DAYTONA_API_KEY"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(stop, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(answer.body());
      }
    }
  }

  @Override
  public void close() throws IOException {
    world.close();
    try (var all = Files.walk(directory)) {
      for (var file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
