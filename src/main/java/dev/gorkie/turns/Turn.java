package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.FailureCode;
import dev.gorkie.HoldLost;
import dev.gorkie.database.Database;
import dev.gorkie.files.Files;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Message;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.Manner;
import dev.gorkie.pi.Outcome;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.pi.PiFailure;
import dev.gorkie.preferences.Chosen;
import dev.gorkie.preferences.Preferences;
import dev.gorkie.sessions.Sessions;
import dev.gorkie.sessions.Waking;
import dev.gorkie.sessions.Workspace;
import dev.gorkie.slack.Command;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.LastWord;
import dev.gorkie.slack.People;
import dev.gorkie.slack.Question;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.Reply;
import dev.gorkie.slack.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/// The work on a thread's waiting messages, from the first sign of life to the one visible outcome.
final class Turn {

  private static final Logger LOG = Logger.getLogger(Turn.class);

  private final Claim claim;
  private final Rooms rooms;
  private final Deadline deadline;
  private Optional<String> ended = Optional.empty();
  private Optional<Relay> relay = Optional.empty();
  private Optional<Gate> gate = Optional.empty();
  private List<Question> questions = List.of();
  private Spending.Before before = Spending.Before.NOTHING;
  private boolean wasSuspended;

  /// The rooms that a turn crosses.
  record Rooms(
      Database database,
      TurnRows rows,
      Sessions sessions,
      Files files,
      Replies replies,
      People people,
      Conversations conversations,
      Preferences preferences,
      Spending spending,
      Admission admission,
      Gate.Rooms gate,
      HostTools.Rooms tools,
      TurnSettings settings) {}

  private static final String STOPPED = "STOPPED";
  private static final String NOTHING_TO_STOP = "There is nothing to stop.";
  private static final String WITHDRAWN = "WITHDRAWN";
  private static final String OBEYED = "OBEYED";
  private static final String BEGUN_ANEW =
      "This is a new conversation: I have forgotten what was said here. The files are still there.";
  private static final String SHORTENED =
      "I have summarised what was said here so far, and we go on from there.";
  private static final String NOTHING_TO_SHORTEN =
      "There is not enough here yet that could be summarised.";
  private static final String INTERRUPTED_BY_NEWER =
      "I have stopped this and go on with your newer message.";

  Turn(Claim claim, Rooms rooms, Deadline deadline) {
    this.claim = claim;
    this.rooms = rooms;
    this.deadline = deadline;
  }

  /// Whether the turn came to its end; otherwise it is to be gone on with.
  boolean run() throws InterruptedException {
    var row =
        rooms
            .database()
            .transaction(() -> rooms.rows().begin(claim))
            .orElseThrow(() -> new LeaseLost(claim));
    wasSuspended = row.suspensions > 0;
    var address = claim.messages().getFirst().event().address();
    var subject = Commands.turn(claim.turn());
    try (var reply =
        rooms.replies().open(address, subject, row.startedAt, new Holding(claim), deadline)) {
      reply.acknowledge(claim.messages().getFirst().event().written(_ -> "somebody"));
      reply.costBefore(row.costBefore);
      if (row.ending().isPresent()) {
        // An earlier worker got as far as the last word, and it is written down.
        return settle(row.ending().get(), reply);
      }
      try {
        refuseEndlessWork(row);
        if (isStoppedBeforeItBegan()) {
          return stopped(reply, row);
        }
        var order = claim.messages().getFirst().order();
        return order.isPresent()
            ? obey(order.get(), row, reply)
            : admitted(row, reply, this::converse);
      } catch (Failure failure) {
        return failed(failure, row, reply);
      }
    } catch (HoldLost lost) {
      throw new LeaseLost(claim, lost);
    }
  }

