package dev.gorkie.ingress;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.erasure.Erasure;
import dev.gorkie.handoff.Alarm;
import dev.gorkie.handoff.Failures;
import dev.gorkie.handoff.Handoff;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.inbox.Vigil;
import dev.gorkie.jobs.Jobs;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.settings.Role;
import dev.gorkie.slack.Installations;
import dev.gorkie.slack.Replies;
import dev.gorkie.tasks.Tasks;
import dev.gorkie.webhook.Webhook;
import dev.gorkie.workbench.Workbench;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/// Looks for what nobody is working on: a wake that was lost, a worker that died, a delivery that Lambda gave up, a sandbox
/// that runs for nobody, words of which nobody knows whether they arrived.
///
/// It repairs and deletes nothing; two that look at once do no harm.
@ApplicationScoped
class Sweep {

  private static final Logger LOG = Logger.getLogger(Sweep.class);

  // As many as one look may wake; the next one finds the rest.
  private static final int THREADS_MAX = 100;
  // A look gives out ten; these are as many as an hour's outage leaves in a busy workspace.
  private static final int FAILED_LOOKS_MAX = 100;
  // Each is some calls to Slack, one after the other.
  private static final int WORDS_MAX = 5;

  private final Inbox inbox;
  private final Vigil vigil;
  private final Handoff handoff;
  private final Alarm alarm;
  private final Failures failures;
  private final Work work;
  private final Sessions sessions;
  private final Jobs jobs;
  private final Tasks tasks;
  private final Workbench workbench;
  private final Replies replies;
  private final Webhook webhook;
  private final Erasure erasure;
  private final Installations installations;
  private final Logbook logbook;
  private final Role role;
  private final Duration onTheWay;
  private final Duration quietAfter;
  private final Watch watch;

  @ConfigMapping(prefix = "gorkie.watch")
  interface Watch {

    /// The clock that wakes a function strikes once a minute, which is too long to wait for a lease that has lapsed. So
    /// the one that it wakes stays while work is under way, nearly until the next stroke.
    @WithDefault("55s")
    Duration lasts();

    /// Somebody who watches over nothing any more costs as much as somebody who works.
    @WithDefault("1s")
    Duration endsWithin();

    /// As long as Slack or a database may be away; what can never be taken in would keep the clock on for the fourteen days that it lies
    /// there. It is tried again whenever somebody looks for something else.
    @WithDefault("1h")
    Duration drivesBackFor();

    /// It lists every sandbox there is, for what happens once in a blue moon.
    @WithDefault("10m")
    Duration reconcilesEvery();
  }

  @Inject
  Sweep(
      Inbox inbox,
      Vigil vigil,
      Handoff handoff,
      Alarm alarm,
      Failures failures,
      Work work,
      Sessions sessions,
      Jobs jobs,
      Tasks tasks,
      Workbench workbench,
      Replies replies,
      Webhook webhook,
      Erasure erasure,
      Installations installations,
      Logbook logbook,
      Role role,
      @ConfigProperty(name = "gorkie.sweep.on-the-way") Duration onTheWay,
      @ConfigProperty(name = "gorkie.sweep.quiet-after") Duration quietAfter,
      Watch watch) {
    this.inbox = inbox;
    this.vigil = vigil;
    this.handoff = handoff;
    this.alarm = alarm;
    this.failures = failures;
    this.work = work;
    this.sessions = sessions;
    this.jobs = jobs;
    this.tasks = tasks;
    this.workbench = workbench;
    this.replies = replies;
    this.webhook = webhook;
    this.erasure = erasure;
    this.installations = installations;
    this.logbook = logbook;
    this.role = role;
    this.onTheWay = onTheWay;
    this.quietAfter = quietAfter;
    this.watch = watch;
  }

