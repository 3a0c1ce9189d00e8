package dev.gorkie.simulation;

import dev.gorkie.slack.Conduct;
import dev.gorkie.slack.Conduct.Saying;
import dev.gorkie.turns.FairLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Runs a scenario: the same seed gives the same course.
public final class Simulation {

  private static final Duration QUIET = Duration.ofMinutes(10);
  private static final Duration BURST = Duration.ofMinutes(5);
  private static final Duration CALL = Duration.ofMillis(150);
  private static final Duration APPENDED_EVERY = Duration.ofSeconds(1);
  private static final Duration CARD_CLOSES_WITHIN = Duration.ofMinutes(1);
  private static final Duration LOOKS_IN_LINE_EVERY = Duration.ofSeconds(2);
  // With its lease a turn learns how many there are.
  private static final Duration COUNTED_EVERY = Duration.ofSeconds(10);
  private static final int CHANNELS = 20;

  /// What lies in the nature of things, and is no limit.
  static final String STARTING = "a sandbox's start";

  // So many of a turn's transactions lie between Pi's last word and where it is read.
  private static final int OF_AN_ANSWER = 8;

  // List prices: 512 MB of an ARM function by the second; one processor and 2 GiB of a sandbox by
  // the hour.
  private static final double FUNCTION_SECOND = 0.5 * 0.0000133334;
  private static final double MACHINE_SECOND = (0.0504 + 2 * 0.0162) / 3_600;

  private final Scenario scenario;
  private final SplittableRandom random;
  private final Course course = new Course();
  private final Places functions;
  private final Machines machines;
  private final Tables tables;
  private final List<Workspace> workspaces = new ArrayList<>();

  private final List<Double> late = new ArrayList<>();
  private final List<Double> cardsLate = new ArrayList<>();
  private final List<Double> quietWaits = new ArrayList<>();
  private final List<Double> betweenEdits = new ArrayList<>();
  private final Map<String, Double> waited = new TreeMap<>();
  private long asked;
  private long answered;
  private int atWork;
  private int atOnce;
  private double functionSeconds;

  private static final class Workspace {
    final Conduct conduct;
    final Optional<FairLine> line;
    final Map<Long, Runnable> inLine = new HashMap<>();
    int atWork;

    Workspace(int number, int perWorkspace) {
      conduct = new Conduct("T" + number);
      line = perWorkspace > 0 ? Optional.of(new FairLine(perWorkspace)) : Optional.empty();
    }
  }

  private Simulation(Scenario scenario) {
    this.scenario = scenario;
    this.random = new SplittableRandom(scenario.seed());
    var limits = scenario.limits();
    functions =
        new Places(course, limits.functions(), limits.moreFunctions(), Duration.ofSeconds(10));
    machines = new Machines(course, limits, random.split());
    tables = new Tables(course, limits.transactions());
    for (var number = 0; number < scenario.workspaces(); number++) {
      workspaces.add(new Workspace(number, limits.perWorkspace()));
    }
  }

  public static Outcome run(Scenario scenario) {
    return new Simulation(scenario).outcome();
  }

  private Outcome outcome() {
    if (scenario.outage().isPositive()) {
      course.in(
          QUIET,
          () ->
              workspaces.forEach(one -> one.conduct.isAway(course.now().plus(scenario.outage()))));
    }
    course.in(Duration.ZERO, this::come);
    course.run();
    waited.merge(STARTING, -machines.waited(), Double::sum);
    waited.put("room for sandboxes", machines.waited());
    var refused = workspaces.stream().mapToLong(one -> one.conduct.refused()).sum();
    var dollars = functionSeconds * FUNCTION_SECOND + machines.seconds() * MACHINE_SECOND;
    return new Outcome(
        asked,
        answered,
        late,
        cardsLate,
        quietWaits,
        waited,
        betweenEdits,
        refused,
        atOnce,
        machines.mostRunning(),
        tables.used(),
        answered == 0 ? 0 : dollars / answered);
  }

  /// One question after the other, at random, as long as people ask.
  private void come() {
    var since = Duration.between(course.begun(), course.now());
    if (since.compareTo(scenario.lasts()) > 0) {
      return;
    }
    new Turn(asked++).begin();
    var isBurst = since.compareTo(QUIET) > 0 && since.compareTo(QUIET.plus(BURST)) < 0;
    var perSecond =
        scenario.asked()
            / Duration.ofHours(1).toSeconds()
            * (shares() / workspaces.size())
            * (isBurst ? scenario.burst() : 1);
    var pause = -Math.log(1 - random.nextDouble()) / perSecond;
    course.in(Duration.ofNanos(Math.round(pause * 1e9)), this::come);
  }

  /// The first workspace may be louder than the others.
  private int workspace() {
    var at = random.nextDouble() * shares() - scenario.noise();
    return at < 0 ? 0 : Math.min(workspaces.size() - 1, 1 + (int) at);
  }

  private double shares() {
    return workspaces.size() - 1 + scenario.noise();
  }

