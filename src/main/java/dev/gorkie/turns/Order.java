package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.Failure;
import dev.gorkie.inbox.Claim;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.Outcome;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.pi.PiFailure;
import dev.gorkie.sessions.Workspace;
import dev.gorkie.slack.LastWord;
import dev.gorkie.slack.Reply;
import dev.gorkie.slack.Usage;
import java.math.BigDecimal;

/// A command that has waited for its turn, and has it for itself: nothing is asked of the agent.
final class Order {

  private static final String OBEYED = "OBEYED";
  private static final String BEGUN_ANEW =
      "This is a new conversation: I have forgotten what was said here. The files are still there.";
  private static final String SHORTENED =
      "I have summarised what was said here so far, and we go on from there.";
  private static final String NOTHING_TO_SHORTEN =
      "There is not enough here yet that could be summarised.";

  private final Claim claim;
  private final Turn.Rooms rooms;
  private final Deadline deadline;
  private final Reply reply;
  private final Conclusion conclusion;

  Order(Claim claim, Turn.Rooms rooms, Deadline deadline, Reply reply, Conclusion conclusion) {
    this.claim = claim;
    this.rooms = rooms;
    this.deadline = deadline;
    this.reply = reply;
    this.conclusion = conclusion;
  }

  /// The conversation is forgotten in the transaction that ends the turn.
  boolean beginAnew(long offset) throws InterruptedException {
    var begun = new LastWord.Answer(BEGUN_ANEW);
    conclusion.decide(
        new Ending(OBEYED, begun, Outcome.Usage.NONE, offset),
        () -> rooms.sessions().forget(claim.thread(), claim.fence()));
    return conclusion.settle(OBEYED);
  }

  /// Has Pi summarise the conversation. False when time was up; whoever goes on finds the same command in the journal.
  boolean shorten(Workspace workspace, Agent agent) throws InterruptedException {
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
        var ending = Ending.stopped(agent.usage(), agent.offset());
        conclusion.decide(ending.unendedIf(true), workspace);
        var isSaid = conclusion.say();
        if (isHeard(agent, Commands.interrupt(claim.turn()))) {
          rooms.database().transaction(() -> rooms.rows().agentHasEnded(claim, claim.turn()));
        }
        return isSaid && conclusion.settleWhatIsSaid(Ending.STOPPED);
      }
      switch (agent.next(deadline.within(rooms.settings().looksUpEvery()))) {
        case PiEvent.Compacted(var id, var shorter) when id.equals(command) -> {
          return shortened(shorter, workspace, agent);
        }
        case PiEvent.Exited(_, var how) -> throw new Failure(PiFailure.CUT_OFF, how);
        case PiEvent.Trouble(var reason) -> reply.note(Phrases.trouble(reason));
        case PiEvent.TakenOver _ -> refused.heard();
        default -> {}
      }
    }
    rooms.database().transaction(() -> rooms.rows().handOver(claim, agent.offset()));
    return false;
  }

  private boolean isHeard(Agent agent, String stop) throws InterruptedException {
    var until = deadline.within(rooms.settings().stopsWithin());
    while (!agent.has(stop) && !until.isOver()) {
      agent.next(until.within(rooms.settings().looksUpEvery()));
    }
    return agent.has(stop);
  }

  private boolean shortened(boolean shorter, Workspace workspace, Agent agent)
      throws InterruptedException {
    var word = new LastWord.Answer(shorter ? SHORTENED : NOTHING_TO_SHORTEN);
    var usage = agent.usage();
    reply.used(new Usage(usage.tokens(), BigDecimal.valueOf(usage.cost())));
    conclusion.decide(new Ending(OBEYED, word, usage, agent.offset()), workspace);
    var isSaid = reply.deliver();
    rooms.sessions().copy(workspace);
    return isSaid && conclusion.settleWhatIsSaid(OBEYED);
  }
}
