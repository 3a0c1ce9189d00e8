package dev.gorkie.ingress;

import dev.gorkie.Deadline;
import dev.gorkie.ThreadKey;
import dev.gorkie.commands.Commands;
import dev.gorkie.commands.Home;
import dev.gorkie.erasure.Erasure;
import dev.gorkie.handoff.Delivery;
import dev.gorkie.handoff.Worker;
import dev.gorkie.inbox.Accepted;
import dev.gorkie.inbox.Inbox;
import dev.gorkie.jobs.JobEnd;
import dev.gorkie.jobs.Jobs;
import dev.gorkie.policy.Policy;
import dev.gorkie.policy.Verdict;
import dev.gorkie.policy.Verdict.Why;
import dev.gorkie.previews.Previews;
import dev.gorkie.settings.Role;
import dev.gorkie.slack.Answered;
import dev.gorkie.slack.AtHome;
import dev.gorkie.slack.Glance;
import dev.gorkie.slack.Glances;
import dev.gorkie.slack.Installations;
import dev.gorkie.slack.Membership;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.MessageEvent.Kind;
import dev.gorkie.slack.Pressed;
import dev.gorkie.slack.Reacted;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.SlackEvent;
import dev.gorkie.slack.Starters;
import dev.gorkie.tasks.Tasks;
import dev.gorkie.turns.Approvals;
import dev.gorkie.turns.Turns;
import dev.gorkie.webhook.Webhook;
import dev.gorkie.workbench.Workbench;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// What happens behind the second door, whichever way one came through it.
@ApplicationScoped
class Work implements Worker {

  private static final Logger LOG = Logger.getLogger(Work.class);

  // A server has no end of its own. This one is longer than any run, so that a turn without end is
  // noticed.
  private static final Duration SERVER_TURN_MAX = Duration.ofHours(6);

  private static final String NOT_THEIRS =
      "Only whoever asked me for this can answer here. Please leave it to them.";
  private static final String ANSWER_FIRST =
      "I am waiting for an answer first: I have asked in this conversation whether I may do"
          + " something. Press one of the two buttons there and I go on with this.";
  private static final String NOT_PLANNED = "That is not planned any more, or not yours to cancel.";
  private static final String OVER_ALREADY = "That is over already.";
  private static final String TOO_LATE =
      "This question has been answered, or nobody asks it any more. Write to me if you want"
          + " something else.";

  private final Installations installations;
  private final Erasure erasure;
  private final Inbox inbox;
  private final Commands commands;
  private final Policy policy;
  private final Home home;
  private final Glances glances;
  private final Starters starters;
  private final Approvals approvals;
  private final Jobs jobs;
  private final Tasks tasks;
  private final Previews previews;
  private final Webhook webhook;
  private final Turns turns;
  private final Workbench workbench;
  private final Replies replies;
  private final Role role;
  private final Settings settings;
  // One party for each thread that is worked on, and one for being open at all.
  private final Phaser atWork = new Phaser(1);
  private final Queue<Saying> toSay = new ConcurrentLinkedQueue<>();
  private final Leaving leaving;

  @ConfigMapping(prefix = "gorkie.work")
  interface Settings {

    /// What it takes to leave a turn in order: note where we are, finish what is being said, close the terminal, wake the
    /// next worker.
    @WithDefault("60s")
    Duration leavesBefore();
  }

  @Inject
  Work(
      Installations installations,
      Erasure erasure,
      Inbox inbox,
      Commands commands,
      Policy policy,
      Home home,
      Glances glances,
      Starters starters,
      Approvals approvals,
      Jobs jobs,
      Tasks tasks,
      Previews previews,
      Webhook webhook,
      Turns turns,
      Workbench workbench,
      Replies replies,
      Leaving leaving,
      Role role,
      Settings settings) {
    this.installations = installations;
    this.erasure = erasure;
    this.leaving = leaving;
    this.inbox = inbox;
    this.policy = policy;
    this.home = home;
    this.glances = glances;
    this.starters = starters;
    this.approvals = approvals;
    this.jobs = jobs;
    this.tasks = tasks;
    this.previews = previews;
    this.webhook = webhook;
    this.role = role;
    this.commands = commands;
    this.turns = turns;
    this.workbench = workbench;
    this.replies = replies;
    this.settings = settings;
  }

  @Override
  public Optional<ThreadKey> accept(Delivery delivery) {
    var ended = JobEnd.read(delivery.body());
    if (ended.isPresent()) {
      return jobs.over(ended.get());
    }
    installations.heard(delivery.body());
    var event = SlackEvent.read(delivery.body());
    return switch (policy.on(event)) {
      case Verdict.Allowed() -> allowed(event, delivery.body());
      case Verdict.Refused(var why) -> refused(event, why);
      case Verdict.Enough(var since, var sentence) ->
          event.written().flatMap(it -> enough(it, since, sentence));
    };
  }

