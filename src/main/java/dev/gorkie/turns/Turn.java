package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.FailureCode;
import dev.gorkie.HoldLost;
import dev.gorkie.database.Database;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Message;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.Manner;
import dev.gorkie.pi.Outcome;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.pi.PiFailure;
import dev.gorkie.preferences.Chosen;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.sandbox.SandboxFailure;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.sessions.Waking;
import dev.gorkie.sessions.Workspace;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.LastWord;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.Reply;
import dev.gorkie.slack.Usage;
import dev.gorkie.webhook.Webhook;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// The work on a thread's waiting messages, from the first sign of life to the one visible outcome.
final class Turn {

  private static final Logger LOG = Logger.getLogger(Turn.class);

  private final Claim claim;
  private final Rooms rooms;
  private final Deadline deadline;
  private Optional<Relay> relay = Optional.empty();
  // From where on this turn's part of the journal is read, and whether the agent may have been told
  // of it by this worker.
  private OptionalLong first = OptionalLong.empty();
  private boolean told;
  // Up to where it was read when something failed.
  private OptionalLong heard = OptionalLong.empty();
  // Over once this worker has really tried to get at the machine.
  private Deadline tried = Deadline.in(Duration.ZERO);
  private Optional<Workspace> opened = Optional.empty();
  private Optional<Conclusion> concluding = Optional.empty();
  // How long somebody who wants it to stop waits for a machine, and until when. One that a worker
  // before us has heard is late already, and the agent is to be told of it.
  private final Duration stopWaits;
  private final AtomicReference<Optional<Deadline>> patience =
      new AtomicReference<>(Optional.empty());
  private Spending.Before before = Spending.Before.NOTHING;
  // What whoever waits for the machine has seen, whatever the lease is by now.
  private volatile boolean lapsed;
  // What an answer that people see begins with.
  private String preface = "";

  /// The rooms that a turn crosses.
  record Rooms(
      Database database,
      TurnRows rows,
      Sessions sessions,
      Replies replies,
      Asking.Rooms asking,
      Preferences preferences,
      Spending spending,
      Admission admission,
      Gate.Rooms gate,
      HostTools.Rooms tools,
      Logbook logbook,
      Webhook webhook,
      TurnSettings settings) {}

  private static final String NOTHING_TO_STOP =
      "Nothing runs here at the moment, so there is nothing to stop.";
  private static final String ONLY_JOBS_TO_STOP =
      "There is nothing to stop but what runs in the background: `!jobs` shows it, with buttons to"
          + " end it.";
  private static final String WITHDRAWN = "WITHDRAWN";
  private static final Set<FailureCode> OUT_OF_REACH =
      Set.of(
          SandboxFailure.TOO_SLOW,
          SandboxFailure.UNREACHABLE,
          SandboxFailure.NO_ROOM,
          PiFailure.UNREACHABLE);
  // Of what a turn may take to get at its machine at all: five minutes of the hour. A worker that
  // had less has not really tried.
  private static final int TRIED_SHARE = 12;
  // A card and a sign, and a look at whether something stands there twice. Somebody comes back to
  // what Slack does not let us do by then.
  private static final Duration ENDED_WITHIN = Duration.ofSeconds(15);
  // Of the two seconds within which who stops is told so.
  private static final Duration FOUND_WITHIN = Duration.ofSeconds(1);
  private static final String INTERRUPTED_BY_NEWER =
      "I have stopped this and go on with your newer message.";

  Turn(Claim claim, Rooms rooms, Deadline deadline) {
    this.claim = claim;
    this.rooms = rooms;
    this.stopWaits = claim.stopTaken().isPresent() ? rooms.settings().stopsWithin() : FOUND_WITHIN;
    // Something new may wait behind what is only to be brought to its end.
    this.deadline = claim.isOver() ? deadline.within(ENDED_WITHIN) : deadline;
  }