  /// In a server always, in a function while it works on something.
  // The scheduler starts before everything else, so that the first look could come before the
  // tables.
  @Scheduled(
      every = "${gorkie.sweep.every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void look() {
    if (role.works()) {
      inbox.abandoned(onTheWay, THREADS_MAX).forEach(handoff::wake);
      workbench.abandoned(THREADS_MAX).forEach(handoff::carryOut);
    }
    if (role == Role.SERVER) {
      logbook.queueAge(inbox.oldestWaiting());
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.pause-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void pauseSilent() {
    if (role == Role.SERVER) {
      sessions.pauseSilent(this::isAtRest);
      logbook.sandboxes(sessions.awake());
    }
  }

  /// What runs in the background needs its sandbox as much as a turn does.
  private boolean isAtRest(ThreadKey thread) {
    return inbox.isAtRest(thread) && !jobs.isAnyRunning(thread) && !workbench.isAnyOpen(thread);
  }

  @Scheduled(
      every = "${gorkie.sweep.jobs-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void lookAtJobs() throws InterruptedException {
    if (role == Role.SERVER) {
      jobs.look().forEach(handoff::wake);
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.jobs-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void tidy() throws InterruptedException {
    if (role == Role.SERVER) {
      workbench.tidy();
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.tasks-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void lookForDue() throws InterruptedException {
    if (role == Role.SERVER) {
      doWhatIsDue();
    }
  }

  /// In a function only within an invocation: what stood still in the middle of it would keep it from everybody else.
  private void doWhatIsDue() throws InterruptedException {
    var done = tasks.fire();
    if (!done.woken().isEmpty() && role == Role.WORKER) {
      somethingIsOpen();
    }
    done.woken().forEach(handoff::wake);
    for (var subject : done.subjects()) {
      replies.say(subject);
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.webhook-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void tellPrograms() {
    if (role == Role.SERVER) {
      webhook.post();
    }
  }

  /// A sandbox whose agent waits for a person looks idle to whoever runs it.
  @Scheduled(
      every = "${gorkie.sweep.suspended-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void keepAwake() {
    if (role == Role.SERVER) {
      keepSuspendedAwake();
    }
  }

  private void keepSuspendedAwake() {
    inbox.suspended(THREADS_MAX).forEach(sessions::keepAwake);
  }

  @Scheduled(
      every = "${gorkie.sweep.reconcile-every}",
      skipExecutionIf = Scheduled.ApplicationNotRunning.class,
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void reconcile() throws InterruptedException {
    if (role == Role.SERVER) {
      sessions.reconcile(inbox::knows);
      installations.sealAnew();
    }
  }

  @Scheduled(
      every = "${gorkie.sweep.words-every}",
      delayed = "30s",
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void lookForWords() throws InterruptedException {
    if (role.works()) {
      replies.resolve(WORDS_MAX);
    }
  }

  /// Who has thrown us out is forgotten when it is time.
  @Scheduled(
      every = "${gorkie.sweep.forget-every}",
      delayed = "1m",
      concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
  void forget() throws InterruptedException {
    if (role == Role.SERVER) {
      erasure.due();
    }
  }

  /// Something waits now: from here on the clock has to run.
  void somethingIsOpen() {
    var missing = vigil.missing();
    keepClock(missing);
    if (missing.watch()) {
      // Nobody waits for it: the work itself is more urgent.
      Thread.ofVirtual().name("watch").start(handoff::watch);
    }
  }

  private void keepClock(Vigil.Missing missing) {
    if (missing.clock() && vigil.begin()) {
      switchOn();
    }
  }

  private void switchOn() {
    try {
      alarm.switchOn();
    } catch (IOException e) {
      LOG.warn("The sweep's clock could not be switched on; the next message tries again", e);
      vigil.giveUp();
    }
  }

  /// Who has it look.
  enum Caller {
    CLOCK,
    /// Somebody who begins to work. What is written of the clock may be wrong then: whoever switched it may have died before he wrote
    /// it down, or after.
    WORKER
  }

  /// One of the things that a look is for.
  @FunctionalInterface
  private interface Step {
    void take() throws InterruptedException;
  }

  /// What breaks off keeps nothing else from being looked at; it is told in the end.
  void alarmed(Duration left, Caller caller) throws InterruptedException {
    var broken = new ArrayList<RuntimeException>();
    for (var step : steps(left, caller)) {
      try {
        step.take();
      } catch (RuntimeException e) {
        LOG.warn("Something that the sweep is for broke off; the next look goes on with it", e);
        broken.add(e);
      }
    }
    if (!broken.isEmpty()) {
      throw broken.getFirst();
    }
  }

  private List<Step> steps(Duration left, Caller caller) {
    return List.of(
        () -> logbook.queueAge(inbox.oldestWaiting()),
        // Before all that waits for others: it has a time of its own.
        this::doWhatIsDue,
        this::look,
        this::driveBackIn,
        this::keepSuspendedAwake,
        () -> jobs.look().forEach(handoff::wake),
        () -> sessions.pauseSilent(this::isAtRest),
        () -> logbook.sandboxes(sessions.awake()),
        webhook::post,
        this::lookForWords,
        workbench::tidy,
        this::reconcileWhenDue,
        () -> restIfQuiet(caller),
        () -> watch(left));
  }

  private void reconcileWhenDue() throws InterruptedException {
    if (vigil.reconciles(watch.reconcilesEvery())) {
      sessions.reconcile(inbox::knows);
      erasure.due();
      installations.sealAnew();
    }
  }

  /// A function that has an invocation in hand looks every few seconds, as a server does.
  private void watch(Duration left) throws InterruptedException {
    var most = left.compareTo(watch.lasts()) < 0 ? left : watch.lasts();
    if (!isAnyUnderWay() || !vigil.watch(most)) {
      return;
    }
    try {
      var watching = Deadline.in(most);
      while (!watching.isOver() && isAnyUnderWay()) {
        Thread.sleep(watch.endsWithin());
      }
    } finally {
      vigil.watchEnds();
    }
  }

  private boolean isAnyUnderWay() {
    return inbox.isAnyUnderWay() || workbench.isAnyUnderWay();
  }

  /// All that lies there, as far as it goes. What cannot be taken in keeps nothing else, and lies there again in a minute.
  private void driveBackIn() throws InterruptedException {
    try {
      var isAnyNewLeft = false;
      for (var looks = 0; looks < FAILED_LOOKS_MAX; looks++) {
        var some = failures.look();
        var taken = 0;
        for (var failed : some) {
          if (isTakenIn(failed)) {
            failures.remove(failed);
            taken++;
          } else {
            isAnyNewLeft |= failed.since().isAfter(Instant.now().minus(watch.drivesBackFor()));
          }
        }
        if (taken == 0) {
          break;
        }
      }
      if (isAnyNewLeft) {
        somethingComesAgain();
      }
      work.say();
    } catch (IOException e) {
      LOG.warn("What Lambda gave up could not be looked at", e);
    }
  }

  private boolean isTakenIn(Failures.Failed failed) throws InterruptedException {
    try {
      if (failed.delivery().body().length > 0) {
        work.accept(failed.delivery()).ifPresent(handoff::wake);
      }
      return true;
    } catch (RuntimeException e) {
      LOG.warn("What Lambda gave up could not be taken in", e);
      return false;
    }
  }

  /// Lambda brings twice more what was not taken in, in three minutes, and gives it up then: until it is driven back in, the clock has
  /// to run, also where nothing else is open.
  void somethingComesAgain() {
    try {
      if (!vigil.prolong()) {
        return;
      }
    } catch (RuntimeException e) {
      LOG.warn("It could not be written down that the sweep's clock goes on", e);
    }
    switchOn();
  }

  /// Written down first and off after. Whoever dies in between leaves a clock that strikes, and the next one switches it off. A
  /// message that comes in between begins it anew; it may have been switched on before it is switched off here.
  private void restIfQuiet(Caller caller) {
    var next = tasks.next();
    if (isAnythingOpen() || next.filter(this::isSoon).isPresent()) {
      if (caller == Caller.CLOCK) {
        // One that struck for what was due strikes again only a day later.
        keepClock(vigil.missing());
      } else {
        vigil.begin();
        switchOn();
      }
      return;
    }
    if (!vigil.end(quietAfter)) {
      return;
    }
    try {
      if (next.isPresent()) {
        alarm.switchOnAt(next.get());
      } else {
        alarm.switchOff();
      }
    } catch (IOException e) {
      LOG.warn("The sweep's clock could not be switched; where it strikes, it is tried again", e);
    }
    if (!vigil.missing().clock()) {
      switchOn();
    } else if (workbench.isAnyOpen()) {
      // Who accepted it in between found the clock on.
      keepClock(vigil.missing());
    }
  }

  private boolean isAnythingOpen() {
    return !inbox.isQuiet(quietAfter)
        || replies.haveLeftovers()
        || jobs.areAnyRunning()
        || workbench.isAnyOpen()
        || webhook.hasLeftovers();
  }

  private boolean isSoon(Instant due) {
    return due.isBefore(Instant.now().plus(quietAfter));
  }
}