  private Optional<ThreadKey> allowed(SlackEvent event, byte[] body) {
    return switch (event) {
      case SlackEvent.Joining(var change) -> joining(change);
      case SlackEvent.Decided(var answered) -> decided(answered);
      case SlackEvent.Chosen(var pressed) -> chosen(pressed);
      case SlackEvent.Stopping(var reaction) -> stopping(reaction);
      case SlackEvent.Slashed(var command) ->
          later(() -> replies.respond(command, commands.answer(command)));
      case SlackEvent.Visited(var at) -> {
        home.change(at);
        yield later(() -> home.show(at));
      }
      case SlackEvent.Looking(var glance) -> looking(glance);
      default -> said(event, body);
    };
  }

  /// Whoever has spoken to us reads why nothing comes of it, once; a mention comes as two events, and may be edited.
  private Optional<ThreadKey> refused(SlackEvent event, Why why) {
    LOG.infof("%s by %s is refused: %s", event.getClass().getSimpleName(), event.thread(), why);
    return switch (event) {
      case SlackEvent.Said(var said) when said.kind() == Kind.APP_MENTION || said.direct() ->
          sentence(why, said.team())
              .flatMap(
                  it ->
                      later(
                          () ->
                              replies.whisper(
                                  said.team(), said.channel(), said.rootTs(), said.user(), it)));
      case SlackEvent.Decided(var answered) ->
          sentence(why, answered.team()).flatMap(it -> whisper(answered, it));
      case SlackEvent.Slashed(var command) ->
          sentence(why, command.team()).flatMap(it -> later(() -> replies.respond(command, it)));
      default -> Optional.empty();
    };
  }

  private Optional<String> sentence(Why why, String team) {
    return why.sentence(why == Why.NOT_OPTED_IN ? policy.optInChannel(team) : "");
  }

  private Optional<ThreadKey> looking(Glance glance) {
    return glances.note(glance) || glance.opened()
        ? later(() -> starters.offer(glance))
        : Optional.empty();
  }

  private Optional<ThreadKey> joining(Membership change) {
    return switch (change) {
      case Membership.Agreed agreed -> later(() -> installations.join(agreed));
      case Membership.Ended ended -> {
        installations.leave(ended);
        erasure.departed(ended);
        yield Optional.empty();
      }
    };
  }

  private Optional<ThreadKey> chosen(Pressed pressed) {
    LOG.infof(
        "%s of %s in workspace %s: %s",
        pressed.action(), pressed.user(), pressed.team(), pressed.id());
    return switch (pressed.action()) {
      case STOP_JOB ->
          later(
              jobs.isToStop(pressed)
                  ? () -> jobs.stop(pressed.id())
                  : () ->
                      replies.whisper(
                          pressed.team(),
                          pressed.channel(),
                          pressed.threadTs(),
                          pressed.user(),
                          OVER_ALREADY));
      case CANCEL_TASK -> later(cancelling(pressed, tasks.cancel(pressed)));
      case OPEN_PORT ->
          later(
              () ->
                  replies.whisper(
                      pressed.team(),
                      pressed.channel(),
                      pressed.threadTs(),
                      pressed.user(),
                      previews.open(pressed)));
    };
  }

  private Saying cancelling(Pressed pressed, Optional<String> cancelled) {
    return () -> {
      if (cancelled.isPresent()) {
        replies.say(cancelled.get());
      } else if (!pressed.isAtHome()) {
        replies.whisper(
            pressed.team(), pressed.channel(), pressed.threadTs(), pressed.user(), NOT_PLANNED);
      }
      if (pressed.isAtHome()) {
        home.show(new AtHome(pressed.team(), pressed.user(), Optional.empty()));
      }
    };
  }

  /// As if the person had pressed the button for it, where something is under way.
  private Optional<ThreadKey> stopping(Reacted reaction) {
    var body =
        inbox
            .rootOf(reaction.team(), reaction.channel(), reaction.ts())
            .or(() -> replies.rootOf(reaction.team(), reaction.channel(), reaction.ts()))
            .map(reaction::asStop);
    if (body.isEmpty()) {
      return Optional.empty();
    }
    var stop = SlackEvent.read(body.get());
    return stop.thread().filter(inbox::isAtRest).isPresent()
        ? Optional.empty()
        : said(stop, body.get());
  }

  private Optional<ThreadKey> said(SlackEvent event, byte[] body) {
    var message = event.written();
    if (event.thread().filter(it -> !installations.isIn(it.team())).isPresent()) {
      LOG.infof("Nobody has let us into the workspace of thread %s", event.thread());
      return Optional.empty();
    }
    var accepted = accept(event, body);
    LOG.infof("%s of thread %s: %s", event.getClass().getSimpleName(), event.thread(), accepted);
    return switch (accepted) {
      // A message that is known may be one whose wake was lost.
      case WAITING, KNOWN, OBEYED -> event.thread();
      case HELD_UP -> message.flatMap(this::heldUp);
      case CHANGED, NOT_FOR_US -> Optional.empty();
    };
  }