  /// Whether the turn came to its end; otherwise it is to be gone on with.
  boolean run() throws InterruptedException {
    var begun = rooms.database().transaction(this::begun).orElseThrow(() -> new LeaseLost(claim));
    var row = begun.row();
    var reply = open(begun);
    var ended = false;
    try (reply) {
      var first = claim.messages().getFirst().event();
      if (claim.isOver()) {
        reply.adoptSign();
      } else {
        reply.acknowledge(first.isFollowUp() ? "" : first.written(_ -> "somebody"));
      }
      claim.messages().stream()
          .map(Message::event)
          .filter(MessageEvent::isFollowUp)
          .map(MessageEvent::user)
          .distinct()
          .forEach(reply::mentions);
      reply.costBefore(row.costBefore);
      var conclusion = new Conclusion(claim, rooms, deadline, reply, row.startedAt);
      conclusion.asks(() -> row.suspensions > 0);
      concluding = Optional.of(conclusion);
      ended = run(row, reply, conclusion);
    } catch (HoldLost lost) {
      throw new LeaseLost(claim, lost);
    }
    if (ended && !reply.isSignLeft()) {
      claim.finish();
    }
    return ended;
  }

  /// @param isSuccessor whether another worker spoke for the turn before
  private record Begun(TurnRow row, boolean isSuccessor) {}

  /// Empty when another worker has taken over already.
  private Optional<Begun> begun() {
    return rooms
        .rows()
        .begin(claim)
        .map(row -> new Begun(row, rooms.replies().takeOver(subject(), new Holding(claim))));
  }

  private Reply open(Begun begun) {
    return rooms
        .replies()
        .open(
            claim.messages().getFirst().event().address(),
            subject(),
            begun.row().startedAt,
            new Holding(claim),
            begun.isSuccessor(),
            deadline);
  }

  private String subject() {
    return Commands.turn(claim.turn());
  }

  private boolean run(TurnRow row, Reply reply, Conclusion conclusion) throws InterruptedException {
    if (row.ending().isPresent()) {
      // An earlier worker got as far as the last word, and it is written down.
      var isSaid = conclusion.say();
      if (row.firstOffset != null && !claim.isOver()) {
        copy();
      }
      return isSaid && conclusion.settleWhatIsSaid(row.ending().get());
    }
    if (claim.isOver()) {
      // All of it was taken back before the agent heard it, and the worker died who would have seen
      // it.
      return withdrawn(conclusion, offset(row));
    }
    try {
      refuseEndlessWork(row);
      if (isStoppedBeforeItBegan(row)) {
        return stopped(row, conclusion);
      }
      var order = claim.messages().getFirst().order();
      return order.isPresent()
          ? obey(order.get(), row, reply, conclusion)
          : admitted(
              row,
              reply,
              conclusion,
              (workspace, agent, chosen) ->
                  converse(workspace, agent, chosen, row, reply, conclusion));
    } catch (Failure failure) {
      return failed(failure, row, conclusion);
    }
  }

  /// Whoever ended the turn may not have lived to copy what was said. A machine that sleeps is not woken for it: the next turn copies
  /// that, too.
  private void copy() throws InterruptedException {
    var sessions = rooms.sessions();
    var soon = deadline.within(rooms.settings().stopsWithin());
    try {
      if (sessions.isAwake(claim.thread(), soon)) {
        sessions.copy(sessions.open(claim.thread(), claim.fence(), Waking.silently(), soon));
      }
    } catch (Failure failure) {
      LOG.infof("Turn %d: what was said is not copied: %s", claim.turn(), failure.getMessage());
    }
  }

  private boolean failed(Failure failure, TurnRow row, Conclusion conclusion)
      throws InterruptedException {
    if (conclusion.outcome().isEmpty() && !isCalledOff(row) && isForAnother(failure, row)) {
      keep(() -> rooms.rows().handOver(claim, offset(row)));
      return false;
    }
    // What was read of the journal is this turn's and not the next one's.
    opened.ifPresent(
        workspace -> heard.ifPresent(offset -> keep(() -> noteRest(workspace, offset))));
    if (conclusion.outcome().isPresent()) {
      LOG.warnf("Turn %d: %s after its end", claim.turn(), failure.getMessage());
      if (!conclusion.say()) {
        return false;
      }
      if (conclusion.outcome().get().equals(Ending.STOPPED) && hasBegun(row)) {
        endAgent(row);
      }
      return conclusion.settleWhatIsSaid(conclusion.outcome().get());
    }
    if (claim.isStopWanted()) {
      return stopped(row, conclusion);
    }
    if (isCalledOff(row)) {
      return withdrawn(conclusion, offset(row));
    }
    LOG.logf(level(failure.code()), failure, "Turn %d failed", claim.turn());
    var reached = relay.map(Relay::reached).orElse(Ending.Reached.NOTHING);
    var usage = relay.map(Relay::usage).orElse(Outcome.Usage.NONE);
    // Where it was heard to the last, what has failed is the agent itself.
    var isUnended = hasBegun(row) && (relay.isEmpty() || failure.code() == PiFailure.UNREACHABLE);
    conclusion.decide(
        Ending.sorry(failure.code(), claim.turn(), reached, usage, offset(row))
            .unendedIf(isUnended));
    var isSaid = conclusion.say();
    if (isUnended) {
      endAgent(row);
    } else if (failure.code() != PiFailure.UNREACHABLE) {
      opened.ifPresent(rooms.sessions()::copy);
    }
    return isSaid && conclusion.settleWhatIsSaid(failure.code().name());
  }

