package dev.gorkie.campaign;

import dev.gorkie.local.aws.Outcome;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/// Each message comes four times, as both of a mention's events and each of these twice, in any order and several at a
/// time, while workers are killed. It waits in the inbox once, with its files.
///
/// Invocations go straight to the worker, and nobody answers: the threads are held by somebody who does nothing.
final class InboxPart implements StagedPart {

  private static final int MESSAGES = 50_000;
  private static final int COPIES = 2;
  private static final int THREADS = 100;
  private static final int WITH_FILE_EVERY = 10;
  private static final long KILLED_EVERY = 500;
  private static final long TOLD_EVERY = 10_000;
  private static final long FIRST_SECOND = 1_700_000_000L;
  private static final String CHANNEL = "C0CAMPAIGN";
  private static final String HOLD =
      """
      insert into threads (thread_id, team, channel, root_ts, follows, lease_owner, lease_until, fence)
      values (?, ?, ?, ?, true, 'campaign', now() + interval '1 day', 1)
      """;

  private record Letter(int message, boolean mention) {}

  @Override
  public String name() {
    return "inbox";
  }

  @Override
  public Form form(Size size) {
    return new Form(false, Duration.ofMinutes(15), 1);
  }

  @Override
  public void run(Scene scene, Size size, Figures figures) throws InterruptedException {
    // On two cores some ten messages are delivered in a second, four times each.
    var messages =
        size.seeds() > 0
            ? size.seeds()
            : size.part().isPresent()
                ? MESSAGES
                : (int) Math.min(MESSAGES, size.most().toSeconds() * 10);
    var team = scene.world().slack().teamId();
    for (var thread = 0; thread < THREADS; thread++) {
      var key = team + ":" + CHANNEL + ":" + ts(thread);
      scene.books().write(HOLD, key, team, CHANNEL, ts(thread));
    }
    deliver(scene, size, figures, letters(messages, size.seed().orElse(1L)));
    judge(scene, size, figures, messages);
    figures.histories(messages);
  }

  private static List<Letter> letters(int messages, long seed) {
    var letters = new ArrayList<Letter>();
    for (var message = 0; message < messages; message++) {
      for (var copy = 0; copy < COPIES; copy++) {
        letters.add(new Letter(message, true));
        letters.add(new Letter(message, false));
      }
    }
    Collections.shuffle(letters, new Random(seed));
    return letters;
  }

  private static void deliver(Scene scene, Size size, Figures figures, List<Letter> letters)
      throws InterruptedException {
    var left = new ConcurrentLinkedQueue<>(letters);
    var taken = new AtomicLong();
    var until = Instant.now().plus(size.most());
    try (var carriers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var carrier = 0; carrier < size.side(); carrier++) {
        carriers.submit(() -> carry(scene, figures, left, taken, until));
      }
    }
    figures.count("deliveries", taken.get());
    figures.count("left out for want of time", left.size());
  }

  /// As Lambda does it: what failed comes again.
  private static boolean carry(
      Scene scene, Figures figures, Queue<Letter> left, AtomicLong taken, Instant until)
      throws InterruptedException {
    while (Instant.now().isBefore(until)) {
      var letter = Optional.ofNullable(left.poll());
      if (letter.isEmpty()) {
        return true;
      }
      if (!isTaken(scene, letter.get())) {
        left.add(letter.get());
        continue;
      }
      var count = taken.incrementAndGet();
      if (count % KILLED_EVERY == 0) {
        scene.worker().serving().stream()
            .findFirst()
            .ifPresent(serving -> scene.crew().kill(serving.pid()));
        figures.faults(1);
      }
      if (count % TOLD_EVERY == 0) {
        System.out.printf("inbox: %d deliveries, %d s%n", count, figures.took().toSeconds());
      }
    }
    return false;
  }

  private static boolean isTaken(Scene scene, Letter letter) throws InterruptedException {
    return scene
        .worker()
        .invoke(event(delivery(scene, letter)))
        .filter(Outcome::isSuccess)
        .isPresent();
  }

  private static void judge(Scene scene, Size size, Figures figures, int messages) {
    var rows =
        scene
            .books()
            .rows(
                "select ts, count(*) as times, max(files) as files from inbox where channel = ? group by ts",
                CHANNEL);
    var again = "make campaign PART=inbox SEEDS=" + messages + " SEED=" + size.seed().orElse(1L);
    var byTs = new HashMap<String, Map<String, Object>>();
    rows.forEach(row -> byTs.put(Books.word(row, "ts"), row));
    for (var message = 0; message < messages; message++) {
      var row = Optional.ofNullable(byTs.get(ts(message)));
      if (row.isEmpty()) {
        figures.violated(
            "message " + message, new Violation("I1", "it is not in the inbox"), again);
      } else if (Books.number(row.get(), "times") != 1) {
        figures.violated("message " + message, new Violation("I1", "it is there twice"), again);
      } else if (Books.number(row.get(), "files") != (hasFile(message) ? 1 : 0)) {
        figures.violated("message " + message, new Violation("I1", "its file is missing"), again);
      }
    }
    if (rows.size() != messages) {
      figures.violated("inbox", new Violation("I1", rows.size() + " messages in it"), again);
    }
  }

  private static String ts(int message) {
    return String.format(
        Locale.ROOT, "%d.%06d", FIRST_SECOND + message / 1_000, 100 + message % 1_000);
  }

  private static boolean hasFile(int message) {
    return message % WITH_FILE_EVERY == WITH_FILE_EVERY - 1;
  }

  /// Of the two events only the message has the file.
  private static JsonObject delivery(Scene scene, Letter letter) {
    var slack = scene.world().slack();
    var ts = ts(letter.message());
    var event =
        JsonObject.of(
            "type",
            letter.mention() ? "app_mention" : "message",
            "user",
            slack.person("ada").id(),
            "team",
            slack.teamId(),
            "channel",
            CHANNEL,
            "channel_type",
            "channel",
            "ts",
            ts,
            "event_ts",
            ts,
            "text",
            "<@" + slack.app().id() + "> message " + letter.message());
    if (letter.message() >= THREADS) {
      event.put("thread_ts", ts(letter.message() % THREADS));
    }
    if (hasFile(letter.message()) && !letter.mention()) {
      var file =
          JsonObject.of("id", "F" + letter.message(), "name", "a.txt", "mimetype", "text/plain")
              .put("size", 1)
              .put("mode", "hosted")
              .put("url_private_download", slack.url() + "files-pri/a.txt");
      event.put("subtype", "file_share").put("files", JsonArray.of(file));
    }
    return JsonObject.of(
        "type",
        "event_callback",
        "team_id",
        slack.teamId(),
        "api_app_id",
        slack.appId(),
        "event_id",
        "Ev" + (letter.mention() ? "A" : "M") + letter.message(),
        "authorizations",
        JsonArray.of(
            JsonObject.of("team_id", slack.teamId(), "user_id", slack.app().id(), "is_bot", true)),
        "event",
        event);
  }

  private static String event(JsonObject delivery) {
    var body =
        Base64.getEncoder().encodeToString(delivery.encode().getBytes(StandardCharsets.UTF_8));
    var http = JsonObject.of("method", "POST", "path", "/internal/deliveries");
    return JsonObject.of(
            "version",
            "2.0",
            "rawPath",
            "/internal/deliveries",
            "isBase64Encoded",
            true,
            "headers",
            JsonObject.of("content-type", "application/octet-stream"),
            "requestContext",
            JsonObject.of("http", http))
        .put("body", body)
        .encode();
  }
}
