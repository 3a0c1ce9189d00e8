package dev.gorkie.turns;

import dev.gorkie.Failure;
import dev.gorkie.files.Carried;
import dev.gorkie.files.Files;
import dev.gorkie.inbox.Claim;
import dev.gorkie.inbox.Message;
import dev.gorkie.pi.Agent;
import dev.gorkie.pi.PiFailure;
import dev.gorkie.sandbox.Sandbox;
import dev.gorkie.slack.Conversations;
import dev.gorkie.slack.MessageEvent;
import dev.gorkie.slack.People;
import dev.gorkie.slack.Reply;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What Pi is asked in one turn: the words that began it, and those that came while it ran. Each reaches Pi once, whichever
/// worker says it.
final class Asking {

  private final Claim claim;
  private final Agent agent;
  private final Sandbox sandbox;
  private final Rooms rooms;
  private final Reply reply;
  private final Overheard overheard;
  private final String instructions;

  // By the delivery that told of them: an edit may bring others.
  private final Map<String, List<Carried>> carried = new HashMap<>();
  // By the id under which Pi is to hear them.
  private final Map<String, List<Message>> asked = new LinkedHashMap<>();
  // Those of an earlier worker, of which the journal tells whether Pi has them.
  private final Map<String, List<Message>> unsure = new LinkedHashMap<>();
  private boolean repeated;

  /// What it takes to put it into words.
  record Rooms(
      Files files,
      People people,
      Conversations conversations,
      Outlook outlook,
      Overheard.Limits limits) {}

  /// @param instructions what whoever began the turn always wants to be told with it
  Asking(Claim claim, Agent agent, Sandbox sandbox, Rooms rooms, Reply reply, String instructions) {
    this.claim = claim;
    this.agent = agent;
    this.sandbox = sandbox;
    this.rooms = rooms;
    this.reply = reply;
    this.overheard = new Overheard(claim, rooms.conversations(), this::nameOf, rooms.limits());
    this.instructions = instructions;
  }

  /// What is attached goes ahead of the words. Once Pi may have them, it has what is attached, too.
  ///
  /// @param calledOff whether nobody waits for it any more
  /// @return false when it was called off before all was there
  boolean bringIn(BooleanSupplier calledOff) {
    if (isKnown()) {
      return true;
    }
    claim.messages().forEach(message -> carry(message, calledOff));
    return !calledOff.getAsBoolean();
  }

  /// False when all that was asked was taken back before Pi heard it.
  boolean begin() throws InterruptedException {
    var known = isKnown();
    var first = claim.give();
    if (first.isEmpty()) {
      return false;
    }
    if (known) {
      expect(Commands.turn(claim.turn()), first);
      claim.messages().stream()
          .filter(message -> message.steers() && !message.isStop())
          .forEach(this::takeUp);
    } else {
      ask(Commands.turn(claim.turn()), first);
    }
    return true;
  }

  /// Words that came while the turn ran: Pi hears them at its next step.
  void steer(Message message) throws InterruptedException {
    ask(Commands.message(message), List.of(message));
  }

  /// To be called once all of the journal has been read: what is not in it is said now.
  void askWhatIsMissing() throws InterruptedException {
    var missing = new LinkedHashMap<>(unsure);
    unsure.clear();
    missing.keySet().removeIf(agent::has);
    if (agent.hasGap() && !missing.isEmpty()) {
      // It may stand where the journal does not reach any more.
      throw new Failure(PiFailure.UNREACHABLE, "the journal says nothing of " + missing.keySet());
    }
    for (var command : missing.entrySet()) {
      ask(command.getKey(), command.getValue());
    }
  }

  /// Pi ended before it had said or done anything: then what it took with it is said once more, and only once. False when it was.
  boolean askAgain() throws InterruptedException {
    if (repeated || agent.hasBegun()) {
      return false;
    }
    repeated = true;
    for (var words : asked.entrySet()) {
      // What the keeper had not given it yet, or gave its successor, is heard anyway.
      if (agent.has(words.getKey())) {
        agent.promptAgain(
            words.getKey(), Commands.again(words.getKey()), text(words.getKey(), words.getValue()));
      }
    }
    return true;
  }

  /// The worker that took it in may not have lived to tell its author so.
  private void takeUp(Message message) {
    expect(Commands.message(message), List.of(message));
    reply.noticed(message.event().ts());
  }

  private boolean isKnown() {
    return claim.messages().stream().anyMatch(Message::given);
  }

  private void expect(String command, List<Message> messages) {
    agent.expect(command);
    asked.put(command, messages);
    unsure.put(command, messages);
  }

  private void ask(String command, List<Message> messages) throws InterruptedException {
    asked.put(command, messages);
    agent.prompt(command, text(command, messages));
  }

  private String text(String command, List<Message> messages) {
    messages.forEach(message -> carry(message, claim::isStopWanted));
    var first = messages.getFirst();
    var isFirst = command.equals(Commands.turn(claim.turn()));
    return new Prompt(
            claim.thread(),
            Instant.now(),
            messages,
            carried,
            isFirst ? overheard.before(first.event()) : Optional.empty(),
            isFirst ? overheard.after(first) : Optional.empty(),
            isFirst ? view(first.event()) : "",
            isFirst ? instructions : "",
            agent.isSeeing())
        .text(this::nameOf);
  }

  private String view(MessageEvent event) {
    return rooms.outlook().of(event, nameOf(event.user()));
  }

  private String nameOf(String user) {
    return rooms.people().displayName(claim.thread().team(), user);
  }

  private void carry(Message message, BooleanSupplier calledOff) {
    carried.computeIfAbsent(
        message.event().eventId(),
        _ -> rooms.files().bringIn(message.event(), sandbox, reply, calledOff));
  }
}