  /// There was no time to wait for the machine, or to have its line back, and another worker has some. A machine that did not come for so
  /// long does not come.
  private boolean isForAnother(Failure failure, TurnRow row) {
    var within = rooms.settings().reachesWithin();
    return deadline.isOver()
        && OUT_OF_REACH.contains(failure.code())
        && (!tried.isOver()
            || heard.orElse(0) > first.orElse(0)
            || row.startedAt.plus(within).isAfter(Instant.now()));
  }

  /// What it was told to do in this turn, or in one before, is over, and it may still be at it. On a machine that is off it is not.
  private void endAgent(TurnRow row) throws InterruptedException {
    var isOwn = hasBegun(row);
    var turn = isOwn ? claim.turn() : Objects.requireNonNull(row.unendedBefore);
    var soon = deadline.within(rooms.settings().stopsWithin());
    try {
      if (!rooms.sessions().mayRun(claim.thread(), soon)) {
        agentHasEnded(turn);
        return;
      }
      var workspace = rooms.sessions().open(claim.thread(), claim.fence(), Waking.silently(), soon);
      var from = first.orElse(row.firstOn(workspace.sandbox().id(), workspace.restedAt()));
      try (var agent = workspace.agent(manner(chosen().join()), from, soon)) {
        if (isOwn ? isEnded(agent, soon) : isEarlierEnded(turn, agent, soon)) {
          agentHasEnded(turn);
          rest(workspace, agent);
          return;
        }
      }
    } catch (Failure failure) {
      LOG.infof("Turn %d: the agent was not reached: %s", claim.turn(), failure.getMessage());
    }
    LOG.warnf("Turn %d: the agent may still be at it", turn);
  }

  private boolean isEnded(Agent agent, Deadline until) throws InterruptedException {
    if (!isAnOrder()) {
      agent.expect(Commands.turn(claim.turn()));
    }
    var end = Commands.end(claim.turn(), claim.fence());
    agent.stop(end);
    while (claim.isHeld() && !until.isOver()) {
      var isOver =
          agent.next(until.within(rooms.settings().looksUpEvery())) instanceof PiEvent.Finished;
      if (isOver && agent.has(end)
          || !isAnOrder() && agent.hasStoppedBefore(end, Commands.turn(claim.turn()))) {
        return true;
      }
    }
    return false;
  }

  /// Whoever may still be at a turn before this one would go on with its conversation, and as it was allowed to. What is not heard of in
  /// time is said again with each connection, before anything else.
  private boolean isEarlierEnded(long turn, Agent agent, Deadline deadline)
      throws InterruptedException {
    var end = Commands.end(turn, claim.fence());
    agent.beginAnew(end);
    var until = deadline.within(rooms.settings().stopsWithin());
    while (claim.isHeld() && !until.isOver() && !agent.has(end)) {
      agent.next(until.within(rooms.settings().looksUpEvery()));
    }
    return agent.has(end);
  }

  private void agentHasEnded(long turn) {
    keep(() -> rooms.rows().agentHasEnded(claim, turn));
  }

  private boolean isStoppedBeforeItBegan(TurnRow row) {
    return claim.messages().stream().anyMatch(message -> message.isStop() && !message.steers())
        || claim.stopTaken().isPresent() && !hasBegun(row);
  }

  /// Whether the agent may have heard of it, from this worker or one before.
  private boolean hasBegun(TurnRow row) {
    return told
        || (isAnOrder()
            ? row.firstOffset != null
            : claim.messages().stream().anyMatch(message -> message.given() && !message.steers()));
  }

  private boolean isAnOrder() {
    return claim.messages().getFirst().order().isPresent();
  }

