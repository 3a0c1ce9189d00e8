package dev.gorkie.turns;

import dev.gorkie.Deadline;
import dev.gorkie.inbox.Claim;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.PiEvent;
import dev.gorkie.pi.ToolUse;
import dev.gorkie.slack.People;
import dev.gorkie.slack.Question;
import dev.gorkie.slack.Replies;
import dev.gorkie.slack.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What Pi may do in this turn only when a person allows it: asks in the thread, lets go of the thread while nobody answers, and
/// hands the answer on.
final class Gate {

  // Records are made by code that a model runs; a person who is asked more often than this is not
  // asked well.
  private static final int ASKED_MAX = 100;
  private static final String FORMER = "I asked whether I may do something.";

  private final Rooms rooms;
  private final Claim claim;
  private final Agent agent;
  private final Reply reply;
  private final Deadline deadline;
  private final Duration lasts;
  private final boolean onlyStop;

  private final Map<String, ToolUse> begun = new HashMap<>();
  private final Map<String, PiEvent.PermissionAsked> open = new LinkedHashMap<>();
  private int asked;

  /// What it takes to ask.
  record Rooms(Approvals approvals, Replies replies, People people) {}

  Gate(
      Rooms rooms,
      Claim claim,
      Agent agent,
      Reply reply,
      Deadline deadline,
      TurnSettings settings) {
    this.rooms = rooms;
    this.claim = claim;
    this.agent = agent;
    this.reply = reply;
    this.deadline = deadline;
    this.lasts = settings.permissionLasts();
    this.onlyStop = settings.whileRunning() == TurnSettings.WhileRunning.QUEUE;
  }

  void begun(String call, ToolUse use) {
    if (begun.size() < ASKED_MAX) {
      begun.put(call, use);
    }
  }

  /// It ran, or Pi has stopped waiting.
  void ended(String call) {
    begun.remove(call);
    open.values().removeIf(ask -> ask.call().equals(call));
  }

  /// Pi is gone, and with it whoever asked.
  void allEnded() {
    begun.clear();
    open.clear();
  }

  void asks(PiEvent.PermissionAsked ask) throws InterruptedException {
    if (++asked > ASKED_MAX || !isOf(begun.get(ask.call()), ask)) {
      agent.allow(Commands.answer(ask.id()), ask.id(), false);
      return;
    }
    open.put(ask.id(), ask);
  }

  /// Whether a person would read what the call is for. Who allows one thing has not allowed another under its name.
  private static boolean isOf(@Nullable ToolUse use, PiEvent.PermissionAsked ask) {
    if (use == null || !use.tool().equals(ask.tool()) || use.subject().isEmpty()) {
      return false;
    }
    var subject = use.subject().get();
    return use.tool().equals("bash")
        ? isSame(subject, ask.text())
        : ask.text().startsWith(subject + "\n\n");
  }

  /// Of a long command both sides know the beginning, and one of them may have cut it within a character.
  private static boolean isSame(String one, String other) {
    return one.length() < other.length()
        ? other.startsWith(one) && other.length() - one.length() <= 1
        : one.startsWith(other) && one.length() - other.length() <= 1;
  }

  /// To be called when there is nothing more to hear: whether the thread has been let go until a person answers.
  boolean waits() throws InterruptedException {
    for (var ask : List.copyOf(open.values())) {
      if (agent.has(Commands.answer(ask.id()))) {
        open.remove(ask.id());
        continue;
      }
      var id = Commands.approval(claim.turn(), ask.id());
      var approval = rooms.approvals().ask(claim, id, lasts);
      if (approval.state() == Approvals.State.OPEN) {
        reply.step(ask.call(), "Waiting for permission: " + doing(ask), ask.text());
        if (!question(id, ask).ask()) {
          agent.allow(Commands.answer(ask.id()), ask.id(), false);
          open.remove(ask.id());
          reply.note("I could not ask for permission, so I took that as a no");
          continue;
        }
        if (rooms.approvals().suspend(claim, id, onlyStop)) {
          reply.suspend();
          return true;
        }
        // It was answered just now, or somebody wrote; the next look finds it.
      } else {
        answered(id, ask, approval);
      }
    }
    return false;
  }

  private void answered(String id, PiEvent.PermissionAsked ask, Approvals.Approval approval)
      throws InterruptedException {
    agent.allow(Commands.answer(ask.id()), ask.id(), approval.state() == Approvals.State.ALLOWED);
    open.remove(ask.id());
    var use = begun.get(ask.call());
    if (use != null) {
      reply.step(ask.call(), Phrases.title(use), Phrases.detail(use));
    }
    if (!approval.told()) {
      var name =
          approval
              .by()
              .map(user -> rooms.people().displayName(claim.thread().team(), user))
              .orElse("");
      var question = question(id, ask);
      question.decide(() -> rooms.approvals().isToBeTold(id), outcome(approval.state(), name));
      question.close();
    }
  }

  /// Whether anybody was asked anything here.
  boolean hasAsked() {
    return asked > 0;
  }

  /// What is still asked when the turn ends is void. Only inside a transaction of the caller's; what is to be closed after it.
  static List<Question> end(Rooms rooms, Claim claim, Deadline deadline) {
    var ended = new ArrayList<Question>();
    for (var id : rooms.approvals().end(claim)) {
      var question = question(rooms, claim, deadline, new Question.Asked(id, FORMER, "", 0));
      question.decide(outcome(Approvals.State.VOID, ""));
      ended.add(question);
    }
    return ended;
  }

  private Question question(String id, PiEvent.PermissionAsked ask) {
    var it = new Question.Asked(id, "May I " + doing(ask) + "?", ask.text(), ask.more());
    return question(rooms, claim, deadline, it);
  }

  private static Question question(
      Rooms rooms, Claim claim, Deadline deadline, Question.Asked asked) {
    var address = claim.messages().getFirst().event().address();
    return rooms.replies().question(address, asked, new Holding(claim), deadline);
  }

  private static String doing(PiEvent.PermissionAsked ask) {
    return switch (ask.tool()) {
      case "bash" -> "run this command";
      case "write" -> "write this file";
      case "edit" -> "change this file";
      default -> "use a tool";
    };
  }

  private static String outcome(Approvals.State state, String name) {
    return switch (state) {
      case ALLOWED -> "Allowed by " + name + ".";
      case REFUSED -> "Not allowed by " + name + ".";
      case EXPIRED ->
          "Nobody answered in time, so I took that as a no. Ask me again if you want it.";
      case VOID, OPEN -> "This is void: what I was doing has ended meanwhile.";
    };
  }
}
