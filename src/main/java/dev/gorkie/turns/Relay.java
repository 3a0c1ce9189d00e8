package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.files.Carried;
import dev.gorkie.files.Outgoing;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Message;
import dev.gorkie.logbook.Event;
import dev.gorkie.logbook.Logbook;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.Outcome;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.pi.PiFailure;
import dev.gorkie.pi.ToolUse;
import dev.gorkie.sessions.Workspace;
import dev.gorkie.slack.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;

/// Tells the thread what Pi does, event after event, and tells Pi what people say meanwhile.
final class Relay {

  private static final Logger LOG = Logger.getLogger(Relay.class);

  // Of the two seconds within which who stops is told so.
  private static final Duration CAUGHT_UP_WITHIN = Duration.ofSeconds(1);

  private final Claim claim;
  private final Workspace workspace;
  private final Agent agent;
  private final Asking asking;
  private final Outgoing files;
  private final Gate gate;
  private final HostTools tools;
  private final Reply reply;
  private final Deadline deadline;
  private final Logbook logbook;
  private final TurnSettings settings;
  private final Watchdog watchdog;
  private final Refusal refusal;
  private final Answer answer = new Answer();
  private Instant awakeUntil;
  private boolean interrupted;
  private boolean ended;
  private String stop = "";

  /// How it came out of the relay.
  sealed interface End {
    record Over(Outcome outcome) implements End {}

    /// Somebody wanted it to end. Pi has been told; it may still be at it.
    record Stopped() implements End {}

    /// A person is waited for, and the thread was let go.
    record Suspended() implements End {}

    /// Time is up; Pi goes on and another worker listens.
    record Handed() implements End {}
  }

  Relay(
      Claim claim,
      Workspace workspace,
      Agent agent,
      Asking asking,
      Outgoing files,
      Gate gate,
      HostTools tools,
      Reply reply,
      Deadline deadline,
      Logbook logbook,
      TurnSettings settings) {
    this.claim = claim;
    this.workspace = workspace;
    this.agent = agent;
    this.asking = asking;
    this.files = files;
    this.gate = gate;
    this.tools = tools;
    this.reply = reply;
    this.deadline = deadline;
    this.logbook = logbook;
    this.settings = settings;
    this.watchdog = new Watchdog(claim, agent, settings);
    this.refusal = new Refusal(claim, agent);
    this.awakeUntil = Instant.now().plus(settings.awakeEvery());
  }

  /// What Pi has answered.
  String answer() {
    return answer.text();
  }

  /// How far Pi has come.
  Ending.Reached reached() {
    return new Ending.Reached(agent.hasBegun(), answer.soFar());
  }

  /// What Pi has used up.
  Outcome.Usage usage() {
    return agent.usage();
  }

  End run() throws InterruptedException {
    var stop = claim.stopTaken();
    if (stop.isPresent()) {
      // Whether the agent was told of it nobody knows; it obeys only once.
      return stopped(stop.get());
    }
    while (!deadline.isOver()) {
      lookUp();
      for (var message : mail()) {
        if (message.isStop()) {
          return stopped(message);
        }
        tools.heard(message.event());
        asking.steer(message);
        reply.noticed(message.event().ts());
      }
      tools.look();
      var event = agent.next(deadline.within(settings.looksUpEvery()));
      if (event instanceof PiEvent.Quiet && gate.waits()) {
        return new End.Suspended();
      }
      switch (event) {
        case PiEvent.Finished(var outcome) -> {
          return isAllShown() ? new End.Over(outcome) : new End.Handed();
        }
        case PiEvent other -> tell(other);
      }
    }
    return new End.Handed();
  }

  private End stopped(Message message) throws InterruptedException {
    stop = Commands.stop(message);
    agent.stop(stop);
    // What people have seen of an answer stays, also where it was another worker who showed it.
    var until = deadline.within(CAUGHT_UP_WITHIN);
    do {
      switch (agent.next(until)) {
        case PiEvent.Finished _ -> ended = agent.has(stop);
        case PiEvent.Answered answered -> tell(answered);
        case PiEvent.Remarked remarked -> tell(remarked);
        case PiEvent.Said said -> tell(said);
        case PiEvent.TakenBack taken -> tell(taken);
        case PiEvent.ToolStarted started -> tell(started);
        case PiEvent.ToolEnded done -> tell(done);
        // Nothing is begun for it any more: nobody is asked, and nothing is shown.
        default -> {}
      }
    } while (!agent.isCaughtUp() && !ended && !until.isOver());
    return new End.Stopped();
  }

  /// After a stop: until Pi has ended, or for as long as the keeper may need to end it. False when nobody knows whether it has.
  boolean awaitEnd() throws InterruptedException {
    var until = deadline.within(settings.stopsWithin());
    while (!ended && !until.isOver()) {
      lookUp();
      ended =
          agent.next(until.within(settings.looksUpEvery())) instanceof PiEvent.Finished
                  && agent.has(stop)
              || agent.hasStoppedBefore(stop, Commands.turn(claim.turn()));
    }
    if (!ended) {
      LOG.warnf("Turn %d: Pi was told to stop and has not said that it did", claim.turn());
    }
    return ended;
  }