  private boolean stopped(TurnRow row, Conclusion conclusion) throws InterruptedException {
    claim.mail();
    var before = Optional.ofNullable(row.unendedBefore);
    var word =
        claim.messages().stream().allMatch(Message::isStop) && before.isEmpty()
            ? new LastWord.Answer(
                rooms.tools().jobs().isAnyRunning(claim.thread())
                    ? ONLY_JOBS_TO_STOP
                    : NOTHING_TO_STOP)
            : new LastWord.Stopped();
    var usage = relay.map(Relay::usage).orElse(Outcome.Usage.NONE);
    conclusion.decide(
        new Ending(Ending.STOPPED, word, usage, offset(row)).unendedIf(hasBegun(row)));
    var isSaid = conclusion.say();
    if (hasBegun(row) || before.isPresent()) {
      endAgent(row);
    }
    return isSaid && conclusion.settleWhatIsSaid(Ending.STOPPED);
  }

  /// Whoever wrote it wants nothing of it any more.
  private static boolean withdrawn(Conclusion conclusion, long offset) throws InterruptedException {
    conclusion.decide(new Ending(WITHDRAWN, new LastWord.Nothing(), Outcome.Usage.NONE, offset));
    return conclusion.settle(WITHDRAWN);
  }

  /// What the agent has heard of cannot be taken back any more, only stopped.
  private boolean isCalledOff(TurnRow row) {
    return claim.isStopWanted() || claim.isTakenBack() && !hasBegun(row);
  }

  private boolean calledOff(TurnRow row, Conclusion conclusion) throws InterruptedException {
    if (claim.isStopWanted()) {
      return stopped(row, conclusion);
    }
    return withdrawn(conclusion, offset(row));
  }

  private static long offset(TurnRow row) {
    return row.lastOffset == null ? 0 : row.lastOffset;
  }

  private boolean obey(Command.Word word, TurnRow row, Reply reply, Conclusion conclusion)
      throws InterruptedException {
    var order = new Order(claim, rooms, deadline, reply, conclusion);
    return switch (word) {
      case NEW -> order.beginAnew(offset(row));
      case COMPACT ->
          admitted(
              row,
              reply,
              conclusion,
              (workspace, agent, _) -> {
                told = true;
                return order.shorten(workspace, agent);
              });
      default -> throw new IllegalStateException(word + " waits for no turn");
    };
  }

  /// The work, when it may cost something and its workspace has a place for it.
  private boolean admitted(TurnRow row, Reply reply, Conclusion conclusion, Doing doing)
      throws InterruptedException {
    if (row.firstOffset == null) {
      // What has begun is brought to its end.
      if (!rooms.settings().enabled().orElse(true)) {
        throw new Failure(TurnFailure.SWITCHED_OFF, "GORKIE_ENABLED is false");
      }
      before = rooms.spending().before(claim.thread(), author());
    }
    // What has begun has its place, and its Pi is to be told of a stop.
    if (row.firstOffset == null && rooms.admission().isLimited() && !awaitPlace(row, reply)) {
      if (isCalledOff(row)) {
        return calledOff(row, conclusion);
      }
      keep(() -> rooms.rows().waitOn(claim));
      return false;
    }
    return work(row, reply, doing);
  }

  /// False when somebody wanted it to end, or time was up.
  private boolean awaitPlace(TurnRow row, Reply reply) throws InterruptedException {
    var until = deadline.unless(() -> isCalledOff(row));
    var told = -1;
    while (!until.isOver()) {
      var before = rooms.admission().line(claim.thread().team(), claim.turn());
      if (before.isEmpty()) {
        return true;
      }
      if (!claim.isHeld()) {
        throw new LeaseLost(claim);
      }
      if (before.getAsInt() != told) {
        told = before.getAsInt();
        reply.note(
            told == 0
                ? "Many are at work in this workspace; this one is next"
                : "Many are at work in this workspace; before this one in line: " + told);
      }
      Thread.sleep(until.within(rooms.settings().inLineEvery()).left());
    }
    return false;
  }

  private String author() {
    return claim.messages().getFirst().event().user();
  }

  /// Looked up while the machine is looked for, so that nobody waits for it.
  private CompletableFuture<Chosen> chosen() {
    return CompletableFuture.supplyAsync(
        () -> rooms.preferences().of(claim.thread(), author()),
        task -> Thread.ofVirtual().name("preferences").start(task));
  }

  private Manner manner(Chosen chosen) {
    return new Manner(chosen.model(), chosen.permissions().word(), claim.thread().team());
  }

