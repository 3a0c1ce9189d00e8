package dev.gorkie.campaign;

import dev.gorkie.local.daytona.LocalDaytona;
import dev.gorkie.local.slack.Channel;
import dev.gorkie.local.slack.DeliveryOptions;
import dev.gorkie.local.slack.Utterance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/// One thread from its first message to its rest, with one fault on the way.
final class History {

  // A turn that is killed once is answered in some seconds, and in minutes where many share a
  // processor; who needs this has lost a message.
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  // The failure queue is looked into after Lambda has given up, which takes three minutes at least.
  private static final Duration LAMBDA_GIVES_UP = Duration.ofMinutes(8);
  // A frame is called by its first record, which is seldom a step's beginning.
  private static final String AT_WORK = "daytona frame out tool_execution";
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  // What a round takes, when it does not stay to watch.
  private static final Duration SWEEPING = Duration.ofSeconds(5);
  private static final int SWEEPS_AT_ONCE_MAX = 3;
  // What an older holder still says in Slack is gone by then.
  private static final Duration GONE_WITHIN = Duration.ofSeconds(60);
  // The sign of one who was killed goes when his lease has lapsed and somebody has looked; what no
  // pace divides comes on top: that one may have to start first.
  private static final Duration STARTS_WITHIN = Duration.ofSeconds(10);

  private final Scene scene;
  private final String name;
  private final long seed;
  private final Wish wish;
  private final Plan plan;
  private final Duration patience;
  private final Trace trace;
  private final List<Told> told = new ArrayList<>();
  private Optional<Channel> channel = Optional.empty();
  private String root = "";
  private boolean stopped;
  private int givenUp;
  private boolean delivered;

  /// What came of it.
  record Outcome(
      String name,
      long seed,
      Wish wish,
      Plan plan,
      int strikes,
      int givenUp,
      boolean takenBefore,
      Optional<Duration> recovery,
      Optional<Duration> shown,
      List<String> apologies,
      List<Violation> violations,
      Judge.Case about,
      List<String> boundaries,
      List<Duration> pauses,
      String page) {}

  History(Scene scene, String name, long seed, Wish wish, Plan plan) {
    this.scene = scene;
    this.name = name;
    this.seed = seed;
    this.wish = wish;
    this.plan = plan;
    this.patience = Duration.ofMillis(wish.millis());
    this.trace = new Trace(scene.crew());
  }

  Trace trace() {
    return trace;
  }

  String thread() {
    return scene.world().slack().teamId() + ":" + channel.orElseThrow().id() + ":" + root;
  }

  Wish wish() {
    return wish;
  }

  Plan plan() {
    return plan;
  }

  /// Runs it to its end and judges it.
  Outcome run(Tale tale) throws IOException, InterruptedException {
    var place = "h-" + name.toLowerCase(Locale.ROOT);
    channel = Optional.of(scene.world().slack().addChannel(place, Channel.Kind.PUBLIC));
    tale.tell(this);
    return judge(awaitRest());
  }

  /// Writes a message in the thread, its first or a later one.
  void say(Wish how, Plan faults) {
    write(how);
    trace.arm(faults);
    scene.world().slack().release(told.getLast().ts());
  }

  /// Has it stopped, once the agent is at work.
  void stop() throws InterruptedException {
    var until = Instant.now().plus(PATIENCE);
    while (!trace.hasSeen(AT_WORK)) {
      if (Instant.now().isAfter(until)) {
        throw new IllegalStateException("The agent has done nothing in " + thread());
      }
      Thread.sleep(LOOK_EVERY);
    }
    var channelName = channel.orElseThrow().name();
    told.add(
        new Told(
            name + "." + told.size(),
            scene.world().slack().say(Utterance.in(channelName, "ada", "!stop").inThread(root))));
  }

  /// Writes some, and has them delivered in another order.
  void say(Wish how, List<Integer> order, Duration pause) throws InterruptedException {
    order.forEach(_ -> write(how));
    for (var at : order) {
      scene.world().slack().release(told.get(at).ts());
      Thread.sleep(pause);
    }
  }