  private void lookUp() throws InterruptedException {
    if (!claim.isHeld()) {
      throw new LeaseLost(claim);
    }
    if (Instant.now().isAfter(awakeUntil)) {
      workspace.keepAwake();
      awakeUntil = Instant.now().plus(settings.awakeEvery());
    }
    watchdog.look();
  }

  private List<Message> mail() throws InterruptedException {
    var takes =
        switch (settings.whileRunning()) {
          case STEER -> true;
          case QUEUE, INTERRUPT -> claim.isStopWanted();
        };
    if (takes) {
      return claim.mail();
    }
    if (settings.whileRunning() == TurnSettings.WhileRunning.INTERRUPT
        && claim.hasMail()
        && !interrupted) {
      interrupted = true;
      agent.stop(Commands.interrupt(claim.turn()));
    }
    return List.of();
  }

  private void tell(PiEvent event) throws InterruptedException {
    switch (event) {
      case PiEvent.Booting() -> reply.note("Starting the agent");
      case PiEvent.Ready(_, _, var model) -> {
        if (model.isEmpty()) {
          throw new Failure(PiFailure.NO_MODEL, "Pi found no model under the name it was given");
        }
      }
      case PiEvent.Answered(var text, var cutShort) -> {
        answer.add(text, cutShort);
        reply.answered(answer.text());
      }
      case PiEvent.Remarked(var text) -> {
        answer.forgetDraft();
        reply.takeBack(false);
        reply.note(text);
      }
      case PiEvent.Said(var delta) -> {
        answer.say(delta);
        reply.say(delta);
      }
      case PiEvent.TakenBack _ -> {
        answer.breakOff();
        reply.takeBack(true);
      }
      case PiEvent.ToolStarted(var call, var use) -> started(call, use);
      case PiEvent.ToolAsked ask -> tools.asks(ask);
      case PiEvent.PermissionAsked ask -> gate.asks(ask);
      case PiEvent.ToolEnded(var call, var failed, var output) -> {
        gate.ended(call);
        if (failed) {
          reply.stepFailed(call, output);
        } else {
          reply.stepDone(call, output);
        }
      }
      case PiEvent.FileShown(var call, var path, var title) -> tell(call, files.show(path, title));
      case PiEvent.Retrying(var attempt, var most, var in) ->
          reply.note(
              "The model's provider failed; trying again in %d s (%d of %d)"
                  .formatted(in.toSeconds(), attempt, most));
      case PiEvent.Compacting() -> reply.note("Summarising the conversation so far");
      case PiEvent.Exited(var inRun, var how) -> ended(inRun, how);
      case PiEvent.LimitReached(var limit) ->
          reply.note("Stopped after %d minutes".formatted(limit.toMinutes()));
      case PiEvent.Trouble(var reason) -> reply.note(Phrases.trouble(reason));
      case PiEvent.TakenOver _ -> refusal.heard();
      case PiEvent.Quiet() -> asking.askWhatIsMissing();
      case PiEvent.ToolMoved _,
          PiEvent.BegunAnew _,
          PiEvent.Began _,
          PiEvent.Replied _,
          PiEvent.Compacted _,
          PiEvent.Finished _,
          PiEvent.Unknown _ -> {}
    }
  }

  private void started(String call, ToolUse use) {
    gate.begun(call, use);
    reply.step(call, Phrases.title(use), Phrases.detail(use));
  }

  private void ended(boolean inRun, String how) throws InterruptedException {
    LOG.warnf("Turn %d: Pi ended with %s", claim.turn(), how);
    gate.allEnded();
    reply.stepsInterrupted();
    if (!inRun) {
      return;
    }
    if (!asking.askAgain()) {
      throw new Failure(PiFailure.CUT_OFF, how);
    }
    logbook.note(
        Event.SANDBOX_PROMPT_RETRY, "Pi ended with %s before it had done anything".formatted(how));
    reply.note("The agent ended unexpectedly; starting it again");
  }

  private void tell(String call, Carried carried) {
    switch (carried) {
      case Carried.Out(var name, _) -> reply.stepDone(call, name);
      case Carried.Refused(var name, var reason) -> reply.stepFailed(call, name + ": " + reason);
      case Carried.In _ -> throw new IllegalStateException("Nothing is carried in here");
    }
  }

  /// False where Slack did not take a file for as long as there was time: another worker has more of it.
  private boolean isAllShown() throws InterruptedException {
    if (!agent.mayDisplay()) {
      return true;
    }
    var refused = false;
    for (var shown : files.showDisplayed()) {
      if (shown instanceof Carried.Refused(var name, var reason)) {
        reply.note(name + ": " + reason);
        refused = true;
      }
    }
    return !refused || !deadline.isOver();
  }
}
