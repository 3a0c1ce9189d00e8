package dev.gorkie.campaign;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Holds what became of a thread's jobs against what their machine knows of them.
final class JobJudge {

  private static final String JOBS =
      "select job_id, state, how, code, command, over_at from jobs where thread_id = ?";
  private static final Pattern TOLD = Pattern.compile("Told of ([^\\n]*?)\\.(?=\\s|$|_)");
  private static final Duration SWEPT_EVERY = Duration.ofMinutes(1);
  // What nobody can divide: processes that start, on a machine that others share.
  private static final Duration UNDIVIDED = Duration.ofSeconds(20);

  private final Scene scene;
  private final boolean stopped;

  /// @param stopped whether their machine was stopped while they ran, so that they are lost
  JobJudge(Scene scene, boolean stopped) {
    this.scene = scene;
    this.stopped = stopped;
  }

  List<Violation> look(Judge.Case of, Path home) throws IOException, InterruptedException {
    var found = new ArrayList<>(scene.post().violations(of.thread()));
    var rows = scene.books().rows(JOBS, of.thread());
    if (rows.size() != Fate.values().length && new Judge(scene).apologies(of).isEmpty()) {
      found.add(
          violation("%d jobs were begun, not %d".formatted(rows.size(), Fate.values().length)));
    }
    var said =
        String.join(
            "\n",
            scene.eyes().thread(of.channel(), of.root()).stream().map(Eyes.Said::text).toList());
    var heard = Files.exists(home.resolve("heard")) ? Files.readString(home.resolve("heard")) : "";
    for (var row : rows) {
      judge(row, home, found);
      once(Books.word(row, "job_id"), heard, said, found);
    }
    return found;
  }

  private void judge(Map<String, Object> row, Path home, List<Violation> found) throws IOException {
    var job = Books.word(row, "job_id");
    if (!Books.word(row, "state").equals("over")) {
      found.add(violation(job + " still runs: " + row));
      return;
    }
    var state = home.resolve(".gorkie").resolve("jobs").resolve(job).resolve("state");
    var known = Files.exists(state) ? new JsonObject(Files.readString(state)) : new JsonObject();
    if (!known.containsKey("ended")) {
      if (!Books.word(row, "how").equals("lost")) {
        found.add(violation("nobody knows that %s ended: %s".formatted(job, row)));
      }
      if (!stopped) {
        found.add(violation(job + " was lost"));
      }
      return;
    }
    if (stopped && Books.word(row, "how").equals("lost")) {
      return; // It ended, and the machine before anybody had heard of it.
    }
    if (!Books.word(row, "how").equals(known.getString("state"))
        || Books.number(row, "code") != known.getLong("code")) {
      found.add(violation("%s ended as %s, and is known as %s".formatted(job, known, row)));
    }
    if (row.get("over_at") instanceof Timestamp over) {
      var after = Duration.ofMillis(over.getTime() - known.getLong("ended"));
      scene.post().heardOf(after);
      if (after.isNegative()) {
        found.add(violation("%s was over %s before it ended".formatted(job, after.negated())));
      }
      if (after.compareTo(scene.pace().scaled(SWEPT_EVERY.multipliedBy(2)).plus(UNDIVIDED)) > 0) {
        found.add(violation("%s ran for %s after its end".formatted(job, after)));
      }
    }
  }

  /// The agent hears of each end once, and so do people.
  private static void once(String job, String heard, String said, List<Violation> found) {
    var prompts = heard.split("The job " + job + " that you began", -1).length - 1;
    if (prompts != 1) {
      found.add(violation("Pi heard %d times of the end of %s".formatted(prompts, job)));
    }
    var times = 0;
    var told = TOLD.matcher(said);
    while (told.find()) {
      times += told.group(1).contains(job) ? 1 : 0;
    }
    if (times != 1) {
      found.add(violation("people heard %d times of the end of %s".formatted(times, job)));
    }
  }

  private static Violation violation(String what) {
    return new Violation("R19", what);
  }
}