  private Accepted accept(SlackEvent event, byte[] body) {
    if (event instanceof SlackEvent.Said(var said)
        && said.command().filter(command -> !command.word().waitsItsTurn()).isPresent()) {
      var accepted = commands.obey(said);
      // Where it was obeyed before, whoever did says it, or the sweep.
      if (accepted == Accepted.OBEYED) {
        toSay.add(() -> commands.say(said));
      }
      return accepted;
    }
    return inbox.accept(event, body);
  }

  private Optional<ThreadKey> heldUp(MessageEvent by) {
    return instead(by, "held-up-" + by.team() + "-" + by.channel() + "-" + by.ts(), ANSWER_FIRST);
  }

  /// Said once, however often it goes on.
  private Optional<ThreadKey> enough(MessageEvent event, String since, String sentence) {
    LOG.infof("Enough was asked before message %s of thread %s", event.ts(), event.threadKey());
    return instead(event, "enough-" + event.team() + "-" + event.channel() + "-" + since, sentence);
  }

  /// What is said for want of an answer is written down before Slack hears that we have the message.
  private Optional<ThreadKey> instead(MessageEvent of, String subject, String sentence) {
    replies.noteNow(of.address(), subject, sentence);
    return later(() -> replies.say(subject));
  }

  private Optional<ThreadKey> decided(Answered answered) {
    return switch (approvals.answer(answered)) {
      case Approvals.Heard.Counted(var thread) -> Optional.of(thread);
      case Approvals.Heard.NotTheirs() -> whisper(answered, NOT_THEIRS);
      case Approvals.Heard.TooLate() -> whisper(answered, TOO_LATE);
    };
  }

  private Optional<ThreadKey> whisper(Answered to, String text) {
    return later(() -> replies.whisper(to.team(), to.channel(), to.threadTs(), to.user(), text));
  }

  private Optional<ThreadKey> later(Saying saying) {
    toSay.add(saying);
    if (role == Role.SERVER) {
      // No thread is to be worked on, so nobody else will come by.
      Thread.ofVirtual().name("whisper").start(this::sayWhatIsLeft);
    }
    return Optional.empty();
  }

  private void sayWhatIsLeft() {
    try {
      say();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// What was decided when it was accepted is said before anything else is done.
  void say() throws InterruptedException {
    for (var saying = toSay.poll(); saying != null; saying = toSay.poll()) {
      try {
        saying.say();
      } catch (RuntimeException e) {
        // What is written down the sweep says; the rest was for somebody who will ask again.
        LOG.warnf(e, "Something was not said");
      }
    }
  }

  @FunctionalInterface
  private interface Saying {
    void say() throws InterruptedException;
  }

  @Override
  public void work(ThreadKey thread) throws InterruptedException {
    work(thread, Deadline.in(SERVER_TURN_MAX));
  }

  @Override
  public void carryOut(String operation) throws InterruptedException {
    carryOut(operation, Deadline.in(SERVER_TURN_MAX));
  }

  /// The same; false where somebody has to go on with it.
  boolean carryOutFor(String operation, Duration left) throws InterruptedException {
    return carryOut(operation, Deadline.in(toWork(left)));
  }

  private boolean carryOut(String operation, Deadline deadline) throws InterruptedException {
    if (leaving.hasBegun() || atWork.register() < 0) {
      return true;
    }
    try {
      var carriedOut = workbench.carryOut(operation, deadline.unless(leaving::hasBegun));
      if (carriedOut) {
        workbench.clear(operation);
      }
      return carriedOut;
    } finally {
      atWork.arriveAndDeregister();
    }
  }

  /// Until there is just enough time left to leave in order.
  void workFor(ThreadKey thread, Duration left) throws InterruptedException {
    work(thread, Deadline.in(toWork(left)));
  }

  private Duration toWork(Duration left) {
    var toLeave = settings.leavesBefore();
    // One that is late already leaves in as good an order as there is time for.
    return left.compareTo(toLeave.multipliedBy(2)) > 0 ? left.minus(toLeave) : left.dividedBy(2);
  }

  private void work(ThreadKey thread, Deadline deadline) throws InterruptedException {
    if (leaving.hasBegun() || atWork.register() < 0) {
      return;
    }
    try {
      say();
      turns.run(thread, deadline.unless(leaving::hasBegun));
      webhook.post();
    } finally {
      atWork.arriveAndDeregister();
    }
  }

  /// Leaves every turn where it is. Pi goes on; whoever starts next finds what is not settled.
  void leave(@Observes ShutdownEvent end) throws InterruptedException {
    try {
      atWork.awaitAdvanceInterruptibly(
          atWork.arriveAndDeregister(), settings.leavesBefore().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      LOG.warnf("%d turns were not left in order", atWork.getRegisteredParties());
    }
  }
}