  private boolean failed(Failure failure, TurnRow row, Reply reply) throws InterruptedException {
    if (ended.isPresent()) {
      LOG.warnf("Turn %d: %s after its end", claim.turn(), failure.getMessage());
      return settle(ended.get(), reply);
    }
    if (claim.isStopWanted()) {
      return stopped(reply, row);
    }
    LOG.logf(level(failure.code()), failure, "Turn %d failed", claim.turn());
    var reached = relay.map(Relay::reached).orElse(Ending.Reached.NOTHING);
    var usage = relay.map(Relay::usage).orElse(Outcome.Usage.NONE);
    decide(Ending.sorry(failure.code(), reached, usage, offset(row)), reply);
    return settle(failure.code().name(), reply);
  }

  private boolean isStoppedBeforeItBegan() {
    return claim.messages().stream().anyMatch(message -> message.isStop() && !message.steers());
  }

  private boolean stopped(Reply reply, TurnRow row) throws InterruptedException {
    claim.mail();
    var word =
        claim.messages().stream().allMatch(Message::isStop)
            ? new LastWord.Answer(NOTHING_TO_STOP)
            : new LastWord.Stopped();
    decide(new Ending(STOPPED, word, Outcome.Usage.NONE, offset(row)), reply);
    return settle(STOPPED, reply);
  }

  private static long offset(TurnRow row) {
    return row.lastOffset == null ? 0 : row.lastOffset;
  }

  /// A command that has waited for its turn, and has it for itself.
  private boolean obey(Command.Word order, TurnRow row, Reply reply) throws InterruptedException {
    switch (order) {
      case NEW -> {
        var begun = new LastWord.Answer(BEGUN_ANEW);
        var ending = new Ending(OBEYED, begun, Outcome.Usage.NONE, offset(row));
        keep(
            () -> {
              rooms.sessions().forget(claim.thread(), claim.fence());
              return noteEnd(ending, reply);
            });
        ended = Optional.of(OBEYED);
        return settle(OBEYED, reply);
      }
      case COMPACT -> {
        return admitted(row, reply, this::compact);
      }
      default -> throw new IllegalStateException(order + " waits for no turn");
    }
  }

  private boolean compact(Workspace workspace, Agent agent, Chosen chosen, Reply reply)
      throws InterruptedException {
    var command = Commands.compact(claim.turn());
    agent.compact(command);
    reply.note("Summarising the conversation so far");
    var inTime = Deadline.in(rooms.settings().shortensWithin());
    var refused = new Refusal(claim, agent);
    while (!deadline.isOver()) {
      if (inTime.isOver()) {
        agent.stop(Commands.interrupt(claim.turn()));
        throw new Failure(TurnFailure.TOO_LONG_TO_SHORTEN, "no summary in time");
      }
      if (!claim.isHeld()) {
        throw new LeaseLost(claim);
      }
      if (claim.isStopWanted()) {
        claim.mail();
        agent.stop(Commands.interrupt(claim.turn()));
        var stopped = new LastWord.Stopped();
        decide(new Ending(STOPPED, stopped, agent.usage(), agent.offset()), workspace, reply);
        return settle(STOPPED, reply);
      }
      switch (agent.next(deadline.within(rooms.settings().looksUpEvery()))) {
        case PiEvent.Compacted(var id, var shorter) when id.equals(command) -> {
          var word = new LastWord.Answer(shorter ? SHORTENED : NOTHING_TO_SHORTEN);
          var usage = agent.usage();
          reply.used(new Usage(usage.tokens(), BigDecimal.valueOf(usage.cost())));
          decide(new Ending(OBEYED, word, usage, agent.offset()), workspace, reply);
          var isSaid = reply.deliver();
          rooms.sessions().copy(workspace);
          return isSaid && settle(OBEYED);
        }
        case PiEvent.Exited(_, var how) -> throw new Failure(PiFailure.CUT_OFF, how);
        case PiEvent.Trouble(var reason) -> reply.note(Phrases.trouble(reason));
        case PiEvent.TakenOver _ -> refused.heard();
        default -> {}
      }
    }
    keep(() -> rooms.rows().handOver(claim, agent.offset()));
    return false;
  }

