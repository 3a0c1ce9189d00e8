package dev.gorkie.start;

import dev.gorkie.Happening;
import dev.gorkie.ThreadKey;
import dev.gorkie.inbox.PastMail;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.slack.Replies;
import dev.gorkie.turns.PastTurns;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Prints one thread's life in the order of time, from the tables and, where there is one, a log. Not what anybody wrote.
public final class Trace implements QuarkusApplication {

  private static final int NOTHING_FOUND = 1;
  private static final int WRONG_USAGE = 2;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  // As Slack's “Copy link” gives it: a point is missing in the message's ts, and there in the
  // thread's.
  private static final Pattern PERMALINK =
      Pattern.compile(
          "https://[^/]+/archives/([A-Z0-9]+)/p(\\d{10})(\\d{6})(?:\\?(?:.*&)?thread_ts=(\\d+[.]\\d+).*|\\?.*)?");

  private final PastMail mail;
  private final PastTurns turns;
  private final Sessions sessions;
  private final Replies replies;

  /// A line of the story, and which part of the house it is from.
  private record Line(String from, Happening happening) {}

  @Inject
  Trace(PastMail mail, PastTurns turns, Sessions sessions, Replies replies) {
    this.mail = mail;
    this.turns = turns;
    this.sessions = sessions;
    this.replies = replies;
  }

  @Override
  public int run(String... arguments) throws IOException {
    var asked = Optional.ofNullable(System.getenv("GORKIE_THREAD")).orElse("").strip();
    if (!asked.startsWith("https://") && asked.split(":", -1).length != 3) {
      System.err.println(
          "THREAD is not what it should be. Expected: team:channel:ts as the logs have it, or a link to a message in the"
              + " thread, which Slack's “Copy link” gives.");
      return WRONG_USAGE;
    }
    var thread = thread(asked);
    var story = thread.map(this::fromTables).orElse(List.of());
    if (thread.isEmpty() || story.isEmpty()) {
      System.err.println("No message of that thread ever came to this Gorkie.");
      return NOTHING_FOUND;
    }
    var all = new ArrayList<>(story);
    var log = Optional.ofNullable(System.getenv("GORKIE_TRACE_LOG")).filter(it -> !it.isEmpty());
    if (log.isPresent()) {
      try (var lines = open(log.get())) {
        LogLines.of(lines, thread.get()).forEach(it -> all.add(new Line("log", it)));
      }
    }
    print(thread.get(), all);
    return 0;
  }

  private Optional<ThreadKey> thread(String asked) {
    var link = PERMALINK.matcher(asked);
    if (!link.matches()) {
      try {
        return Optional.of(ThreadKey.parse(asked));
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }
    var ts = link.group(2) + "." + link.group(3);
    var root = Optional.ofNullable(link.group(4)).orElse(ts);
    return mail.threadOf(link.group(1), ts, root).or(() -> replies.threadOf(link.group(1), ts));
  }

  private List<Line> fromTables(ThreadKey thread) {
    var lines = new ArrayList<Line>();
    mail.of(thread).forEach(it -> lines.add(new Line("inbox", it)));
    turns.of(thread).forEach(it -> lines.add(new Line("turns", it)));
    sessions.story(thread).forEach(it -> lines.add(new Line("sandbox", it)));
    replies.story(thread).forEach(it -> lines.add(new Line("slack", it)));
    return lines;
  }

  private static BufferedReader open(String log) throws IOException {
    return log.equals("-")
        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : Files.newBufferedReader(Path.of(log));
  }

  private static void print(ThreadKey thread, List<Line> lines) {
    System.out.println("Thread " + thread + ", times in UTC");
    lines.stream()
        .sorted(Comparator.comparing(line -> line.happening().at()))
        .forEach(
            line ->
                System.out.println(
                    "%s  %-7s  %s"
                        .formatted(
                            TIME.format(line.happening().at()),
                            line.from(),
                            line.happening().what())));
  }
}
