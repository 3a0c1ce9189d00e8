package dev.gorkie.campaign;

import dev.gorkie.LiveFiles;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// Holds what everybody saw of one thread against the promises.
final class Judge {

  private static final Pattern NAME = Pattern.compile("(\\S+) seed=\\d+ shape=");
  private static final Pattern ANSWERED = Pattern.compile("Answer to ([^\\n]*?)\\.(?=\\s|$|_)");
  private static final String DONE = "DONE";

  private final Scene scene;

  Judge(Scene scene) {
    this.scene = scene;
  }

  /// A thread and what people wrote in it.
  ///
  /// @param files how many files are to be in it in the end
  record Case(String thread, String channel, String root, List<Told> told, int files) {}

  /// What the books and Slack show of it.
  List<Violation> look(Case of) throws IOException, InterruptedException {
    var found = new ArrayList<Violation>();
    var inbox = scene.books().inbox(of.thread());
    var said = scene.eyes().thread(of.channel(), of.root());
    var turns = new HashMap<Long, List<String>>();
    for (var told : of.told()) {
      var row = inbox.stream().filter(it -> Books.word(it, "ts").equals(told.ts())).findFirst();
      if (row.isEmpty()) {
        found.add(new Violation("I1", told.name() + " never came into the inbox"));
      } else if (Books.word(row.get(), "settled_as").isEmpty()) {
        found.add(new Violation("I1", told.name() + " has no outcome: " + row.get()));
      } else {
        turns
            .computeIfAbsent(Books.number(row.get(), "turn_id"), _ -> new ArrayList<>())
            .add(told.name());
      }
    }
    for (var row : inbox) {
      if (Books.word(row, "kind").equals("FOLLOW_UP")) {
        if (Books.word(row, "settled_as").isEmpty()) {
          found.add(new Violation("R19", "what has ended was not gone on with: " + row));
        } else {
          turns.computeIfAbsent(Books.number(row, "turn_id"), _ -> new ArrayList<>());
        }
      }
    }
    turns.forEach((turn, names) -> outcome(turn, names, said, found));
    strangers(of, turns, said, found);
    order(of.thread(), found);
    for (var one : said) {
      // What is shown while it comes is marked as it ends.
      if (one.subject().isEmpty() && one.files().isEmpty()) {
        found.add(new Violation("I2", "begun and never ended: " + one));
      }
    }
    var files = said.stream().mapToInt(one -> one.files().size()).sum();
    // What came to an apology may never have had a file to show.
    if (files > of.files() || files < of.files() && apologies(of).isEmpty()) {
      found.add(new Violation("I2", "%d files are shown, not %d".formatted(files, of.files())));
    }
    return found;
  }

  /// Exactly one outcome for a turn, each part of it once.
  private void outcome(long turn, List<String> names, List<Eyes.Said> said, List<Violation> found) {
    var subject = "turn-" + turn;
    var finals =
        said.stream().filter(one -> one.subject().equals(subject) && one.isFinal()).toList();
    var parts = new HashMap<String, Integer>();
    var kinds = new HashSet<String>();
    for (var one : finals) {
      parts.merge(one.part(), 1, Integer::sum);
      kinds.add(one.part().replaceFirst("-[0-9]+$", ""));
    }
    if (finals.isEmpty()) {
      found.add(new Violation("I1", "nothing was said about %s (%s)".formatted(names, subject)));
    }
    parts.forEach(
        (part, times) -> {
          if (times > 1) {
            found.add(
                new Violation("I2", "%s of %s was said %d times".formatted(part, subject, times)));
          }
        });
    if (kinds.size() > 1) {
      found.add(new Violation("I1", "%s came to %s at once".formatted(subject, kinds)));
    }
    var cards = said.stream().filter(one -> one.subject().equals(subject) && one.isCard()).count();
    if (cards > 1) {
      found.add(new Violation("I2", "%s has %d cards".formatted(subject, cards)));
    }
    if (kinds.contains("answer")) {
      var answered = String.join("\n", finals.stream().map(Eyes.Said::text).toList());
      for (var name : names) {
        if (!names(answered).contains(name)) {
          found.add(
              new Violation("I1", "the answer says nothing of %s: %s".formatted(name, answered)));
        }
      }
    }
  }

  /// What stands in the thread and belongs to none of its turns.
  private void strangers(
      Case of, Map<Long, List<String>> turns, List<Eyes.Said> said, List<Violation> found) {
    var own = of.told().stream().map(Told::name).toList();
    for (var one : said) {
      if (!one.subject().isEmpty()
          && !turns.containsKey(Long.parseLong(one.subject().replaceFirst("turn-", "")))) {
        found.add(new Violation("I3", "a stranger in the thread: " + one));
      }
      for (var name : names(one.text())) {
        if (!own.contains(name)) {
          found.add(new Violation("I3", "an answer to " + name + " in another thread"));
        }
      }
    }
  }

  private static List<String> names(String text) {
    var names = new ArrayList<String>();
    var answered = ANSWERED.matcher(text);
    while (answered.find()) {
      names.addAll(List.of(answered.group(1).split(", ")));
    }
    return names;
  }

  /// One turn after the other.
  private void order(String thread, List<Violation> found) {
    var turns = scene.books().turns(thread);
    for (var at = 1; at < turns.size(); at++) {
      var before = turns.get(at - 1);
      var after = turns.get(at);
      if (before.get("ended_at") instanceof Timestamp ended
          && after.get("started_at") instanceof Timestamp started
          && started.before(ended)) {
        found.add(new Violation("I4", "turns overlap: " + before + " and " + after));
      }
    }
  }

  /// What came to those messages otherwise than by an answer.
  List<String> apologies(Case of) {
    return scene.books().inbox(of.thread()).stream()
        .map(row -> Books.word(row, "settled_as"))
        .filter(outcome -> !outcome.equals(DONE))
        .toList();
  }

  /// What the sandbox has written down of it: Pi heard each message once, and the keeper no lower fence after a higher.
  List<Violation> lookInto(Path home, Case of) throws IOException {
    var found = new ArrayList<Violation>();
    var times = new HashMap<String, List<String>>();
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
      var written = of.told().stream().map(Told::name).filter(inPrompt::contains).toList();
      if (!written.equals(inPrompt)) {
        found.add(
            new Violation("I4", "Pi was told in another order than was written: " + inPrompt));
      }
    }
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

  /// 200 went to Slack only for what Lambda has.
  List<Violation> durable() {
    var carried = new HashSet<String>();
    for (var invoked : scene.world().aws().invoked()) {
      var body = invoked.json().getString("body", "");
      var text = new String(Base64.getDecoder().decode(body), StandardCharsets.UTF_8);
      if (text.startsWith("{")) {
        carried.add(new JsonObject(text).getString("event_id", ""));
      }
    }
    return scene.world().slack().deliveries().stream()
        .filter(delivery -> delivery.status().equals(Optional.of(200)))
        .filter(delivery -> isForUs(delivery.event()))
        .filter(delivery -> !carried.contains(delivery.id()))
        .map(
            delivery ->
                new Violation("I10", delivery.id() + " was answered with 200 and not carried"))
        .toList();
  }

  private static boolean isForUs(JsonObject event) {
    return event.getString("type", "").equals("app_mention")
        && !event.containsKey("bot_id")
        && event.getJsonArray("files", new JsonArray()).isEmpty();
  }
}
