package dev.gorkie.campaign;

import dev.gorkie.LiveFiles;
import dev.gorkie.local.aws.Gateway;
import dev.gorkie.local.slack.Delivery;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Holds what everybody saw of one thread against the promises.
final class Judge {

  /// What a message calls itself, looked for from the beginning of each word alone: a long one is gone through once.
  static final Pattern NAME = Pattern.compile("(?<!\\S)(\\S++) seed=\\d+ shape=");

  // Other messages tell what became of one.
  private static final Set<String> SAID = Set.of("", "file_share", "thread_broadcast");

  private final Scene scene;
  private final ThreadJudge thread;
  private final Takings takings;

  Judge(Scene scene) {
    this.scene = scene;
    this.thread = new ThreadJudge(scene.books(), scene.eyes());
    this.takings = new Takings(scene.books());
  }

  /// A thread and what people wrote in it.
  ///
  /// @param files how many files are to be in it in the end
  record Case(String thread, String channel, String root, List<Told> told, int files) {}

  /// What the books and Slack show of it.
  List<Violation> look(Case of) throws IOException, InterruptedException {
    var found = thread.look(of);
    found.addAll(takings.fromTurnToTurn(of.thread()));
    return found;
  }

  /// What came to those messages otherwise than by an answer.
  List<String> apologies(Case of) {
    return thread.apologies(of);
  }

  /// What the sandbox has written down of it: Pi heard each message once, and the keeper no lower fence after a higher.
  List<Violation> lookInto(Path home, Case of) throws IOException {
    var found = new ArrayList<Violation>();
    var times = new HashMap<String, List<String>>();
    var inOrder = new ArrayList<Told>();
    for (var line : lines(home.resolve("heard"))) {
      var heard = new JsonObject(line);
      if (heard.getBoolean("forgotten", false)) {
        found.add(new Violation("I6", "Pi was spoken to before its run had begun: " + line));
      }
      var inPrompt = new ArrayList<String>();
      var named = NAME.matcher(heard.getString("message", ""));
      while (named.find()) {
        times
            .computeIfAbsent(named.group(1), _ -> new ArrayList<>())
            .add(heard.getString("id", ""));
        inPrompt.add(named.group(1));
      }
      inPrompt.forEach(
          name ->
              of.told().stream().filter(told -> told.name().equals(name)).forEach(inOrder::add));
      var written = of.told().stream().map(Told::name).filter(inPrompt::contains).toList();
      if (!written.equals(inPrompt)) {
        found.add(
            new Violation("I4", "Pi was told in another order than was written: " + inPrompt));
      }
    }
    found.addAll(takings.fromSteerToSteer(of.thread(), inOrder));
    for (var told : of.told()) {
      var ids = times.getOrDefault(told.name(), List.of());
      if (ids.size() > 1 || ids.isEmpty() && apologies(of).isEmpty()) {
        found.add(
            new Violation(
                "I6", "Pi heard %s %d times: %s".formatted(told.name(), ids.size(), ids)));
      }
    }
    var highest = 0L;
    for (var line : journal(home)) {
      if (line.startsWith("{\"type\":\"keeper_command\"")) {
        var fence = new JsonObject(line).getLong("fence", 0L);
        if (fence < highest) {
          found.add(
              new Violation("I5", "the keeper obeyed fence %d after %d".formatted(fence, highest)));
        }
        highest = Math.max(highest, fence);
      }
    }
    return found;
  }

  /// Nobody takes a thread's machine away from it, and the model's key is nowhere to be found in it or in the thread.
  List<Violation> kept(Optional<Path> home, Case of, List<String> boundaries)
      throws IOException, InterruptedException {
    var found = new ArrayList<Violation>();
    boundaries.stream()
        .filter(boundary -> boundary.startsWith("daytona DELETE /api/sandbox/"))
        .forEach(boundary -> found.add(new Violation("I7", "a machine was deleted: " + boundary)));
    var key = scene.key();
    for (var said : scene.eyes().thread(of.channel(), of.root())) {
      if (said.text().contains(key)) {
        found.add(new Violation("I9", "the model's key is in the thread: " + said.ts()));
      }
    }
    if (home.isPresent()) {
      for (var file : LiveFiles.below(home.get())) {
        if (new String(LiveFiles.read(file), StandardCharsets.ISO_8859_1).contains(key)) {
          found.add(new Violation("I9", "the model's key is in " + file));
        }
      }
    }
    return found;
  }

  private static List<String> journal(Path home) throws IOException {
    var folder = home.resolve(".gorkie").resolve("journal");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    try (var segments = Files.list(folder)) {
      var names =
          segments
              .filter(file -> Objects.toString(file.getFileName()).matches("[0-9]+"))
              .sorted()
              .toList();
      for (var segment : names) {
        lines.addAll(lines(segment));
      }
    }
    return lines;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /// A thread has one machine, and the row of the thread names it.
  Optional<Violation> machine(Case of) {
    var name = "gorkie-" + of.thread().replace(':', '-');
    var machines =
        scene.world().daytona().sandboxes().stream()
            .filter(it -> it.name().startsWith(name))
            .map(it -> it.id())
            .toList();
    var rows =
        scene.books().sessions(of.thread()).stream()
            .map(row -> Books.word(row, "sandbox_id"))
            .toList();
    return machines.equals(rows)
        ? Optional.empty()
        : Optional.of(new Violation("I8", "machines %s, rows %s".formatted(machines, rows)));
  }

  /// 200 went to Slack only for what Lambda had accepted by then, and for each time that it came anew; told by channel.
  Map<String, List<Violation>> durable() {
    var accepted = new HashMap<String, List<Instant>>();
    for (var one : scene.world().aws().accepted()) {
      var text = Gateway.body(one.what().json());
      if (text.startsWith("{")) {
        accepted
            .computeIfAbsent(new JsonObject(text).getString("event_id", ""), _ -> new ArrayList<>())
            .add(one.at());
      }
    }
    var found = new HashMap<String, List<Violation>>();
    for (var delivery : scene.world().slack().deliveries()) {
      if (delivery.status().equals(Optional.of(200))
          && isForUs(delivery.event())
          && accepted.getOrDefault(delivery.id(), List.of()).stream()
              .noneMatch(at -> isWhile(at, delivery))) {
        found
            .computeIfAbsent(delivery.event().getString("channel", ""), _ -> new ArrayList<>())
            .add(
                new Violation(
                    "I10",
                    "%s (%s), attempt %d, was answered with 200 and not carried"
                        .formatted(delivery.id(), delivery.type(), delivery.attempt())));
      }
    }
    return found;
  }

  private static boolean isWhile(Instant at, Delivery delivery) {
    return !at.isBefore(delivery.at()) && !at.isAfter(delivery.at().plus(delivery.took()));
  }

  /// What a person said to us, where we may hear it; here nobody edits anything.
  private boolean isForUs(JsonObject event) {
    var us = scene.world().slack().app().id();
    if (event.containsKey("bot_id") || event.getString("user", "").equals(us)) {
      return false;
    }
    return switch (event.getString("type", "")) {
      case "app_mention", "agent_session_stopped" -> true;
      case "message" ->
          SAID.contains(event.getString("subtype", ""))
              && (event.containsKey("thread_ts")
                  || event.getString("channel_type", "").equals("im")
                  || event.getString("text", "").contains("<@" + us + ">"));
      default -> false;
    };
  }
}