  /// The work, when it may cost something and its workspace has a place for it.
  private boolean admitted(TurnRow row, Reply reply, Doing doing) throws InterruptedException {
    if (row.firstOffset == null) {
      // What has begun is brought to its end.
      before = rooms.spending().before(claim.thread(), author());
    }
    // What has begun has its place, and its Pi is to be told of a stop.
    if (row.firstOffset == null && rooms.admission().isLimited() && !awaitPlace(reply)) {
      if (claim.isStopWanted()) {
        return stopped(reply, row);
      }
      keep(() -> rooms.rows().waitOn(claim));
      return false;
    }
    return work(row, reply, doing);
  }

  /// False when somebody wanted it to end, or time was up.
  private boolean awaitPlace(Reply reply) throws InterruptedException {
    var until = deadline.unless(claim::isStopWanted);
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

  private static Manner manner(Chosen chosen) {
    return new Manner(chosen.model(), chosen.permissions().word());
  }

  /// What is done with Pi while a workspace is open; whether the turn has come to its end with it.
  @FunctionalInterface
  private interface Doing {
    boolean with(Workspace workspace, Agent agent, Chosen chosen, Reply reply)
        throws InterruptedException;
  }

  private boolean work(TurnRow row, Reply reply, Doing doing) throws InterruptedException {
    var chosen = chosen();
    // Whoever waits for a machine notices a stop as soon as he looks at the time.
    var opening = deadline.unless(claim::isStopWanted);
    var workspace = rooms.sessions().open(claim.thread(), claim.fence(), waking(reply), opening);
    var first = row.firstOffset == null ? workspace.restedAt() : row.firstOffset;
    keep(() -> rooms.rows().keepFirstOffset(claim, first));
    try (var agent = workspace.agent(manner(chosen.join()), first, deadline)) {
      try {
        return doing.with(workspace, agent, chosen.join(), reply);
      } catch (Failure failure) {
        // What was read of the journal is this turn's and not the next one's.
        rest(workspace, agent);
        throw failure;
      }
    }
  }

  private boolean converse(Workspace workspace, Agent agent, Chosen chosen, Reply reply)
      throws InterruptedException {
    var means = new Asking.Rooms(rooms.files(), rooms.people(), rooms.conversations());
    var asking = new Asking(claim, agent, workspace.sandbox(), means, chosen.instructions());
    if (!asking.begin()) {
      var nothing = new LastWord.Nothing();
      decide(new Ending(WITHDRAWN, nothing, Outcome.Usage.NONE, agent.offset()), reply);
      return settle(WITHDRAWN, reply);
    }
    var files = rooms.files().outgoing(workspace.sandbox(), reply);
    var gate = new Gate(rooms.gate(), claim, agent, reply, deadline, rooms.settings());
    this.gate = Optional.of(gate);
    var tools = new HostTools(rooms.tools(), claim, agent, workspace.sandbox());
    var relay =
        new Relay(
            claim, workspace, agent, asking, files, gate, tools, reply, deadline, rooms.settings());
    reply.answerBeginsWith(preface(workspace));
    this.relay = Optional.of(relay);
    return switch (relay.run()) {
      case Relay.End.Over(var outcome) -> {
        var usage = outcome.usage();
        reply.used(new Usage(usage.tokens(), BigDecimal.valueOf(usage.cost())));
        var hint = before.hint(BigDecimal.valueOf(usage.cost()));
        var ending = ending(outcome, relay, hint, workspace, agent.offset());
        decide(ending, workspace, reply);
        var isSaid = reply.deliver();
        rooms.sessions().copy(workspace);
        yield isSaid && settle(ending.outcome());
      }
      case Relay.End.Stopped() -> {
        // Said before Pi has ended: who wants it to stop wants to hear that it does.
        var stopped = new LastWord.Stopped();
        decide(new Ending(STOPPED, stopped, agent.usage(), agent.offset()), workspace, reply);
        var isSaid = reply.deliver();
        relay.awaitEnd();
        rest(workspace, agent);
        yield isSaid && settle(STOPPED);
      }
      // Whoever answers wakes the thread; until then nobody has it.
      case Relay.End.Suspended() -> true;
      case Relay.End.Handed() -> {
        keep(() -> rooms.rows().handOver(claim, agent.offset()));
        yield false;
      }
    };
  }

  private void rest(Workspace workspace, Agent agent) {
    rooms.sessions().rest(claim.thread(), claim.fence(), workspace, agent.offset());
  }

  private static String preface(Workspace workspace) {
    return workspace.news().map(Phrases::preface).orElse("");
  }

  private static Ending ending(
      Outcome outcome, Relay relay, Optional<String> hint, Workspace workspace, long offset) {
    var usage = outcome.usage();
    var reached = relay.reached();
    return switch (outcome) {
      case Outcome.Done(_) -> {
        var after = hint.map(it -> "\n\n_" + it + "_").orElse("");
        var answer = new LastWord.Answer(preface(workspace) + relay.answer() + after);
        yield new Ending("DONE", answer, usage, offset);
      }
      case Outcome.Aborted(var by, _) when Commands.isWatchdogs(by) ->
          Ending.sorry(
              Commands.blamesModel(by) ? PiFailure.MODEL_SILENT : PiFailure.WENT_SILENT,
              reached,
              usage,
              offset);
      case Outcome.Aborted(var by, _) when Commands.isInterrupt(by) ->
          new Ending("INTERRUPTED", new LastWord.Apology(INTERRUPTED_BY_NEWER), usage, offset);
      case Outcome.Aborted _ -> new Ending(STOPPED, new LastWord.Stopped(), usage, offset);
      case Outcome.Failed(var failure, _) -> Ending.sorry(failure, reached, usage, offset);
    };
  }

  /// From here on the turn is over, whoever says so in the thread.
  private void decide(Ending ending, Reply reply) throws InterruptedException {
    reply.rest();
    keep(() -> noteEnd(ending, reply));
    ended = Optional.of(ending.outcome());
  }

  /// So is the workspace's part in it: the next turn reads on where this one has ended.
  private void decide(Ending ending, Workspace workspace, Reply reply) throws InterruptedException {
    reply.rest();
    keep(
        () -> {
          rooms.sessions().noteRest(claim.thread(), claim.fence(), workspace, ending.offset());
          return noteEnd(ending, reply);
        });
    ended = Optional.of(ending.outcome());
  }

  private boolean noteEnd(Ending ending, Reply reply) {
    if (!rooms.rows().end(claim, ending)) {
      throw new LeaseLost(claim);
    }
    if (wasSuspended || gate.filter(Gate::hasAsked).isPresent()) {
      questions = Gate.end(rooms.gate(), claim, deadline);
    }
    reply.decide(ending.word());
    return true;
  }

  /// False when there was no time to say everything; whoever goes on does.
  private boolean settle(String outcome, Reply reply) throws InterruptedException {
    return reply.deliver() && settle(outcome);
  }

  private boolean settle(String outcome) throws InterruptedException {
    for (var question : questions) {
      question.close();
    }
    if (!claim.settle(outcome)) {
      LOG.warnf("Turn %d: settled by somebody else", claim.turn());
    }
    return true;
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

  private Waking waking(Reply reply) {
    return new Waking() {
      @Override
      public void settingUp() {
        reply.note("Setting up this thread's computer");
      }

      @Override
      public void wakingUp() {
        reply.note("Waking up this thread's computer");
      }

      @Override
      public void awake(Duration took, Instant filesOf) {
        reply.note(Phrases.awake(took, filesOf));
      }

      @Override
      public void waitingForRoom(int before) {
        reply.note(
            before == 0
                ? "All computers are in use; this thread gets the next one"
                : "All computers are in use; %d threads are in line before this one"
                    .formatted(before));
      }

      @Override
      public void startingAnew() {
        reply.note("Setting up a new computer");
      }

      @Override
      public void leavingBehind(int files) {
        reply.note(
            files == 1
                ? "One file cannot be read and stays on the old computer"
                : files + " files cannot be read and stay on the old computer");
      }
    };
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