  /// What is done with Pi while a workspace is open; whether the turn has come to its end with it.
  @FunctionalInterface
  private interface Doing {
    boolean with(Workspace workspace, Agent agent, Chosen chosen) throws InterruptedException;
  }

  private boolean work(TurnRow row, Reply reply, Doing doing) throws InterruptedException {
    tried = Deadline.in(rooms.settings().reachesWithin().dividedBy(TRIED_SHARE));
    var chosen = chosen();
    var workspace = workspace(row, reply);
    opened = Optional.of(workspace);
    var reaching = deadline.unless(this::isImpatient);
    var machine = workspace.sandbox().id();
    var from = row.firstOn(machine, workspace.restedAt());
    first = OptionalLong.of(from);
    if (hasBegun(row) && !isAnOrder() && !row.isBegunOn(machine)) {
      // How far it had come nobody can tell, and so it is not said a second time.
      throw new Failure(
          TurnFailure.COMPUTER_REPLACED, "begun on %s, now on %s".formatted(row.begunOn, machine));
    }
    try (var agent = workspace.agent(manner(chosen.join()), from, reaching)) {
      agent.approach();
      try {
        if (row.unendedBefore != null && !hasBegun(row)) {
          if (isEarlierEnded(row.unendedBefore, agent, deadline.unless(() -> isCalledOff(row)))) {
            agentHasEnded(row.unendedBefore);
            row.unendedBefore = null;
          }
        }
        keep(() -> rooms.rows().keepFirstOffset(claim, machine, from));
        return doing.with(workspace, agent, chosen.join());
      } catch (Failure failure) {
        heard = OptionalLong.of(agent.offset());
        throw failure;
      }
    }
  }

  private Workspace workspace(TurnRow row, Reply reply) throws InterruptedException {
    try {
      return rooms
          .sessions()
          .open(claim.thread(), claim.fence(), new WakingTold(reply), opening(row));
    } catch (Failure failure) {
      if (lapsed) {
        throw new LeaseLost(claim, failure);
      }
      throw failure;
    }
  }

  /// Whoever waits for a machine notices a stop as soon as he looks at the time, and that the thread is another's, whose machine he must
  /// not stop. An agent that has begun is told of a stop first, so that what people have seen of its words stays.
  private Deadline opening(TurnRow row) {
    var soon = deadline.within(rooms.settings().reachesWithin()).unless(this::isLapsed);
    return hasBegun(row) || claim.stopTaken().isPresent()
        ? soon.unless(this::isImpatient)
        : soon.unless(() -> isCalledOff(row));
  }

  /// Whether the thread was another's to take at any time that somebody looked.
  private boolean isLapsed() {
    if (!claim.isHeld()) {
      lapsed = true;
    }
    return lapsed;
  }

  /// Who wants it to stop does not wait for a broken line to come back. Once it was said that it stops there is time again.
  private boolean isImpatient() {
    return claim.isStopWanted()
        && concluding.flatMap(Conclusion::outcome).isEmpty()
        && patience
            .updateAndGet(until -> until.or(() -> Optional.of(Deadline.in(stopWaits))))
            .filter(Deadline::isOver)
            .isPresent();
  }