  private final class Turn {
    private final long number;
    private final int place = workspace();
    private final Workspace workspace = workspaces.get(place);
    private final int thread = thread();
    private final String channel = "C" + thread % CHANNELS;
    private final String author = "U" + thread;
    private final Work work = scenario.work().orElseGet(() -> Work.draw(random));
    private final Instant came = course.now();
    private Instant since = came;
    private Instant served = came;
    private Instant finishes = came;
    private Instant carded = came;
    private Instant counted = came;
    private int known;
    private boolean isCarded;
    private boolean isStreaming;
    private boolean isOver;
    private long edits;

    Turn(long number) {
      this.number = number;
    }

    /// One in which nobody is at work: what is asked in another is taken up by its turn.
    private int thread() {
      var each = Math.max(1, scenario.threads() / workspaces.size());
      var thread = place * each + random.nextInt(each);
      for (var tried = 0; machines.isUsed(thread) && tried < each; tried++) {
        thread = place * each + (thread + 1 - place * each) % each;
      }
      return thread;
    }

    void begin() {
      functions.take(this::served);
    }

    private void served() {
      waited("functions");
      served = course.now();
      if (workspace.line.isPresent() && workspace.line.get().line(number, author).isPresent()) {
        workspace.inLine.put(number, this::admitted);
      } else {
        admitted();
      }
    }

    private void admitted() {
      waited("the workspace's line");
      machines.open(thread, this::awake);
    }

    private void awake() {
      waited(STARTING);
      atWork++;
      workspace.atWork++;
      atOnce = Math.max(atOnce, atWork);
      counted = course.now();
      known = workspace.atWork;
      tables.begin();
      course.in(tables.does(Tables.OF_A_TURN - OF_AN_ANSWER), this::works);
    }

    private void works() {
      waited("the database");
      finishes = course.now().plus(work.runs());
      say(Saying.SIGN, channel);
      course.in(Conduct.untilCard(), this::card);
      if (work.isStreamed()) {
        course.in(work.runs().minus(work.writes()), this::stream);
      }
      course.in(work.runs(), this::finished);
    }

    private void card() {
      if (isOver) {
        return;
      }
      if (!isCarded) {
        var wait = say(Saying.CARD, channel);
        isCarded = wait.isEmpty();
        carded = course.now();
        course.in(wait.orElse(betweenEdits()), this::card);
        return;
      }
      var wait = say(Saying.EDIT, channel);
      edits += wait.isEmpty() ? 1 : 0;
      course.in(wait.orElse(betweenEdits()), this::card);
    }

    private void stream() {
      if (isOver) {
        return;
      }
      var what = isStreaming ? Saying.MORE : Saying.BEGINNING;
      var wait = say(what, channel);
      isStreaming |= wait.isEmpty();
      course.in(
          wait.filter(it -> it.compareTo(APPENDED_EVERY) > 0).orElse(APPENDED_EVERY), this::stream);
    }

    private void finished() {
      isOver = true;
      if (isCarded && edits > 0) {
        betweenEdits.add(seconds(carded, course.now()) / edits);
      }
      course.in(tables.does(OF_AN_ANSWER), this::answer);
    }

    private void answer() {
      var what = isStreaming ? Saying.ENDING : Saying.ANSWER;
      var wait = say(what, channel);
      if (wait.isPresent()) {
        course.in(wait.get(), this::answer);
      } else {
        course.in(CALL, this::answered);
      }
    }

    private void answered() {
      answered++;
      late.add(seconds(finishes, course.now()));
      waited.merge("Slack, for an answer", seconds(finishes, course.now()), Double::sum);
      since = course.now();
      if (place > 0) {
        quietWaits.add(seconds(came, course.now()) - work.runs().toMillis() / 1e3);
      }
      close(course.now().plus(CARD_CLOSES_WITHIN));
    }

    /// The card's last state, as long as that is worth it; then all is given back.
    private void close(Instant until) {
      var wait = isCarded ? say(Saying.LAST_EDIT, channel) : Optional.<Duration>empty();
      if (wait.isPresent() && course.now().plus(wait.get()).isBefore(until)) {
        course.in(wait.get(), () -> close(until));
        return;
      }
      waited.merge("Slack, for a card's last state", seconds(since, course.now()), Double::sum);
      if (isCarded && wait.isEmpty()) {
        cardsLate.add(seconds(finishes, course.now()));
      }
      atWork--;
      workspace.atWork--;
      tables.end();
      machines.rest(thread);
      functionSeconds += seconds(served, course.now());
      functions.giveBack();
      workspace.line.ifPresent(
          line -> {
            line.leaves(number);
            line.next().map(workspace.inLine::remove).ifPresent(next -> course.in(noticed(), next));
          });
    }

    private Duration noticed() {
      return Duration.ofMillis(random.nextLong(LOOKS_IN_LINE_EVERY.toMillis()));
    }

    private Optional<Duration> say(Saying what, String where) {
      tables.asks();
      return workspace.conduct.say(course.now(), what, where);
    }

    /// As many as are at work, as far as this one knows.
    private Duration betweenEdits() {
      if (course.now().isAfter(counted.plus(COUNTED_EVERY))) {
        counted = course.now();
        known = workspace.atWork;
      }
      return Conduct.betweenEdits(known);
    }

    private void waited(String what) {
      waited.merge(what, seconds(since, course.now()), Double::sum);
      since = course.now();
    }
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }
}
