package dev.gorkie.local;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/// Shows one thread until nothing more is to be expected in it.
final class Window {

  private static final Duration LOOK_EVERY = Duration.ofMillis(300);
  // Long enough for a file that follows the answer.
  private static final Duration QUIET = Duration.ofSeconds(3);
  private static final Duration SILENT_MOST = Duration.ofMinutes(2);
  private static final Duration OPEN_MOST = Duration.ofMinutes(30);
  private static final String CLEARED = "\033[H\033[2J";

  private final Line line;
  private final Line.Place place;
  private final PrintStream out;
  private final boolean terminal;

  /// In a terminal the page is drawn anew whenever it changes, elsewhere it is printed once, at the end.
  Window(Line line, Line.Place place, PrintStream out, boolean terminal) {
    this.line = line;
    this.place = place;
    this.out = out;
    this.terminal = terminal;
  }

  void follow() throws IOException, InterruptedException {
    var begin = System.nanoTime();
    var changed = begin;
    var page = "";
    while (!hasPassed(OPEN_MOST, begin)) {
      var now = line.page(place);
      if (!now.equals(page)) {
        page = now;
        changed = System.nanoTime();
        draw(page);
      } else if (hasPassed(SILENT_MOST, changed)) {
        break;
      } else if (hasPassed(QUIET, changed) && isOver(line.thread(place))) {
        break;
      }
      Thread.sleep(LOOK_EVERY);
    }
    if (!terminal) {
      out.print(page);
    }
  }

  private void draw(String page) {
    if (terminal) {
      out.print(CLEARED + page);
      out.flush();
    }
  }

  // The app had the last word, and shows nothing as being under way.
  private static boolean isOver(JsonObject thread) {
    var messages = thread.getJsonArray("messages", new JsonArray());
    return !messages.isEmpty()
        && messages.getJsonObject(messages.size() - 1).getBoolean("by_app", false)
        && !thread.containsKey("status")
        && !thread.getString("session", "").equals("processing")
        && messages.stream().map(JsonObject.class::cast).noneMatch(Window::isUnderWay);
  }

  private static boolean isUnderWay(JsonObject message) {
    return message.getJsonArray("tasks", new JsonArray()).stream()
        .map(JsonObject.class::cast)
        .anyMatch(task -> task.getString("status", "").equals("in_progress"));
  }

  private static boolean hasPassed(Duration duration, long since) {
    return System.nanoTime() - since > duration.toNanos();
  }
}