  private boolean converse(
      Workspace workspace,
      Agent agent,
      Chosen chosen,
      TurnRow row,
      Reply reply,
      Conclusion conclusion)
      throws InterruptedException {
    var asking =
        new Asking(claim, agent, workspace.sandbox(), rooms.asking(), reply, chosen.instructions());
    var bringing = deadline.unless(() -> isCalledOff(row));
    if (!asking.bringIn(bringing::isOver)) {
      if (isCalledOff(row)) {
        return calledOff(row, conclusion);
      }
      keep(() -> rooms.rows().handOver(claim, agent.offset()));
      return false;
    }
    told = true;
    if (!asking.begin()) {
      return withdrawn(conclusion, agent.offset());
    }
    var files = rooms.asking().files().outgoing(workspace.sandbox(), reply);
    var gate = new Gate(rooms.gate(), claim, agent, reply, deadline, rooms.settings());
    conclusion.asks(gate::hasAsked);
    var tools = new HostTools(rooms.tools(), claim, agent, workspace.sandbox());
    var relay =
        new Relay(
            claim,
            workspace,
            agent,
            asking,
            files,
            gate,
            tools,
            reply,
            deadline,
            rooms.logbook(),
            rooms.settings());
    preface = preface(workspace);
    reply.answerBeginsWith(preface);
    this.relay = Optional.of(relay);
    conclusion.prompted();
    return switch (relay.run()) {
      case Relay.End.Over(var outcome) -> {
        var usage = outcome.usage();
        reply.used(new Usage(usage.tokens(), BigDecimal.valueOf(usage.cost())));
        var hint = before.hint(BigDecimal.valueOf(usage.cost()));
        var ending = ending(outcome, relay, hint, workspace, agent.offset());
        if (ending.outcome().equals(Ending.STOPPED)) {
          noteWhatIsSeen(workspace, reply);
        }
        conclusion.decide(ending, workspace);
        var isSaid = reply.deliver();
        rooms.sessions().copy(workspace);
        yield isSaid && conclusion.settleWhatIsSaid(ending.outcome());
      }
      case Relay.End.Stopped() -> {
        // Said before Pi has ended: who wants it to stop wants to hear that it does.
        noteWhatIsSeen(workspace, reply);
        var ending = Ending.stopped(agent.usage(), agent.offset());
        conclusion.decide(ending.unendedIf(true), workspace);
        var isSaid = reply.deliver();
        if (relay.awaitEnd()) {
          agentHasEnded(claim.turn());
        }
        rest(workspace, agent);
        yield isSaid && conclusion.settleWhatIsSaid(Ending.STOPPED);
      }
      // Whoever answers wakes the thread; until then nobody has it.
      case Relay.End.Suspended() -> true;
      case Relay.End.Handed() -> {
        keep(() -> rooms.rows().handOver(claim, agent.offset()));
        yield false;
      }
    };
  }

  /// What people see of an answer stays when it is stopped, and with it what it began with.
  private void noteWhatIsSeen(Workspace workspace, Reply reply) throws InterruptedException {
    if (preface.equals(preface(workspace)) && reply.isAnswerSeen()) {
      workspace.tellsNews();
    }
  }

  private boolean noteRest(Workspace workspace, long offset) {
    rooms.sessions().noteRest(claim.thread(), claim.fence(), workspace, offset);
    return true;
  }

  private void rest(Workspace workspace, Agent agent) {
    rooms.sessions().rest(claim.thread(), claim.fence(), workspace, agent.offset());
  }

  private static String preface(Workspace workspace) {
    return workspace.news().map(Phrases::preface).orElse("");
  }

  private Ending ending(
      Outcome outcome, Relay relay, Optional<String> hint, Workspace workspace, long offset) {
    var usage = outcome.usage();
    var reached = relay.reached();
    return switch (outcome) {
      case Outcome.Done(_) -> {
        workspace.tellsNews();
        var after = hint.map(it -> "\n\n_" + it + "_").orElse("");
        var answer = new LastWord.Answer(preface(workspace) + relay.answer() + after);
        yield new Ending("DONE", answer, usage, offset);
      }
      case Outcome.Aborted(var by, _) when Commands.isWatchdogs(by) ->
          Ending.sorry(
              Commands.blamesModel(by) ? PiFailure.MODEL_SILENT : PiFailure.WENT_SILENT,
              claim.turn(),
              reached,
              usage,
              offset);
      case Outcome.Aborted(var by, _) when Commands.isInterrupt(by) ->
          new Ending("INTERRUPTED", new LastWord.Apology(INTERRUPTED_BY_NEWER), usage, offset);
      case Outcome.Aborted _ -> Ending.stopped(usage, offset);
      case Outcome.Failed(var failure, _) ->
          Ending.sorry(failure, claim.turn(), reached, usage, offset);
    };
  }

  private void refuseEndlessWork(TurnRow row) {
    if (row.hops > rooms.settings().hopsMax()) {
      throw new Failure(TurnFailure.HANDED_ON_TOO_OFTEN, row.hops + " hand-overs");
    }
    // Neither a hand-over nor a wait for a person is a failed attempt.
    if (claim.attempts() - row.hops - row.suspensions > rooms.settings().attemptsMax()) {
      throw new Failure(TurnFailure.TRIED_TOO_OFTEN, claim.attempts() + " attempts");
    }
  }

  private boolean keep(BooleanSupplier write) {
    return rooms.database().transaction(write::getAsBoolean);
  }

  private static Logger.Level level(FailureCode code) {
    return switch (code.fault()) {
      case PERSON, LIMIT -> Logger.Level.INFO;
      case PROVIDER -> Logger.Level.WARN;
      case OPERATOR -> Logger.Level.ERROR;
    };
  }
}