  private void write(Wish how) {
    var message = name + "." + told.size();
    var options = DeliveryOptions.usual().onHold();
    if (!how.doubled()) {
      options = options.only(DeliveryOptions.Copies.MENTION);
    }
    var utterance =
        Utterance.in(channel.orElseThrow().name(), "ada", "@gorkie " + how.text(message, seed))
            .delivered(options);
    var ts = scene.world().slack().say(root.isEmpty() ? utterance : utterance.inThread(root));
    root = root.isEmpty() ? ts : root;
    told.add(new Told(message, ts));
    delivered = false;
    trace.is(thread());
    scene.wires().follow(thread(), trace);
  }

  /// Until Slack has brought all, or has given up.
  void awaitDelivered() throws InterruptedException {
    scene.world().slack().awaitQuiet(channel.orElseThrow().name(), PATIENCE);
  }

  /// What Slack has given up was never handed over, and nothing is owed for it: a machine may be too busy to start a process in the
  /// three seconds that it grants.
  private void forgetGivenUp() {
    var before = told.size();
    told.removeIf(one -> !scene.isHandedOver(one.ts()));
    givenUp += before - told.size();
  }

  /// Until the thread is at rest, up to three go round at a time; once somebody writes in it meanwhile, and once those are killed.
  ///
  /// @return how often somebody was sent round
  int sweep(Wish later, Random random) throws InterruptedException {
    var until = Instant.now().plus(PATIENCE);
    var sent = 0;
    var killed = false;
    while (Instant.now().isBefore(until) && !scene.books().isAtRest(thread(), told.size())) {
      // Before that nobody has left anything.
      if (trace.strikes() > 0) {
        // Whoever goes round takes a place that others need.
        var wanted = 1 + random.nextInt(SWEEPS_AT_ONCE_MAX) - scene.crew().sweepers().size();
        for (var sweep = 0; sweep < wanted; sweep++) {
          scene.sweep();
          sent++;
        }
        if (told.size() == 1 && random.nextBoolean()) {
          say(later, Plan.none());
        }
        Thread.sleep((long) (scene.pace().scaled(SWEEPING).toMillis() * random.nextDouble()));
        if (!killed && random.nextBoolean()) {
          trace.killSweepers();
          killed = true;
        }
      }
      Thread.sleep(LOOK_EVERY);
    }
    return sent;
  }

  boolean awaitRest() throws InterruptedException {
    var until =
        Instant.now().plus(PATIENCE).plus(scene.pace().scaled(LAMBDA_GIVES_UP)).plus(patience);
    while (Instant.now().isBefore(until)) {
      if (scene.books().isAtRest(thread(), told.size())
          && scene.crew().servers(thread()).isEmpty()) {
        return true;
      }
      if (!delivered && scene.world().slack().isQuiet(channel.orElseThrow().name())) {
        delivered = true;
        forgetGivenUp();
      }
      Thread.sleep(LOOK_EVERY);
    }
    return false;
  }

  /// Until every job that was begun is over. Meanwhile others say that it is.
  void awaitJobs() throws IOException, InterruptedException {
    var until = Instant.now().plus(PATIENCE).plus(patience);
    var running = runningJobs();
    while (!running.isEmpty() && Instant.now().isBefore(until)) {
      for (var job : running) {
        scene.post().forge(thread(), job);
      }
      Thread.sleep(LOOK_EVERY);
      running = runningJobs();
    }
  }

  List<String> runningJobs() {
    return scene
        .books()
        .rows("select job_id from jobs where thread_id = ? and state = 'running'", thread())
        .stream()
        .map(row -> Books.word(row, "job_id"))
        .toList();
  }

  private LocalDaytona.View sandbox() {
    return scene
        .world()
        .daytona()
        .sandbox("gorkie-" + thread().replace(':', '-'))
        .orElseThrow(() -> new IllegalStateException("The thread has no machine"));
  }

  /// What looks after Pi there, and not what looks after jobs.
  void killKeeper() {
    sandbox().processes().stream()
        .filter(it -> it.info().commandLine().orElse("").endsWith("keeper.mjs keep"))
        .forEach(ProcessHandle::destroyForcibly);
  }

  /// With whatever runs on it.
  void stopMachine() throws IOException, InterruptedException {
    stopped = true;
    scene.stop(sandbox().id());
  }

