package dev.gorkie.campaign;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What passed between the functions and the world in one thread, and what was made to go wrong there.
final class Trace {

  private static final String EDITED = "slack chat.update card after";
  private static final String TAKEN = "db update threads lease_owner after";
  // What somebody in the thread can see.
  private static final Pattern SHOWN = Pattern.compile("slack (chat|agents|assistant)\\..* after");
  // Each process looks now and then for words that nobody looks after, and such a row's fence can
  // only be raised.
  static final String ADOPTED = "db update outbox fence after";
  // Writes that belong to whoever holds the thread. Accepting a delivery is everybody's.
  private static final Pattern FENCED =
      Pattern.compile(
          "db (insert|update|delete) (turns|outbox|sandbox_sessions|transcripts)\\b.*"
              + "|db update inbox (turn_id|given_at|settled_at|attempts)\\b.*"
              + "|db update threads (lease_until|lease_owner null)\\b.*");

  private final Crew crew;
  private volatile String thread = "";
  private final List<Seen> seen = new ArrayList<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();
  private final List<Seen> struck = new ArrayList<>();
  private Plan plan = Plan.none();
  private Optional<Seen> fired = Optional.empty();
  private Optional<Duration> recovery = Optional.empty();
  private Optional<Duration> shown = Optional.empty();
  private boolean everTaken;
  private boolean takenBeforeFault;
  private long holder = Peers.UNKNOWN;

  /// @param nanos when, of a clock of its own
  record Seen(long nanos, long pid, String boundary) {}

  Trace(Crew crew) {
    this.crew = crew;
  }

  void is(String newThread) {
    thread = newThread;
  }

  /// From here on boundaries are counted anew, and the fault waits for its own.
  synchronized void arm(Plan newPlan) {
    counts.clear();
    seen.clear();
    plan = newPlan;
  }

  Gate.Verdict passed(long pid, Passage passage) throws InterruptedException {
    var due = note(pid, passage);
    return due.isEmpty() ? Gate.Verdict.GO : strike(due.get(), pid);
  }

  private synchronized Optional<Fault> note(long pid, Passage passage) {
    var boundary = passage.name() + "#" + counts.merge(passage.name(), 1, Integer::sum);
    var now = new Seen(System.nanoTime(), pid, boundary);
    seen.add(now);
    follow(now, passage);
    if (recovery.isPresent()
        && shown.isEmpty()
        && pid == holder
        && SHOWN.matcher(passage.name()).matches()) {
      shown = Optional.of(since(fired.orElseThrow(), now));
    }
    var due = plan.at(boundary);
    if (due.isPresent()) {
      strikes(now);
    }
    return due;
  }

  synchronized boolean hasSeen(String beginning) {
    return seen.stream().anyMatch(it -> it.boundary().startsWith(beginning));
  }

  private static Duration since(Seen before, Seen now) {
    return Duration.ofNanos(now.nanos() - before.nanos());
  }

  private void strikes(Seen now) {
    struck.add(now);
    if (fired.isEmpty()) {
      fired = Optional.of(now);
      takenBeforeFault = everTaken;
    }
  }

  /// Kills whoever has the thread now, or an invocation for it.
  void killHolder() {
    crew.servers(thread).forEach(this::kill);
  }

  /// Kills whoever it is that goes round and looks for what was left.
  void killSweepers() {
    crew.sweepers().forEach(this::kill);
  }

  private void kill(long pid) {
    synchronized (this) {
      var now = new Seen(System.nanoTime(), pid, "killed from outside");
      seen.add(now);
      strikes(now);
    }
    crew.kill(pid);
  }

  private void follow(Seen now, Passage passage) {
    if (!passage.hasChanged()) {
      return;
    }
    if (passage.name().equals(TAKEN)) {
      everTaken = true;
      if (recovery.isEmpty() && fired.filter(it -> it.pid() != now.pid()).isPresent()) {
        recovery = Optional.of(since(fired.orElseThrow(), now));
      }
      holder = now.pid();
      return;
    }
    if (holder == Peers.UNKNOWN || !FENCED.matcher(passage.name()).matches()) {
      return;
    }
    var table = passage.what().split(" ")[1];
    // What an adopter looks after is its own, under the fence it has just raised.
    var isAdopters = table.equals("outbox") && crew.hasAdopted(now.pid());
    if (now.pid() != holder && !isAdopters && !passage.name().equals(ADOPTED)) {
      violations.add(
          new Violation(
              "I5",
              "process %d wrote (%s, %s) after process %d had taken the thread"
                  .formatted(now.pid(), now.boundary(), passage.rows(), holder)));
    }
  }

  private Gate.Verdict strike(Fault due, long pid) throws InterruptedException {
    return switch (due.kind()) {
      case KILL -> {
        crew.kill(pid);
        yield Gate.Verdict.CUT;
      }
      case CUT -> Gate.Verdict.CUT;
      case THROTTLE -> Gate.Verdict.THROTTLED;
      case BREAK -> Gate.Verdict.BROKEN;
      case FREEZE -> {
        crew.freeze(pid);
        Thread.ofVirtual().name("thaw-" + pid).start(() -> thawAfter(due.frozenFor(), pid));
        yield Gate.Verdict.GO;
      }
    };
  }

  private void thawAfter(Duration duration, long pid) {
    try {
      Thread.sleep(duration);
      crew.thaw(pid);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized List<String> boundaries() {
    return seen.stream().map(Seen::boundary).toList();
  }

  synchronized int strikes() {
    return struck.size();
  }

  /// From the fault until another process had taken the thread.
  synchronized Optional<Duration> recovery() {
    return recovery;
  }

  /// From the fault until the thread showed something of that one.
  synchronized Optional<Duration> shown() {
    return shown;
  }

  /// Whether a worker had the thread already when it went wrong; before that only Lambda knows of the message.
  synchronized boolean wasTakenBeforeFault() {
    return takenBeforeFault;
  }

  synchronized long holder() {
    return holder;
  }

  synchronized List<Violation> violations() {
    return List.copyOf(violations);
  }

  /// How long the card stood still when another process took it over, each time.
  synchronized List<Duration> pauses() {
    var pauses = new ArrayList<Duration>();
    var before = Optional.<Seen>empty();
    for (var one : seen) {
      if (one.boundary().startsWith(EDITED)) {
        if (before.isPresent() && before.get().pid() != one.pid()) {
          pauses.add(since(before.get(), one));
        }
        before = Optional.of(one);
      }
    }
    return pauses;
  }

  /// What passed, a line each, for whoever looks into a failure.
  synchronized String page() {
    if (seen.isEmpty()) {
      return "";
    }
    var page = new StringBuilder();
    var begin = seen.getFirst().nanos();
    for (var one : seen) {
      page.append(
          "  %8.1f ms  %d  %s%s%n"
              .formatted(
                  (one.nanos() - begin) / 1e6,
                  one.pid(),
                  one.boundary(),
                  struck.contains(one) ? "   <== " + plan : ""));
    }
    return page.toString();
  }
}