  private Outcome judge(boolean rested) throws IOException, InterruptedException {
    var judge = new Judge(scene);
    var about =
        new Judge.Case(
            thread(),
            channel.orElseThrow().id(),
            root,
            List.copyOf(told),
            wish.shape().equals("file") && givenUp == 0 ? 1 : 0);
    var found = new ArrayList<Violation>();
    if (!rested) {
      found.add(new Violation("I1", "the thread did not come to rest"));
    }
    found.addAll(settled(judge, about));
    var sandbox = scene.world().daytona().sandbox("gorkie-" + thread().replace(':', '-'));
    if (sandbox.isPresent()) {
      found.addAll(judge.lookInto(sandbox.get().home(), about));
      if (wish.hasJobs()) {
        found.addAll(new JobJudge(scene, stopped).look(about, sandbox.get().home()));
      }
    }
    machine(judge, about).ifPresent(found::add);
    if (wish.isStopped() && !judge.apologies(about).contains("STOPPED")) {
      found.add(new Violation("I1", "a stop was not obeyed"));
    }
    sign(about).ifPresent(found::add);
    found.addAll(trace.violations());
    found.addAll(judge.kept(sandbox.map(it -> it.home()), about, trace.boundaries()));
    if (sandbox.isPresent()) {
      scene.world().daytona().delete(sandbox.get().id());
    }
    return new Outcome(
        name,
        seed,
        wish,
        plan,
        trace.strikes(),
        givenUp,
        trace.wasTakenBeforeFault(),
        trace.recovery(),
        trace.shown(),
        judge.apologies(about),
        List.copyOf(found),
        about,
        trace.boundaries(),
        trace.pauses(),
        found.isEmpty() ? "" : trace.page() + evidence(about));
  }

  /// What is wrong and stays so.
  private List<Violation> settled(Judge judge, Judge.Case about)
      throws IOException, InterruptedException {
    var found = judge.look(about);
    var until = Instant.now().plus(scene.pace().scaled(GONE_WITHIN));
    while (!found.isEmpty() && Instant.now().isBefore(until)) {
      Thread.sleep(LOOK_EVERY);
      found = judge.look(about);
    }
    return found;
  }

  /// What a worker left unwritten when it was killed, the sweep writes down.
  private Optional<Violation> machine(Judge judge, Judge.Case about) throws InterruptedException {
    var until = Instant.now().plus(scene.pace().scaled(Pace.RECONCILED_EVERY.multipliedBy(2)));
    var found = judge.machine(about);
    while (found.isPresent() && Instant.now().isBefore(until)) {
      Thread.sleep(LOOK_EVERY);
      found = judge.machine(about);
    }
    return found;
  }

  private Optional<Violation> sign(Judge.Case about) throws InterruptedException {
    var until = Instant.now().plus(scene.pace().scaled(GONE_WITHIN)).plus(STARTS_WITHIN);
    while (scene.world().slack().thread(about.channel(), about.root()).isShownAtWork()) {
      if (Instant.now().isAfter(until)) {
        return Optional.of(new Violation("I2", "somebody is shown at work, and nobody is"));
      }
      Thread.sleep(LOOK_EVERY);
    }
    return Optional.empty();
  }

  private String evidence(Judge.Case about) throws IOException, InterruptedException {
    var page = new StringBuilder();
    scene
        .books()
        .inbox(about.thread())
        .forEach(row -> page.append("  inbox  ").append(row).append('\n'));
    scene
        .books()
        .turns(about.thread())
        .forEach(row -> page.append("  turn   ").append(row).append('\n'));
    for (var delivery : scene.world().slack().deliveries()) {
      if (told.stream().anyMatch(one -> one.ts().equals(delivery.event().getString("ts", "")))) {
        page.append(
            "  event  %s %s, attempt %d: %s in %d ms%n"
                .formatted(
                    delivery.type(),
                    delivery.event().getString("ts"),
                    delivery.attempt(),
                    delivery.failure().orElse("taken"),
                    delivery.took().toMillis()));
      }
    }
    scene
        .books()
        .outbox(about.channel(), about.root())
        .forEach(row -> page.append("  outbox ").append(row).append('\n'));
    scene
        .eyes()
        .thread(about.channel(), about.root())
        .forEach(said -> page.append("  slack  ").append(said).append('\n'));
    return page.toString();
  }
}
